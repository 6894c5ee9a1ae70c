import Foundation

/// A file that a command writes whole: aside first, then renamed, so that a killed run leaves the
/// old one. A link is followed, and what is no regular file is left alone.
struct OutputFile {
  /// Where the file really lies.
  let path: String

  /// - Throws: `CommandError` where a file can't be put.
  init(_ given: String) throws {
    if given == "-" || given.isEmpty {
      throw CommandError("a file is needed to write to, found '\(given)'")
    }
    path = URL(fileURLWithPath: given).resolvingSymlinksInPath().path
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    if let type, type != .typeRegular {
      throw CommandError("'\(given)' is no regular file and can't be replaced by one")
    }
  }

  /// The file to write to before `putInPlace`.
  var aside: String { "\(path).part" }

  func putInPlace() throws {
    if rename(aside, path) != 0 {
      throw CommandError("'\(path)' can't be replaced: \(String(cString: strerror(errno)))")
    }
  }
}
