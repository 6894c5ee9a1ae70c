/// The folder a path names a file in; empty for the current one, `/` for the root.
///
/// Foundation's `deletingLastPathComponent` ends the program for a path of one character, and that
/// of `URL` makes `a/../..` of `a/..`, so that repeated calls never come to an end.
package enum FolderOfPath {
  /// The folder.
  package static func of(_ path: String) -> String {
    let rest = withoutSlashes(path)
    guard let slash = rest.lastIndex(of: "/") else { return "" }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  /// The file's name in it.
  package static func name(of path: String) -> String {
    let rest = withoutSlashes(path)
    return rest.lastIndex(of: "/").map { String(rest[rest.index(after: $0)...]) } ?? String(rest)
  }

  private static func withoutSlashes(_ path: String) -> Substring {
    var rest = path[...]
    while rest.count > 1 && rest.last == "/" { rest.removeLast() }
    return rest
  }
}
