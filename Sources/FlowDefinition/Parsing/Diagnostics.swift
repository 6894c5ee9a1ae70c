internal import Yams

/// Collects the mistakes and remarks of one flow file, so that all are told at once.
///
/// A class, because every reader of a part of the file writes to the same list; it never leaves
/// the call of `FlowParser.parse` that made it.
final class Diagnostics {
  let file: String
  private var errors: [FlowFileError] = []
  private var remarks: [FlowFileWarning] = []

  init(file: String) {
    self.file = file
  }

  var hasErrors: Bool { !errors.isEmpty }

  /// By position, then by text: the same file always gives the same list.
  var sortedErrors: [FlowFileError] {
    errors.sorted { ($0.line, $0.column, $0.message) < ($1.line, $1.column, $1.message) }
  }

  var sortedWarnings: [FlowFileWarning] {
    remarks.sorted { ($0.line, $0.column, $0.message) < ($1.line, $1.column, $1.message) }
  }

  func error(
    _ message: String, at mark: SourcePlace?, found: String = "", allowed: [String] = [],
    suggestion: String? = nil
  ) {
    let error = FlowFileError(
      file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, found: found,
      allowed: allowed, suggestion: suggestion, message: message)
    if !errors.contains(error) { errors.append(error) }
  }

  func warning(_ message: String, at mark: SourcePlace?) {
    let warning = FlowFileWarning(
      file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, message: message)
    if !remarks.contains(warning) { remarks.append(warning) }
  }

  /// A name that must be one of some: told with all of them and the nearest.
  func unknown(_ what: String, _ name: String, at mark: SourcePlace?, allowed: [String]) {
    let none = allowed.isEmpty ? ": none is declared" : ""
    error(
      "unknown \(what) '\(name)'\(none)", at: mark, found: name, allowed: allowed,
      suggestion: NearestSpelling.of(name, among: allowed))
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
