package import FlowDefinition
package import Foundation

/// One worked-out example: a small flow, a few events, and the rows they must give.
///
/// A `.case` file holds one or more, parted by `====` lines. Tests/Cases/README.md is the grammar.
package struct CaseFile: Sendable {
  /// The file's name and the case's place in it, from 1.
  package var name: String
  package var why: String
  package var flow: Flow
  package var options: ReferenceOptions
  /// Canonical NDJSON events.
  package var lines: [String]
  package var expected: [ExpectedRow]
  /// Counts that are in no slice.
  package var expectedQuality: [String: Int]
  package var expectedHorizonMilliseconds: Int64?

  /// A line of a case that can't be read.
  package struct Mistake: Error, CustomStringConvertible {
    package var file: String
    package var line: String
    package var reason: String
    package var description: String { "\(file): \(reason): \(line)" }
  }

  /// A row that must be there with these numbers; without numerator, one that must not be.
  package struct ExpectedRow: Sendable, Hashable {
    /// Its numbers are 0 where the row must be absent.
    package var row: ReferenceRow
    package var isAbsent: Bool

    /// What is wrong with the rows, or `nil`. Rows of other keys are no concern of the case.
    package func mismatch(in rows: some Sequence<ReferenceRow>) -> String? {
      let found = rows.first { $0.key == row.key }
      if isAbsent { return found.map { "unexpected \(Self.text($0))" } }
      if found == row { return nil }
      return "expected \(Self.text(row)), found \(found.map(Self.text) ?? "no such row")"
    }

    private static func text(_ row: ReferenceRow) -> String {
      let slice = row.key.prefix(5).joined(separator: " ")
      let numbers = "\(row.numerator)" + (row.denominator.map { "/\($0)" } ?? "")
      return "\(row.metric)[\(row.step)] {\(slice)} = \(numbers)"
    }
  }

  /// The folder of the cases.
  package static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Cases")
  }

  /// Every case of Tests/Cases, in the order of file names and of the text.
  package static func loadAll() throws -> [CaseFile] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".case") }.sorted()
    return try names.flatMap { name in
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return try parse(text, file: name)
    }
  }

  /// The cases of one file's text. A case without `flow:` has the flow of the one before it.
  package static func parse(_ text: String, file: String) throws -> [CaseFile] {
    var cases: [CaseFile] = []
    for (index, part) in text.components(separatedBy: "\n====").enumerated() {
      var reader = CaseReader(name: "\(file) #\(index + 1)", previousFlow: cases.last?.flow)
      cases.append(try reader.read(part))
    }
    return cases
  }
}
