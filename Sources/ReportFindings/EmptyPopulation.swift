internal import FlowDefinition
public import FunnelEngine
public import FunnelMetrics
internal import ReportText

/// Why a report is of zeros, and what the data are about instead: a wrong `--flow`, or dates with
/// nothing in them, must not look like a quiet day.
public struct EmptyPopulation: Sendable {
  private let flow: Flow
  private let quality: QualityCounts
  /// All facts that were read, those after `asOf` too where they could be read again.
  private let census: FactCensus
  private let options: [String: String]
  private let namesShown = 3

  /// - Parameters:
  ///   - census: of the facts that were counted; of all facts where none lies before `--as-of`.
  ///   - options: the options that change numbers, as the report's provenance has them.
  /// - Returns: `nil` where somebody entered.
  public init?(_ analysis: Analysis, census: FactCensus, options: [String: String]) {
    guard (analysis.row(.entered)?.numerator ?? 0) == 0 else { return nil }
    flow = analysis.flow
    quality = analysis.tally.quality
    self.census = census
    self.options = options
  }

  /// One paragraph for the person at the terminal.
  public func text(factsCounted: Int) -> String {
    var text = "nobody entered flow '\(SafeText.name(flow.id))': its report is of zeros. "
    text += reason(factsCounted: factsCounted) + "."
    guard census.facts > 0 else { return text }
    text += " The input has \(NumberText.grouped(census.facts)) facts" + span
    let found = [
      list("of flow", census.flows), list("pages", census.pages), list("events", census.events),
    ].compactMap { $0 }
    return text + (found.isEmpty ? "" : "; seen most: " + found.joined(separator: "; "))
  }

  private func reason(factsCounted: Int) -> String {
    if factsCounted == 0, let asOf = options["as_of"] {
      return "Everything in the input comes after --as-of \(SafeText.name(asOf, limit: 40))"
    }
    if quality.leftOut > 0 && quality.onboardingFacts == 0 {
      return "'leave_out' of the flow file leaves out \(NumberText.grouped(quality.leftOut)) "
        + "\(quality.leftOut == 1 ? "person" : "people"), and nobody else has an event of it: does "
        + "it match everybody?"
    }
    if let version = options["flow_version"] {
      return "Nobody met version '\(SafeText.name(version, limit: 40))' of the flow "
        + "(--flow-version)"
    }
    let dates = ["from", "to"].compactMap { name in
      options[name].map { "--\(name) \(SafeText.name($0, limit: 40))" }
    }
    if !dates.isEmpty {
      let note = options["to"] == nil ? "" : ", whose own day is not in it"
      return "Nobody began within \(dates.joined(separator: " "))\(note)"
    }
    let (existing, orphans) = (quality.existingUsers, quality.orphans)
    if existing + orphans > 0 {
      return "Of those who have facts of it, \(NumberText.grouped(existing)) had been there long "
        + "before and \(NumberText.grouped(orphans)) have no entry; dumps that begin too late "
        + "look like that"
    }
    let step = flow.steps.first.map { " of its first step '\(SafeText.name($0.id, limit: 40))'" }
    return "No onboarding_started and no view\(step ?? "") is in the input; look at --flow"
  }

  /// In days of the flow's time zone.
  private var span: String {
    guard let span = census.milliseconds else { return "" }
    let calendar = CivilCalendar(timeZone: flow.timeZone)
    func day(_ milliseconds: Int64) -> String {
      CivilCalendar.label(ofDay: calendar.day(of: milliseconds), unit: .day)
    }
    return " from \(day(span.lowerBound)) to \(day(span.upperBound))"
  }

  private func list(_ what: String, _ counts: [FactCensus.Count]) -> String? {
    if counts.isEmpty { return nil }
    let names = counts.prefix(namesShown).map {
      "\(SafeText.name($0.name, limit: 40)) (\(NumberText.grouped($0.facts)))"
    }
    let more = counts.count > namesShown ? ", …" : ""
    return "\(what) \(names.joined(separator: ", "))\(more)"
  }
}
