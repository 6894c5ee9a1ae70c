internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// A number that nobody has any more, though so many people are judged that some should.
///
/// An event that is renamed, or no longer sent, leaves a rule without a number. A gate that called
/// that undecided would be green for good.
struct GoneNumber {
  let sentence: String

  /// Of how many it is expected where neither a baseline nor a bound says it.
  private static let leastShare = 0.01

  /// `nil` where there never were such people, or chance may be why nobody is there now.
  ///
  /// - Parameters:
  ///   - ofTrials: whether those are missed of whom a rate is a share, not those whom it counts:
  ///     without a baseline only those who see a step that all of its people come to.
  ///   - isNoFault: whether an app may have nothing of the kind, so that only a baseline says that
  ///     it should.
  init?(
    _ item: GateCase, _ analysis: Analysis, _ baseline: Baseline?, ofTrials: Bool = false,
    isNoFault: Bool = false
  ) {
    guard let all = analysis.row(.persons, in: item.slice)?.numerator, all > 0 else {
      return nil
    }
    guard case .notWorse(.baseline, _) = item.rule.demand else {
      guard !isNoFault,
        let people = ofTrials ? GoneNumber.missing(at: item.step, item.slice, analysis) : all
      else { return nil }
      let row = analysis.number(item.metric, step: item.step, in: item.slice)
      var (share, trials) = (GoneNumber.leastShare, people)
      // A bound says itself how many of the people it expects.
      if case .atLeast(let bound) = item.rule.demand, !ofTrials, let row, row.unit == .rate {
        (share, trials) = (bound, row.denominator ?? 0)
      }
      guard UnlikelyAbsence.holds(share: share, trials: trials) else { return nil }
      sentence =
        "It is expected of at least \(RateText.percent(share)), and "
        + "\(CountText.of(trials, "person")) are judged: is an event no longer sent, or called "
        + "otherwise?"
      return
    }
    let measure = MetricCatalog.quantile(of: item.metric)?.measure.numberOfValues
    guard let baseline,
      let row = baseline.row(measure ?? item.metric, step: item.step, in: item.slice),
      let count = ofTrials && measure == nil ? row.denominator : row.numerator,
      let before = baseline.row(.persons, in: item.slice)?.numerator, before > 0,
      UnlikelyAbsence.holds(share: Double(count) / Double(before), trials: all)
    else { return nil }
    sentence =
      "In the baseline \(NumberText.grouped(count)) of \(CountText.of(before, "person")) had it: "
      + "is an event no longer sent, or called otherwise? If the app has changed, accept a new "
      + "baseline (--accept), or take the rule away."
  }

  /// The people whose list has a step that nobody may miss, where none of them saw it.
  static func missing(at step: String, _ slice: Slice, _ analysis: Analysis) -> Int? {
    let flow = analysis.flow
    guard let index = flow.stepIndex(step), !flow.steps[index].isOptional,
      flow.steps[index].branchOf == nil,
      let reach = analysis.row(.stepReach, step: step, in: slice), reach.numerator == 0,
      let listed = reach.denominator, listed > 0
    else { return nil }
    return listed
  }
}
