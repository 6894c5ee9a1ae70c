internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Values of a field that are none of the tracking plan's, or no amounts, and what becomes of the
/// events that have them (definitions 5, 8.4 and 9).
struct UnknownValues {
  let condition: GradeCondition
  /// The canonical field; that of a goal's amounts has a name of its own in each flow.
  let field: String
  let names: [String: Int]
  let total: Int
  private let events: String
  private let fault: String
  private let consequence: String
  private let known: [String]

  /// Statuses of permissions, methods of completions, amounts of goals, pages of views; also those
  /// that have none.
  static func all(_ quality: QualityCounts, of flow: Flow) -> [UnknownValues] {
    [
      UnknownValues(
        condition: .unknownStatuses, field: "status", names: quality.unknownStatuses,
        total: quality.resultsOfPermission.reduce(0, +), events: "permission results",
        fault: "a status that is not known", consequence: "decide nothing",
        known: QualityCounts.knownStatuses),
      UnknownValues(
        condition: .unknownMethods, field: "completion_method", names: quality.unknownMethods,
        total: quality.completions, events: "completions",
        fault: "a completion_method that is not known", consequence: "count as finished",
        known: QualityCounts.knownMethods),
      UnknownValues(
        condition: .unknownAmounts, field: "amount", names: quality.unknownAmounts,
        total: quality.amounts, events: "goal events with an amount",
        fault: "one that is no number", consequence: "add nothing to the goal's sum", known: []),
      UnknownValues(
        condition: .viewsWithoutPage, field: "page_name", names: withoutPage(quality),
        total: quality.pageViews, events: "page views", fault: "no page, by name or by number",
        consequence: "count for no step", known: []),
    ]
  }

  /// Where no view at all says a page, no step was measured, which is another finding.
  private static func withoutPage(_ quality: QualityCounts) -> [String: Int] {
    let count = quality.viewsWithoutPage
    return count == 0 || count == quality.pageViews ? [:] : ["(none)": count]
  }

  var count: Int { names.values.reduce(0, +) }

  /// `a status that is not known: 'authorized' 112, 'Granted' 3`
  var note: String {
    let seen = Counted.mostFirst(names).prefix(3).map { name, count in
      "\(shown(name)) \(NumberText.grouped(count))"
    }
    return "\(events) with \(fault)"
      + (seen.isEmpty ? "" : ": " + seen.joined(separator: ", "))
  }

  var sentence: String { "\(claim) \(detail)" }

  /// `117 of 118 permission results have a status that is not known, and decide nothing.`
  var claim: String {
    "\(NumberText.grouped(count)) of \(NumberText.grouped(total)) \(events) have \(fault) "
      + "and \(consequence)."
  }

  /// What to write into the flow file.
  var detail: String {
    let seen = Counted.mostFirst(names).prefix(3).map { shown($0.0) }.joined(separator: ", ")
    if condition == .unknownAmounts {
      return "Seen: \(seen). An amount is a number up to 1e9 with a point and nothing else, "
        + "such as 1200.5: no comma, no separators of thousands, no sign or name of a currency."
    }
    let words = Counted.mostFirst(names).map(\.0).filter { $0 != "(none)" }.prefix(3)
    if words.isEmpty {
      return "They have none: map its place under 'fields', as {\(field): properties.…}."
    }
    let values = words.map { word in
      "\(SafeText.name(word, limit: 40)): "
        + (QualityCounts.meaning(of: word, in: field) ?? "…")
    }.joined(separator: ", ")
    return "Seen: \(seen). Known: \(known.joined(separator: ", ")). If they mean one of these, map "
      + "them: fields: {\(field): {path: properties.\(field), values: {\(values)}}}."
  }

  private func shown(_ name: String) -> String {
    name == "(none)" ? "none" : "'\(SafeText.name(name, limit: 40))'"
  }
}
