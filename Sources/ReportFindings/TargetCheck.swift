package import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// A promise of the design against what was seen.
package struct TargetCheck: Sendable {
  package enum Verdict: String, Sendable {
    case met, missed
    case unclear = "undecided"
    case unknown = "no data"
  }
  package let target: Target
  package let row: MetricRow?
  /// As above, with its place, for renderings that say where a number comes from.
  package let datum: Datum?
  package let verdict: Verdict
  /// The interval of a duration, which its row doesn't have, in seconds.
  package let duration: ClosedRange<Double>?

  package static func all(_ analysis: Analysis) -> [TargetCheck] {
    analysis.conclusions.value { analysis.flow.targets.map { TargetCheck($0, analysis) } }
  }

  package init(_ target: Target, _ analysis: Analysis) {
    self.target = target
    let step = target.step.isEmpty ? "all" : target.step
    let slice = Slice(named: target.slice, in: analysis.flow)
    let isUnknown = analysis.unmeasured.reason(for: target.metric, step: step, in: slice) != nil
    datum = isUnknown ? nil : analysis.datum(target.metric, step: step, in: slice)
    row = datum?.row
    duration = analysis.durationInterval(target.metric, step: step, in: slice)
    let found = TargetCheck.verdict(target, row, duration)
    // Intervals over attempts are too narrow: a person's attempts are alike.
    let isNarrow = (row?.low ?? duration?.lowerBound) != nil && analysis.flow.counting == .attempts
    verdict = isNarrow && found != .unknown ? .unclear : found
  }

  /// With an interval the whole of it must be on one side; a number without one is taken as it is.
  /// Of a duration there is one, unless too few people have a time.
  private static func verdict(
    _ target: Target, _ row: MetricRow?, _ duration: ClosedRange<Double>?
  ) -> Verdict {
    guard let row, let value = row.value else { return .unknown }
    if MetricCatalog.isDuration(target.metric), duration == nil { return .unclear }
    let low = duration?.lowerBound ?? row.low ?? value
    let high = duration?.upperBound ?? row.high ?? value
    switch target.bound {
    case .atLeast(let least): return low >= least ? .met : high < least ? .missed : .unclear
    case .atMost(let most): return high <= most ? .met : low > most ? .missed : .unclear
    }
  }

  /// `completion_rate at least 80 %`
  package var promise: String { "\(name) \(boundText)" }

  /// The metric and whose it is: `lift_retention_d7 (experiment length, variant short)`.
  package var name: String {
    let slice = target.slice.map { "\($0.from) \($0.to)" }.joined(separator: ", ")
    let name = ([target.metric.rawValue, target.step].filter { !$0.isEmpty }).joined(separator: " ")
    return "\(name)\(slice.isEmpty ? "" : " (\(slice))")"
  }

  /// Whether it is about a variant of an experiment.
  package func isOf(variant: String, in experiment: String) -> Bool {
    func names(_ key: String, _ value: String) -> Bool {
      target.slice.contains { $0.from == key && $0.to == value }
    }
    return names("experiment", experiment) && names("variant", variant)
  }

  /// The metric and its slice for readers: `day 7 retention, lift over the control (short)`. The
  /// experiment is named where the flow has several.
  package func words(_ flow: Flow) -> String {
    let slice = target.slice.compactMap { part in
      part.from == "experiment" && flow.experiments.count == 1 && target.slice.count > 1
        ? nil : self.words(of: part, flow)
    }.joined(separator: ", ")
    let line = MetricWords.line(
      target.metric, step: target.step.isEmpty ? "all" : target.step, flow)
    return "\(line)\(slice.isEmpty ? "" : " (\(slice))")"
  }

  private func words(of part: NameMapping, _ flow: Flow) -> String {
    guard part.from == "variant" else { return "\(part.from) \(title(part, flow))" }
    let isControl = flow.experiments.contains {
      isOf(variant: $0.controlID, in: $0.id)
    }
    return title(part, flow) + (isControl ? ", the control" : "")
  }

  /// What people call the value of one of the slice's columns.
  private func title(_ part: NameMapping, _ flow: Flow) -> String {
    let experiment = target.slice.first { $0.from == "experiment" }?.to
    switch part.from {
    case "experiment": return flow.title(ofExperiment: part.to)
    case "variant": return flow.title(ofVariant: part.to, in: experiment ?? "")
    default: return part.to
    }
  }

  /// `completion at least 80 %`, `day 7 retention no lower than the control’s`: of a variant that
  /// is named already.
  func claim(_ flow: Flow) -> String {
    let isOfControl = [.lift, .difference].contains(target.metric.comparison)
    if isOfControl, target.bound == .atLeast(0), let metric = target.metric.comparedNumber {
      return MetricWords.of(metric, step: target.step, flow) + " no lower than the control’s"
    }
    return "\(MetricWords.line(target.metric, step: target.step, flow)) \(boundText)"
  }

  /// `at least 80 %`
  package var boundText: String {
    switch target.bound {
    case .atLeast(let value): "at least \(text(value))"
    case .atMost(let value): "at most \(text(value))"
    }
  }

  /// `84.1 % (53/63), 95 % CI 73.2–91.1 %`, or the seconds or number.
  package var seen: Sentence {
    guard let datum, datum.row.value != nil else { return "–" }
    if datum.row.unit == .amount { return datum.said(text) }
    if datum.row.denominator != nil { return datum.saidFully }
    // Seconds with an interval are a difference.
    if datum.row.unit == .seconds, datum.row.low != nil { return datum.saidSeconds }
    if datum.row.unit == .points { return datum.saidPoints }
    let value = datum.said(text)
    if let duration {
      let (low, high) = (bound(duration.lowerBound), bound(duration.upperBound))
      return "\(value), \(RateText.level(0.95)) CI \(low) to \(high)"
    }
    guard let interval = datum.saidInterval else { return value }
    return "\(value), \(RateText.level(datum.row.level)) CI \(interval)"
  }

  /// An end of a duration's interval.
  package func bound(_ seconds: Double) -> String {
    seconds.isFinite ? text(seconds) : "never"
  }

  private func text(_ value: Double) -> String {
    switch MetricCatalog.unit(of: target.metric) {
    case .seconds: RateText.duration(value)
    case .persons: NumberText.format(value) ?? "–"
    case .amount: RateText.amount(value)
    case .ratio: RateText.signedPercent(value)
    case .points: "\(RateText.signedNumber(value)) points"
    case .rate, .probability: RateText.bound(value)
    }
  }
}

/// The targets in one finding, the missed ones in full.
struct TargetFinding {
  let analysis: Analysis

  func drafts() -> [FindingDraft] {
    let checks = TargetCheck.all(analysis)
    guard !checks.isEmpty else { return [] }
    func all(_ verdict: TargetCheck.Verdict) -> [TargetCheck] {
      checks.filter { $0.verdict == verdict }
    }
    let missed = Array(all(.missed).prefix(3))
    let named = missed.isEmpty ? [all(.unclear).first ?? all(.met).first].compactMap { $0 } : missed
    let sentences = named.map { check -> Sentence in
      """
      \(check.verdict.rawValue.capitalizedFirst): \(check.words(analysis.flow)) should be \
      \(check.boundText) and is \(check.seen).
      """
    }
    let tone: Finding.Tone =
      !all(.missed).isEmpty ? .bad : all(.met).count == checks.count ? .good : .neutral
    return [
      FindingDraft(
        kind: .target, tone: tone,
        claim: Sentence(words: ReportWords.targets(checks.map(\.verdict))),
        detail: sentences.joined(separator: " "), chart: .targets)
    ]
  }
}
