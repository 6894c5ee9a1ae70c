internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// How people were split between the variants of an experiment, in sentences for every report.
package struct SplitSentences {
  package let analysis: Analysis
  package let summary: ExperimentSummary
  private var names: ExperimentNames { analysis.names(ofExperiment: summary.id) }

  package init(analysis: Analysis, summary: ExperimentSummary) {
    self.analysis = analysis
    self.summary = summary
  }

  /// The split that is not the declared one: of the exposed, or of everybody assigned where only
  /// that one isn't.
  package var mismatch: Sentence { "\(mismatchClaim) \(mismatchNumbers)" }

  var mismatchClaim: Sentence {
    let whose = summary.isMismatchOfAssigned ? " among everyone assigned" : ""
    return "Sample-ratio mismatch in experiment \(names.title)\(whose):"
  }

  var mismatchNumbers: Sentence {
    let isOfAssigned = summary.isMismatchOfAssigned
    let arms = summary.arms.filter { $0.share != nil }
    func count(_ arm: ExperimentSummary.Arm) -> Int {
      isOfAssigned ? arm.assigned ?? 0 : arm.entered
    }
    let total = arms.reduce(0) { $0 + count($1) }
    let words = arms.map { arm -> Sentence in
      let rate = Proportion(successes: count(arm), trials: total).estimate ?? 0
      let row = datum(isOfAssigned ? .assigned : .entered, arm)
      let count = Sentence(NumberText.grouped(count(arm)), row, .numerator)
      return """
        \(names.variant(arm.variant, limit: 24)) \(RateText.percent(rate)) \
        (\(count)/\(NumberText.grouped(total))) instead of \(RateText.planned(arm.share ?? 0))
        """
    }
    let p = arms.first.flatMap { datum(isOfAssigned ? .srmPAssigned : .srmP, $0) }
    return "\(words.joined(separator: ", ")), \(p?.saidProbability ?? "").\(place)"
  }

  /// What the p-value of the split is of, where it isn't that of a single test.
  package var test: String {
    let isSequential = analysis.flow.experiments.contains {
      $0.id == summary.id && $0.isSequential
    }
    return isSequential
      ? " (valid at every check, so larger than that of a single look)" : ""
  }

  /// Among whom the split went wrong, or since when, as far as the data show it.
  private var place: String {
    if let remedy = SplitSentences.remedy(summary, analysis) { return " \(remedy)" }
    let segments = summary.mismatchedSegments
    func name(_ segment: SplitSegment) -> String {
      "\(segment.dimension) = \(SafeText.name(segment.value, limit: 40))"
    }
    if let cause = segments.first(where: \.explainsMismatch) {
      return " It is off among people with \(name(cause)) (adjusted "
        + "\(RateText.p(cause.pAdjusted))); there is no sign of it among the others."
    }
    guard let first = segments.first else { return alike }
    let others = segments.count - 1
    let more =
      others > 0 ? " and those of \(CountText.of(others, "other group"))" : ""
    return " It is off most clearly among people with \(name(first)) (adjusted "
      + "\(RateText.p(first.pAdjusted)))\(more); no single group explains it."
  }

  /// Which groups don't say where it went wrong.
  private var alike: String {
    let names = summary.alikeDimensions.map { SafeText.name($0, limit: 40) }
    return names.isEmpty
      ? ""
      : " The groups of \(names.listed) that can be compared don’t differ in it beyond chance."
  }

  /// `Nobody who started before 30 Mar 2026 has B. If the experiment began then, declare it
  /// ('start' of the experiment in the flow file).` Of a variant that was given later than others;
  /// `nil` where there is none.
  static func remedy(_ summary: ExperimentSummary, _ analysis: Analysis) -> String? {
    guard let first = summary.lateVariants.map(\.firstDay).min() else { return nil }
    let names = analysis.names(ofExperiment: summary.id)
    let late = summary.lateVariants.filter { $0.firstDay == first }
      .map { names.variant($0.variant, limit: 24) }
    let variants = late.joined(separator: " or ")
    return "Nobody who started before \(DateText.day(first)) has \(variants). If the experiment "
      + "began later than the data, declare when ('start' of the experiment in the flow file): "
      + "people of earlier days are then left out of it."
  }

  /// The remedy where there is no room for all of it.
  static let shortRemedy = "If it began late, declare its 'start' in the flow file."

  /// `1 person saw several variants. 3 people have no variant and count in everyone only.`
  package var others: String {
    let (mixed, none) = (summary.contaminated, summary.unassigned)
    let rule = analysis.flow.experiments.first { $0.id == summary.id }?.contaminated
    var words: [String] = []
    if mixed > 0 {
      let counts = rule == .first ? "the first one counts" : "left out of the comparison"
      words.append("\(ReportWords.people(mixed)) saw several variants (\(counts)).")
    }
    if none > 0 {
      let isWhole = counting(none).hasPrefix("count")
      words.append(
        "\(ReportWords.people(none)) \(none == 1 ? "has" : "have") no variant"
          + "\(isWhole ? " and" : ";") \(counting(none)).")
    }
    if words.isEmpty && summary.inside > 0 { words = ["Everyone has exactly one variant."] }
    return words.joined(separator: " ")
  }

  /// `3 of them count in everyone only, 2 joined too recently`: the numbers beside this one are of
  /// the people who are counted.
  private func counting(_ none: Int) -> String {
    let counted = WithoutVariant(analysis, experiment: summary.id)?.people ?? 0
    if counted >= none { return "\(none == 1 ? "counts" : "count") in everyone only" }
    let recent = "\(NumberText.grouped(none - counted)) joined too recently"
    return counted == 0
      ? recent
      : "\(NumberText.grouped(counted)) of them \(counted == 1 ? "counts" : "count") in everyone "
        + "only, \(recent)"
  }

  /// What the comparison leaves out: people who were assigned and not exposed, and people outside
  /// of the experiment's days. Empty where everybody with a variant is compared.
  package var leftOut: [Sentence] {
    [assigned, outside].compactMap { $0 }
  }

  private var assigned: Sentence? {
    let parts = summary.arms.filter { $0.share != nil }.compactMap { arm -> Sentence? in
      guard let assigned = datum(.assigned, arm), let rate = datum(.completionRateAssigned, arm)
      else { return nil }
      let name = names.variant(arm.variant, limit: 24)
      // Rates of all periods together would take a change of the split for an effect.
      if summary.comparisons.contains(where: \.isWithinPeriods) {
        return "\(name) \(assigned.saidCount) people"
      }
      return "\(name) \(assigned.saidCount) people, \(rate.saidRate) finish"
    }
    guard !parts.isEmpty else { return nil }
    return "Only people who were exposed are compared. Everybody assigned: "
      + parts.joined(separator: "; ") + "."
  }

  private var outside: Sentence? {
    guard summary.outside > 0 else { return nil }
    let slice = Slice(experiment: summary.id, variant: VariantState.outside.label)
    let count = Sentence(
      NumberText.grouped(summary.outside), analysis.datum(.outsideExperiment, in: slice),
      .numerator)
    return "\(count) people entered before the experiment began or after it ended."
  }

  private func datum(_ metric: MetricName, _ arm: ExperimentSummary.Arm) -> Datum? {
    analysis.datum(metric, in: Slice(experiment: summary.id, variant: arm.variant))
  }
}
