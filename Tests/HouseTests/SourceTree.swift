import Foundation

/// The files of this package, for tests that read the code itself.
enum SourceTree {
  /// A text file of the package.
  struct File: Sendable, CustomStringConvertible {
    /// From the package's root, with slashes.
    var path: String
    var text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    /// The name of the folder below `Sources/` or `Tests/`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var description: String { path }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().standardizedFileURL

  /// Every Swift file below a folder of the root, in the order of their paths.
  static func swiftFiles(in folder: String) throws -> [File] {
    try files(in: folder) { $0.hasSuffix(".swift") }
  }

  /// The articles of the library's documentation.
  static func articles() throws -> [File] {
    try files(in: "Sources/FirstMileLibrary/FirstMile.docc") { $0.hasSuffix(".md") }
  }

  /// Every Markdown file of the package that people read.
  static func documents() throws -> [File] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
      .filter { $0.hasSuffix(".md") }.map(file)
      + files(in: "docs") { $0.hasSuffix(".md") }
      + files(in: "Tests") { $0.hasSuffix(".md") } + articles()
  }

  static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [File] {
    let place = root.appendingPathComponent(folder)
    guard FileManager.default.fileExists(atPath: place.path) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted()
      .filter(isWanted).map { try file("\(folder)/\($0)") }
  }

  static func file(_ path: String) throws -> File {
    let url = root.appendingPathComponent(path)
    return File(path: path, text: try String(contentsOf: url, encoding: .utf8))
  }
}
