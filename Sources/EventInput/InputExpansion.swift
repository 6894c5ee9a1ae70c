/// Arguments → sources: files, folders, patterns and `-`.
///
/// A file that is named is read whatever it is called. In folders (searched to any depth, also
/// through links) and patterns' folders, names that contain `.ndjson` or `.jsonl`, with nothing,
/// `.gz`, `.zst` or `.zip` after it, and `.json.gz` and its like are dumps. Of all other files the
/// beginning decides: reports, truth files and notes may lie beside the dumps. Those that are
/// passed over are returned for a message. Hidden files and folders are passed over without one.
///
/// What can't be looked at is a problem and never left out without a word: a folder that can't be
/// listed, a link that leads nowhere, a pipe or a device with a dump's name.
///
/// Rejected lines of an earlier run may lie beside the dumps (`NAME-rejects.ndjson`): in a folder
/// they are passed over, too.
///
/// Names come in the order of their bytes, folders behind links after all others; a file that is
/// given twice (also through a link) is read once, at its first place. Names need not be UTF-8.
public enum InputExpansion {
  /// - Parameters:
  ///   - arguments: words of a command line, as `InputPath.argument` makes them.
  ///   - looksInside: whether the beginning of a file decides where the name says nothing. In a
  ///     folder that files are landing in it may be that of a file which isn't whole.
  ///   - access: how addresses (`s3://`, `https://`) are reached; they are problems without it.
  public static func expand(
    _ arguments: [String], looksInside: Bool = true, plan: ScanPlan? = nil,
    access: RemoteAccess? = nil
  ) -> (sources: [InputSource], problems: [InputProblem], passedOver: [PassedOverFile]) {
    var walk = InputWalk(looksInside: looksInside, plan: plan, access: access)
    for argument in arguments { walk.add(argument) }
    walk.leaveOutRepeatedCalls()
    return (walk.sources, walk.problems, walk.passedOver)
  }

  static func isDump(_ name: [UInt8]) -> Bool {
    let (stem, isCompressed) = stem(name)
    if isCompressed && stem.hasSuffix(".json") { return true }
    return !isRejects(name) && (stem.hasSuffix(".ndjson") || stem.hasSuffix(".jsonl"))
  }

  /// Whether a file is called like the rejected lines of a run.
  static func isRejects(_ name: [UInt8]) -> Bool {
    let stem = stem(name).stem
    return stem.hasSuffix("-rejects.ndjson") || stem.elementsEqual("rejects.ndjson".utf8)
  }

  /// Whether a file is called like one that is still being written.
  static func isUnfinished(_ name: [UInt8]) -> Bool {
    [".part", ".partial", ".tmp", ".crdownload", "~"].contains { name[...].hasSuffix($0) }
  }

  /// The name without the ending of its compression.
  private static func stem(_ name: [UInt8]) -> (stem: ArraySlice<UInt8>, isCompressed: Bool) {
    for ending in [".gz", ".zst", ".zip"] where name[...].hasSuffix(ending) {
      return (name.dropLast(ending.utf8.count), true)
    }
    return (name[...], false)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ ending: String) -> Bool {
    suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }
}
