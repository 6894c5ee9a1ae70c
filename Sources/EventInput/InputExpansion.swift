#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Arguments → sources: files, folders, patterns and `-`.
///
/// A file that is named is read whatever it is called. In folders (searched to any depth) and
/// patterns' folders, only names that contain `.ndjson` or `.jsonl` count, with nothing, `.gz`,
/// `.zst` or `.zip` after it: reports, truth files and notes may lie beside the dumps. Vendors call
/// theirs `.json.gz`: compressed, such a name counts too. Hidden files and folders, pipes and
/// devices are passed over there.
/// Names come in the order of their UTF-8 bytes; a file that is given twice (also through a link)
/// is read once, at its first place.
public enum InputExpansion {
  public static func expand(
    _ arguments: [String]
  ) -> (sources: [InputSource], problems: [InputProblem]) {
    var sources: [InputSource] = []
    var problems: [InputProblem] = []
    var seen: Set<String> = []
    func add(_ path: String) {
      if seen.insert(identity(path)).inserted { sources.append(.file(path)) }
    }
    for argument in arguments {
      if argument == "-" {
        if seen.insert("-").inserted { sources.append(.standardInput) }
        continue
      }
      switch kind(argument) {
      case .file, .pipe: add(argument)
      case .folder:
        let files = dumps(under: argument)
        files.forEach(add)
        if files.isEmpty {
          problems.append(
            InputProblem(
              name: argument,
              message: "no .ndjson or .jsonl file in this folder; name other files one by one"))
        }
      case nil where GlobPattern.isPattern(argument):
        let matches = matches(GlobPattern(argument))
        for path in matches {
          switch kind(path) {
          case .folder: dumps(under: path).forEach(add)
          case .pipe: break
          case .file, nil: add(path)
          }
        }
        if matches.isEmpty {
          problems.append(InputProblem(name: argument, message: "no file matches this pattern"))
        }
      case nil:
        problems.append(InputProblem(name: argument, message: "no such file or folder"))
      }
    }
    return (sources, problems)
  }

  /// What is neither file nor folder is read if it is named: in a folder a pipe that nobody writes
  /// to would make the run wait for ever.
  private enum Kind {
    case file, folder, pipe
  }

  private static func kind(_ path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file
    default: return .pipe
    }
  }

  /// The same for every name of a file.
  private static func identity(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return path }
    return "\(status.st_dev):\(status.st_ino)"
  }

  static func isDump(_ name: String) -> Bool {
    var stem = Substring(name)
    for ending in [".gz", ".zst", ".zip"] where stem.hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
      if stem.hasSuffix(".json") { return true }
      break
    }
    // Rejects of an earlier run are no dump, though they lie beside one.
    if stem.hasSuffix("-rejects.ndjson") || stem == "rejects.ndjson" { return false }
    return stem.hasSuffix(".ndjson") || stem.hasSuffix(".jsonl")
  }

  private static func dumps(under folder: String) -> [String] {
    var found: [String] = []
    for name in names(in: folder) where !name.hasPrefix(".") {
      let path = joined(folder, name)
      switch kind(path) {
      // A link to a folder is not followed: it may lead back.
      case .folder: if !isLink(path) { found += dumps(under: path) }
      case .file: if isDump(name) { found.append(path) }
      case .pipe, nil: break
      }
    }
    return found
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The names in a folder by their UTF-8 bytes, without `.` and `..`.
  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func matches(_ pattern: GlobPattern) -> [String] {
    var found: [String] = []
    descend(pattern.isAbsolute ? "/" : "", pattern.components[...], &found)
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func descend(
    _ folder: String, _ components: ArraySlice<String>, _ found: inout [String]
  ) {
    guard let component = components.first else { return }
    let rest = components.dropFirst()
    if component == "**" {
      if rest.isEmpty { found += dumps(under: folder) } else { descend(folder, rest, &found) }
      for name in names(in: folder) where !name.hasPrefix(".") {
        let path = joined(folder, name)
        if kind(path) == .folder && !isLink(path) && !rest.isEmpty {
          descend(path, components, &found)
        }
      }
      return
    }
    let candidates =
      GlobPattern.isPattern(component)
      ? names(in: folder).filter { GlobPattern.matches($0, component) } : [component]
    for name in candidates {
      let path = joined(folder, name)
      guard let kind = kind(path) else { continue }
      if rest.isEmpty {
        found.append(path)
      } else if kind == .folder {
        descend(path, rest, &found)
      }
    }
  }
}
