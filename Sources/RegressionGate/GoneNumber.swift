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

  /// `nil` where there never were such people, or chance may be why nobody is there now.
  ///
  /// - Parameter ofTrials: whether those are missed of whom a rate is a share, and not those whom
  ///   it counts.
  init?(
    _ item: GateCase, _ analysis: Analysis, _ baseline: Baseline?, ofTrials: Bool = false
  ) {
    guard let people = analysis.row("persons", in: item.slice)?.numerator, people > 0 else {
      return nil
    }
    guard case .notWorse(.baseline, _) = item.rule.demand else {
      // A bound says itself how many of the people it expects.
      guard case .atLeast(let bound) = item.rule.demand, !ofTrials,
        let row = analysis.number(item.metric, step: item.step, in: item.slice),
        row.unit == .rate, let trials = row.denominator,
        GoneNumber.chance(of: bound, trials) < GoneNumber.greatestChance
      else { return nil }
      sentence =
        "The rule expects it of \(RateText.percent(bound)), and \(CountText.of(trials, "person")) "
        + "are judged: is an event no longer sent, or called otherwise?"
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

  /// How likely nobody of so many has what a share has.
  private static func chance(of share: Double, _ people: Int) -> Double {
    var chance = 1.0
    for _ in 0..<people where chance >= greatestChance { chance *= 1 - min(1, max(0, share)) }
    return chance
  }
}
