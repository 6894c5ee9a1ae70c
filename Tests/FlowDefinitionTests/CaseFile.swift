import Foundation
import Testing

/// Cases as data: `==== why`, the flow file, `----`, the messages it must give, one a line.
///
/// Anyone can add a case without Swift: write it without messages, run the test, and check what it
/// printed before putting it in. `\r` and `\u{1}` stand for those characters.
struct CaseFile: Sendable, CustomTestStringConvertible {
  var why: String
  var text: String
  var messages: String

  var testDescription: String { why }

  static func read(_ name: String) throws -> [CaseFile] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Cases/\(name).case")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "==== ").map { part in
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let divider = try #require(lines.firstIndex(of: "----"))
      let text = lines[1..<divider].map { $0 + "\n" }.joined()
      return CaseFile(
        why: lines[0],
        text: text.replacing("\\r", with: "\r").replacing("\\u{1}", with: "\u{1}"),
        messages: lines[(divider + 1)...].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
  }

  static let names = [
    "syntax", "keys", "values", "redact", "steps", "experiments", "goals", "retention", "funnels",
    "targets", "warnings", "leave_out",
  ]
}
