import EventInput
import Foundation
import FunnelReport

/// What an address asks for, in the words of the command line.
struct ServedQuestion: Sendable, Hashable {
  /// The options that an address may name, in the order in which it names them.
  static let names = [
    "flow", "from", "to", "as-of", "history-from", "cohorts", "flow-version", "steps", "within",
    "breakdown",
  ]
  private static let longestValue = 4000
  private(set) var values: [String: [String]] = [:]

  init() {}

  /// - Parameter query: what stands behind the question mark.
  /// - Throws: `CommandError` for what is no option here, or given too often.
  init(query: String) throws(CommandError) {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = ServedQuestion.decoded(parts[0]),
        let value = ServedQuestion.decoded(parts.count > 1 ? parts[1] : "")
      else { throw CommandError("the address is not percent-encoded UTF-8") }
      guard ServedQuestion.names.contains(name) else {
        let known = ServedQuestion.names.joined(separator: ", ")
        throw CommandError("'\(name.prefix(80))' can't be chosen; what can is \(known)")
      }
      guard value.utf8.count <= ServedQuestion.longestValue else {
        throw CommandError("'\(name)' is longer than \(ServedQuestion.longestValue) bytes")
      }
      if !value.isEmpty { values[name, default: []].append(value) }
    }
    for (name, all) in values where all.count > (name == "breakdown" ? 2 : 1) {
      throw CommandError(
        name == "breakdown"
          ? "a funnel is cut by two properties at most" : "'\(name)' is given twice")
    }
  }

  subscript(_ name: String) -> String? {
    get { values[name]?.first }
    set { values[name] = newValue.map { [$0] } }
  }

  var breakdowns: [String] { values["breakdown"] ?? [] }

  /// Whether one funnel is asked for, and not a report.
  var isFunnel: Bool { self["steps"] != nil || self["within"] != nil || !breakdowns.isEmpty }

  /// Equal questions have equal bytes, for links and as a key.
  var query: String {
    ServedQuestion.names.flatMap { name in
      (values[name] ?? []).map { "\(name)=\(PercentEncoding.query($0))" }
    }.joined(separator: "&")
  }

  /// The query of the names alone that decide which facts are read.
  func key(_ names: [String]) -> String {
    var part = self
    part.values = values.filter { names.contains($0.key) }
    return part.query
  }

  /// As words of the command line, joined, because a value may begin with a dash.
  func arguments(_ names: [String]) -> [String] {
    names.flatMap { name in (values[name] ?? []).map { "--\(name)=\($0)" } }
  }

  var choice: ChooserPage.Choice {
    var choice = ChooserPage.Choice()
    choice.flow = self["flow"] ?? ""
    choice.from = self["from"] ?? ""
    choice.to = self["to"] ?? ""
    choice.version = self["flow-version"] ?? ""
    choice.steps = self["steps"] ?? ""
    choice.within = self["within"] ?? ""
    choice.breakdowns = breakdowns
    for name in ["as-of", "history-from", "cohorts"] {
      if let value = self[name] { choice.others[name] = value }
    }
    return choice
  }

  /// As forms encode it.
  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }
}
