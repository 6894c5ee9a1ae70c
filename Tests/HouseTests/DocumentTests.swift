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

  @Test func `the map of the architecture is no longer than 150 lines`() throws {
    let lines = try SourceTree.file("ARCHITECTURE.md").lines.count - 1
    #expect(lines <= 150, "ARCHITECTURE.md has \(lines) lines: how a part works is for an article")
  }

  /// Paths begin at the root or in `Sources`; the articles of one target may leave it out.
  @Test func `the map and the articles name what is there`() throws {
    let swift = try ["Sources", "Tests"].flatMap(SourceTree.swiftFiles)
    let targets = Set(swift.map { "Sources/" + $0.target }).sorted()
    let words = Set(
      swift.flatMap { $0.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
    let articles = try SourceTree.articles()
    let titles = articles.map { $0.path.split(separator: "/").last?.dropLast(3) ?? "" }
    let manifest = try SourceTree.file("Package.swift").text
    for document in try [SourceTree.file("ARCHITECTURE.md")] + articles {
      for (line, code) in codeVoice(in: document) {
        if code.contains("/"), code.wholeMatch(of: /[\w.+\/-]+/) != nil {
          let isThere = (["", "Sources"] + targets).contains { folder in
            let path = SourceTree.root.appendingPathComponent("\(folder)/\(code)").path
            return ["", ".swift"].contains { FileManager.default.fileExists(atPath: path + $0) }
          }
          #expect(isThere, "\(document):\(line): \(code) is not there")
        } else if code.wholeMatch(of: /[A-Z][A-Za-z0-9]+/) != nil {
          let isKnown =
            words.contains(code[...]) || titles.contains(code[...]) || manifest.contains(code)
          #expect(isKnown, "\(document):\(line): nothing is called \(code)")
        }
      }
    }
  }

  @Test func `the front page of the documentation lists every article`() throws {
    let articles = try SourceTree.articles()
    let front = try #require(articles.first { $0.path.hasSuffix("/FirstMile.md") })
    #expect(articles.count > 10)
    for article in articles where article.path != front.path {
      let name = article.path.split(separator: "/").last?.dropLast(3) ?? ""
      #expect(front.text.contains("- <doc:\(name)>"), "\(article) is not on the front page")
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

  /// What stands between single backticks outside code, with its lines.
  private func codeVoice(in document: SourceTree.File) -> [(line: Int, code: String)] {
    var isCode = false
    return document.lines.enumerated().flatMap { index, line -> [(line: Int, code: String)] in
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode else { return [] }
      return line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 && !$0.element.isEmpty }
        .map { (index + 1, String($0.element)) }
    }
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
