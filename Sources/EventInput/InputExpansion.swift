/// Arguments → sources: files, folders, patterns and `-`.
///
/// A file that is named is read whatever it is called. In folders (searched to any depth, also
/// through links) and patterns' folders, only names that contain `.ndjson` or `.jsonl` count, with
/// nothing, `.gz`, `.zst` or `.zip` after it: reports, truth files and notes may lie beside the
/// dumps. Vendors call theirs `.json.gz`: compressed, such a name counts too. Hidden files and
/// folders are passed over there.
///
/// What can't be looked at is a problem and never left out without a word: a folder that can't be
/// listed, a link that leads nowhere, a pipe or a device with a dump's name.
///
/// Names come in the order of their bytes, folders behind links after all others; a file that is
/// given twice (also through a link) is read once, at its first place. Names need not be UTF-8.
public enum InputExpansion {
  /// - Parameter arguments: words of a command line, as `InputPath.argument` makes them.
  public static func expand(
    _ arguments: [String]
  ) -> (sources: [InputSource], problems: [InputProblem]) {
    var walk = InputWalk()
    for argument in arguments { walk.add(argument) }
    return (walk.sources, walk.problems)
  }

  /// What is said of a folder without dumps.
  package static let emptyFolder =
    "no .ndjson or .jsonl file in this folder; name other files one by one"

  static func isDump(_ name: [UInt8]) -> Bool {
    var stem = name[...]
    for ending in [".gz", ".zst", ".zip"] where stem.hasSuffix(ending) {
      stem = stem.dropLast(ending.utf8.count)
      if stem.hasSuffix(".json") { return true }
      break
    }
    // Rejects of an earlier run are no dump, though they lie beside one.
    if stem.hasSuffix("-rejects.ndjson") || stem.elementsEqual("rejects.ndjson".utf8) {
      return false
    }
    return stem.hasSuffix(".ndjson") || stem.hasSuffix(".jsonl")
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ ending: String) -> Bool {
    suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }
}
