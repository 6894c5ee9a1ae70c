internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// A number that nobody has any more, though so many people are judged that some should.
///
/// An event that is renamed, or no longer sent, leaves a rule without a number. A gate that called
/// that undecided would be green for good.
struct GoneNumber {
  /// How likely it may be, if nothing has changed, that nobody of so many people has it.
  private static let greatestChance = 0.001

  let sentence: String

  /// Of how many it is expected where neither a baseline nor a bound says it.
  private static let leastShare = 0.01

  /// `nil` where there never were such people, or chance may be why nobody is there now.
  ///
  /// - Parameters:
  ///   - ofTrials: whether those are missed of whom a rate is a share, not those whom it counts.
  ///   - isNoFault: whether an app may have nothing of the kind, so that only a baseline says that
  ///     it should.
  init?(
    _ item: GateCase, _ analysis: Analysis, _ baseline: Baseline?, ofTrials: Bool = false,
    isNoFault: Bool = false
  ) {
    guard let people = analysis.row("persons", in: item.slice)?.numerator, people > 0 else {
      return nil
    }
    guard case .notWorse(.baseline, _) = item.rule.demand else {
      guard !isNoFault, !ofTrials || GoneNumber.isOfMandatoryStep(item, analysis.flow) else {
        return nil
      }
      let row = analysis.number(item.metric, step: item.step, in: item.slice)
      var (share, trials) = (GoneNumber.leastShare, people)
      // A bound says itself how many of the people it expects.
      if case .atLeast(let bound) = item.rule.demand, !ofTrials, let row, row.unit == .rate {
        (share, trials) = (bound, row.denominator ?? 0)
      }
      guard GoneNumber.chance(of: share, trials) < GoneNumber.greatestChance else { return nil }
      sentence =
        "It is expected of at least \(RateText.percent(share)), and "
        + "\(CountText.of(trials, "person")) are judged: is an event no longer sent, or called "
        + "otherwise?"
      return
    }
    let measure = MetricCatalog.quantile(of: item.metric).map { "\($0.measure)_n" }
    guard let baseline,
      let row = baseline.row(measure ?? item.metric, step: item.step, in: item.slice),
      let count = ofTrials && measure == nil ? row.denominator : row.numerator,
      let all = baseline.row("persons", in: item.slice)?.numerator, all > 0,
      GoneNumber.chance(of: Double(count) / Double(all), people) < GoneNumber.greatestChance
    else { return nil }
    sentence =
      "In the baseline \(NumberText.grouped(count)) of \(CountText.of(all, "person")) had it: is "
      + "an event no longer sent, or called otherwise? If the app has changed, accept a new "
      + "baseline (--accept), or take the rule away."
  }

  private static func isOfMandatoryStep(_ item: GateCase, _ flow: Flow) -> Bool {
    flow.stepIndex(item.step).map {
      !flow.steps[$0].isOptional && flow.steps[$0].branchOf == nil
    } ?? false
  }

  /// How likely nobody of so many has what a share has.
  private static func chance(of share: Double, _ people: Int) -> Double {
    var chance = 1.0
    for _ in 0..<people where chance >= greatestChance { chance *= 1 - min(1, max(0, share)) }
    return chance
  }
}
