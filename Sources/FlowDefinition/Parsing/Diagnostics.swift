internal import Yams

/// Collects the mistakes and remarks of one flow file, so that all are reported at once.
///
/// A class, because every reader of a part of the file writes to the same list; it never leaves
/// the call of `FlowParser.parse` that made it.
final class Diagnostics {
  let file: String
  /// Sets, because two readers of one node may find the same mistake.
  private var errors: Set<FlowFileError> = []
  private var remarks: Set<FlowFileWarning> = []
  /// How many pairs of names were compared for a suggestion.
  private var comparisons = 0

  init(file: String) {
    self.file = file
  }

  var hasErrors: Bool { !errors.isEmpty }

  /// By position, then by text: the same file always gives the same list.
  var sortedErrors: [FlowFileError] {
    errors.sorted { ($0.line, $0.column, $0.description) < ($1.line, $1.column, $1.description) }
  }

  var sortedWarnings: [FlowFileWarning] {
    remarks.sorted { ($0.line, $0.column, $0.description) < ($1.line, $1.column, $1.description) }
  }

  func error(
    _ message: String, at mark: SourcePlace?, found: String = "", allowed: [String] = [],
    suggestion: String? = nil
  ) {
    errors.insert(
      FlowFileError(
        file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, found: found,
        allowed: allowed, suggestion: suggestion, message: message))
  }

  func warning(_ message: String, at mark: SourcePlace?) {
    remarks.insert(
      FlowFileWarning(
        file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, message: message))
  }

  /// As many items as the flow may have; more are a mistake, at the first one too many.
  func limited<Item>(
    _ items: [Item], _ limit: FlowLimit, place: (Item) -> SourcePlace?
  ) -> [Item] {
    guard items.count > limit.maximum else { return items }
    tooMany(limit, items.count, at: place(items[limit.maximum]))
    return Array(items.prefix(limit.maximum))
  }

  func tooMany(_ limit: FlowLimit, _ count: Int, at mark: SourcePlace?) {
    error("the flow has \(limit.excess(count))", at: mark, found: String(count))
  }

  /// A name that must be one of some: a mistake lists all of them and the nearest.
  func unknown(_ what: String, _ name: String, at mark: SourcePlace?, allowed: [String]) {
    let none = allowed.isEmpty ? ": none is declared" : ""
    error(
      "unknown \(what) '\(name)'\(none)", at: mark, found: name, allowed: allowed,
      suggestion: suggestion(for: name, among: allowed))
  }

  /// The nearest right spelling, until very many names were compared: a long file in which every
  /// name is wrong has another fault than its spelling.
  private func suggestion(for name: String, among allowed: [String]) -> String? {
    guard comparisons < 50_000 else { return nil }
    comparisons += allowed.count
    return NearestSpelling.of(name, among: allowed)
  }

  /// A value of the wrong type.
  func wrongType(_ what: String, _ wanted: String, _ node: Node) {
    let found = Self.describe(node)
    error("\(what) must be \(wanted), found \(found)", at: node.place, found: found)
  }

  /// What a node is, for messages: its text, or its kind.
  static func describe(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar):
      ScalarText.isNull(scalar) ? "nothing" : "'\(shortened(scalar.string))'"
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .alias: "an alias"
    }
  }

  private static func shortened(_ text: String) -> String {
    let visible = text.unicodeScalars.map { $0.value < 32 ? " " : String($0) }.joined()
    return visible.count <= 60 ? visible : visible.prefix(57) + "…"
  }
}
