import Foundation
import Testing

/// What the documents point at is there, and nothing points at one machine.
@Suite struct DocumentTests {
  @Test func `every link in a document leads somewhere`() throws {
    var links = 0
    for document in try SourceTree.documents() {
      for (line, target) in self.links(in: document) {
        links += 1
        let (path, anchor) = split(target)
        let folder = URL(fileURLWithPath: document.path, relativeTo: SourceTree.root)
          .deletingLastPathComponent()
        let place = path.isEmpty ? nil : folder.appendingPathComponent(path)
        if let place {
          #expect(
            FileManager.default.fileExists(atPath: place.path),
            "\(document):\(line): \(target) is not there")
        }
        guard !anchor.isEmpty, path.isEmpty || path.hasSuffix(".md") else { continue }
        let text = try place.map { try String(contentsOf: $0, encoding: .utf8) } ?? document.text
        #expect(
          anchors(in: text).contains(anchor), "\(document):\(line): no heading for #\(anchor)")
      }
    }
    #expect(links > 10)
  }

  @Test func `no file names a place on one machine`() throws {
    let folders = ["Users", "home", "root", "work", "opt", "mnt", "srv"]
    let isText = { (path: String) in
      [".swift", ".md", ".yaml", ".yml", ".json", ".case", ".py", ".sh", ".h", ".csv", ".html"]
        .contains { path.hasSuffix($0) } || !path.contains(".")
    }
    var files = try SourceTree.documents() + [SourceTree.file("Package.swift")]
    for folder in ["Sources", "Tests", "flows", "docs", "script", ".ci", "reports"] {
      let root = SourceTree.root.appendingPathComponent(folder)
      let isFile = { (path: String) in
        var isFolder: ObjCBool = false
        let there = FileManager.default.fileExists(
          atPath: root.appendingPathComponent(path).path, isDirectory: &isFolder)
        return there && !isFolder.boolValue && isText(path)
      }
      files += try SourceTree.files(in: folder, where: isFile)
    }
    for file in files {
      for named in roots(in: Array(file.text.utf8)) where folders.contains(named) {
        Issue.record("\(file) names /\(named)/")
      }
    }
  }

  /// The first folders of the absolute paths in a text. A slash inside a longer path or an address
  /// begins none: only one at the beginning or after a space, a quote or the like does.
  private func roots(in text: [UInt8]) -> [String] {
    let openings = Set(" \n\"'`(=:".utf8)
    var found: [String] = []
    for place in text.indices where text[place] == UInt8(ascii: "/") {
      guard place == 0 || openings.contains(text[place - 1]) else { continue }
      let name = text[(place + 1)...].prefix(16).prefix { $0 != UInt8(ascii: "/") }
      found.append(String(decoding: name, as: UTF8.self))
    }
    return found
  }

  @Test func `each dependency of the package has its row`() throws {
    let package = try SourceTree.file("Package.swift").text
    let rows = try SourceTree.file("docs/dependencies.md").text.lowercased()
    var names = package.matches(of: /url: "[^"]*\/([^"\/.]+)[^"\/]*", from/).map { String($0.1) }
    names += package.matches(of: /pkgConfig: "(\w+)"/).map { "`\($0.1)`" }
    #expect(names.count >= 12)
    for name in names {
      #expect(
        rows.contains(name.lowercased()), "docs/dependencies.md has no row for \(name)")
    }
  }

  /// `swift test --filter` succeeds where nothing matches, so a renamed target would go unnoticed.
  @Test func `each filter that a document prints runs a test`() throws {
    let tests = try SourceTree.swiftFiles(in: "Tests").flatMap { file in
      file.text.matches(of: /@Suite.*? struct (\w+)/).map { "\(file.target).\($0.1)" }
    }
    var filters: [String] = []
    for document in try SourceTree.documents() {
      filters += document.text.matches(of: /swift test[^\n]*--filter (\S+)/).map { String($0.1) }
    }
    #expect(!filters.isEmpty)
    for filter in filters {
      let pattern = try Regex(filter)
      #expect(tests.contains { $0.contains(pattern) }, "--filter \(filter) matches no test")
    }
  }

  @Test func `scripts can be run as they are`() throws {
    for script in try FileManager.default.contentsOfDirectory(
      atPath: SourceTree.root.appendingPathComponent("script").path)
    where !script.contains(".") {
      let path = SourceTree.root.appendingPathComponent("script/\(script)").path
      #expect(FileManager.default.isExecutableFile(atPath: path), "script/\(script)")
      #expect(try SourceTree.file("script/\(script)").text.hasPrefix("#!/usr/bin/env "))
    }
  }

  /// Targets of `[text](target)` outside code, with their lines; web addresses are left out.
  private func links(in document: SourceTree.File) -> [(line: Int, target: String)] {
    var found: [(line: Int, target: String)] = []
    var isCode = false
    for (index, line) in document.lines.enumerated() {
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode || line.hasPrefix("    ") { continue }
      for part in line.split(separator: "](", omittingEmptySubsequences: false).dropFirst() {
        guard let end = part.firstIndex(of: ")") else { continue }
        let target = String(part[..<end])
        if target.contains("://") || target.hasPrefix("mailto:") { continue }
        found.append((index + 1, target))
      }
    }
    return found
  }

  private func split(_ target: String) -> (path: String, anchor: String) {
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
  }

  /// The anchors of a document's headings, by the rule that code hosts use.
  private func anchors(in text: String) -> Set<String> {
    var anchors: Set<String> = []
    for line in text.split(separator: "\n") where line.hasPrefix("#") {
      let title = line.drop { $0 == "#" }.dropFirst().lowercased()
      let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      anchors.insert(kept.replacingOccurrences(of: " ", with: "-"))
    }
    return anchors
  }
}
