internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What must hold of the data before any verdict is given: the bounds of docs/gate.md, and those
/// that the gate's own rules set.
struct DataConditions {
  let gate: Gate
  let report: Report
  let today: Int
  private var analysis: Analysis { report.analysis }

  init(gate: Gate, report: Report, today: Int) {
    self.gate = gate
    self.report = report
    self.today = today
  }

  /// Bounds that hold whether or not a rule names them.
  private var standing: [QualityMeasure: Double] {
    [
      .rejects: report.provenance.maximumRejectRate, .damagedInputs: 0,
      .sampleRatio: ExperimentDoubt.sampleRatioAlpha,
      .contaminated: ExperimentDoubt.contaminatedBound,
      .unassigned: ExperimentDoubt.unassignedBound, .unknownStatuses: Self.unknownBound,
      .unknownMethods: Self.unknownBound, .unknownAmounts: Self.unknownBound,
      .viewsWithoutPage: Self.unknownBound,
    ]
  }

  /// Where more than a tenth of the values mean nothing known, their numbers are worth nothing: it
  /// is the bound of a report's grade D (definitions 16).
  private static let unknownBound = 0.1

  func checks() -> [DataCheck] {
    QualityMeasure.allCases.flatMap { measure -> [DataCheck] in
      let own = gate.rules.filter { $0.subject == .quality(measure) }
      if own.isEmpty { return standing[measure].map { checks(measure, $0, rule: nil) } ?? [] }
      return own.flatMap { rule in
        rule.demand.bound.map { checks(measure, $0, rule: rule) } ?? []
      }
    }
  }

  private func checks(
    _ measure: QualityMeasure, _ bound: Double, rule: GateRule?
  ) -> [DataCheck] {
    let suppression = rule?.suppression.flatMap { today <= DataConditions.day($0) ? $0 : nil }
    func check(_ experiment: String?, _ value: Double?, _ counts: (Int, Int)?) -> DataCheck {
      let isMet = value.map { measure == .sampleRatio ? $0 >= bound : $0 <= bound } ?? true
      return DataCheck(
        measure: measure, experiment: experiment, value: value, bound: bound,
        numerator: counts?.0, denominator: counts?.1, isMet: isMet, rule: rule,
        suppression: suppression)
    }
    func share(_ part: Int, of whole: Int, in experiment: String? = nil) -> DataCheck {
      check(experiment, whole > 0 ? Double(part) / Double(whole) : nil, (part, whole))
    }
    let entered = analysis.row(.entered)?.numerator ?? 0
    let quality = analysis.tally.quality
    let sources = report.provenance.sources
    switch measure {
    case .rejects:
      return [
        share(
          report.provenance.faults, of: report.provenance.lines)
      ]
    case .damagedInputs:
      let damaged = sources.filter { !$0.problems.isEmpty }
      var check = share(damaged.count, of: sources.count)
      check.inputs = damaged.map(\.name)
      return [check]
    case .sampleRatio:
      return analysis.experiments.map { summary in
        let (p, cause) = Self.split(summary, bound)
        var found = check(summary.id, p, nil)
        found.cause = cause
        return found
      }
    case .contaminated:
      return analysis.experiments.map { share($0.contaminated, of: $0.inside, in: $0.id) }
    case .unassigned:
      return analysis.experiments.map {
        share($0.coverage.unassigned, of: $0.coverage.assigned + $0.coverage.unassigned, in: $0.id)
      }
    case .orphans: return [share(quality.orphans, of: quality.orphans + entered)]
    case .existingUsers: return [share(quality.existingUsers, of: quality.existingUsers + entered)]
    case .leftOut: return [share(quality.leftOut, of: analysis.everybody)]
    case .immature:
      return [share(analysis.row(.immature)?.numerator ?? 0, of: entered)]
    case .undeclaredPages:
      let undeclared = UndeclaredPages(quality, of: analysis.flow)
      return [share(undeclared.count, of: undeclared.viewsOfPages)]
    case .viewsWithoutPage:
      return quality.pageViews == 0
        ? [] : [share(quality.viewsWithoutPage, of: quality.pageViews)]
    case .unknownStatuses, .unknownMethods, .unknownAmounts:
      let (unknown, all) = DataConditions.unknownValues(measure, quality)
      return all > 0 || rule != nil ? [share(unknown, of: all)] : []
    }
  }

  /// How likely the split of an experiment is by chance, and what is wrong with it where that is
  /// not the split as a whole. With an exposure both splits have to be the declared one, and at all
  /// times.
  private static func split(
    _ summary: ExperimentSummary, _ bound: Double
  ) -> (p: Double?, cause: String?) {
    let whole = [summary.sampleRatio, summary.assignedRatio].compactMap { $0?.value?.pValue }.min()
    let drift = summary.splitDrift?.pValue
    let p = [whole, drift].compactMap(\.self).min()
    if summary.hasMixedAccounts { return (p, summary.doubts.first?.reason) }
    guard let drift, drift < bound, whole.map({ $0 >= bound }) ?? true else { return (p, nil) }
    let cause =
      "the shares changed from cohort to cohort, \(RateText.p(drift)), at least "
      + "\(Self.bound(bound)) is asked for"
    return (p, cause)
  }

  private static func unknownValues(
    _ measure: QualityMeasure, _ quality: QualityCounts
  ) -> (unknown: Int, all: Int) {
    let (names, all) =
      switch measure {
      case .unknownStatuses: (quality.unknownStatuses, quality.resultsOfPermission.reduce(0, +))
      case .unknownMethods: (quality.unknownMethods, quality.completions)
      default: (quality.unknownAmounts, quality.amounts)
      }
    return (names.values.reduce(0, +), all)
  }

  // MARK: Words

  static func name(_ check: DataCheck) -> String {
    let name =
      switch check.measure {
      case .rejects: "rejected lines"
      case .damagedInputs: "damaged or unreadable inputs"
      case .sampleRatio: "split as declared"
      case .contaminated: "persons with two variants"
      case .unassigned: "persons without a variant"
      case .orphans: "persons without an entry"
      case .existingUsers: "persons seen long before"
      case .leftOut: "persons whom the flow leaves out"
      case .immature: "persons still within their window"
      case .undeclaredPages: "views of undeclared pages"
      case .unknownStatuses: "permission results with an unknown status"
      case .unknownMethods: "completions with an unknown method"
      case .unknownAmounts: "amounts of goals that are no numbers"
      case .viewsWithoutPage: "page views that say no page"
      }
    return check.experiment.map { "\(name), experiment \(SafeText.name($0))" } ?? name
  }

  /// `rejected lines: 3 % (30/1,000), at most 1 % are allowed`
  package static func words(_ check: DataCheck) -> String {
    guard let value = check.value else { return "\(name(check)): nothing to measure" }
    if check.measure == .sampleRatio {
      if !check.isMet, let cause = check.cause { return "\(name(check)): \(cause)" }
      return "\(name(check)): \(RateText.p(value)), at least \(bound(check.bound)) is asked for"
    }
    let counts =
      check.numerator.flatMap { part in
        check.denominator.map { " (\(NumberText.grouped(part))/\(NumberText.grouped($0)))" }
      } ?? ""
    return "\(name(check)): \(RateText.percent(value))\(counts), at most "
      + "\(RateText.bound(check.bound)) are allowed\(inputs(check))"
  }

  /// `: 'dumps/2026-02-03.ndjson.gz'`
  private static func inputs(_ check: DataCheck) -> String {
    if check.inputs.isEmpty { return "" }
    let shown = 3
    let names = check.inputs.prefix(shown).map { "'\(SafeText.name($0, limit: 200))'" }
    let rest = check.inputs.count - names.count
    return ": " + names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func bound(_ p: Double) -> String { NumberText.format(p) ?? "–" }

  static func day(_ suppression: GateRule.Suppression) -> Int {
    CivilCalendar.dayNumber(
      year: suppression.year, month: suppression.month, day: suppression.day)
  }

  static func text(_ suppression: GateRule.Suppression) -> String {
    CivilCalendar.label(ofDay: day(suppression), unit: .day)
  }
}
