/// The folder a path names a file in; empty for the current one, `/` for the root.
///
/// Foundation's `deletingLastPathComponent` ends the program for a path of one character, and that
/// of `URL` makes `a/../..` of `a/..`, so that repeated calls never come to an end.
enum FolderOfPath {
  static func of(_ path: String) -> String {
    var rest = path[...]
    while rest.count > 1 && rest.last == "/" { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "" }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }
}
