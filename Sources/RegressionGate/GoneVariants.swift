internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Nobody has a variant of an experiment any more that a rule is about, though so many people are
/// judged that some should.
///
/// Where the variant is no longer sent there is no slice to judge: the rule would be undecided for
/// good.
struct GoneVariants {
  let sentence: String

  /// `nil` where somebody has one, chance may be why nobody has, or the experiment is over for all
  /// of the judged people.
  ///
  /// - Parameter earlier: everyone in the data, and the first judged day: the people before it are
  ///   asked where the baseline knows of nobody with a variant.
  init?(
    _ item: GateCase, _ analysis: Analysis, _ baseline: Baseline?,
    earlier: (analysis: Analysis, until: Int)?
  ) {
    guard item.slice.variant != "all" || item.rule.forEach.contains("variant") else { return nil }
    let wanted = analysis.flow.experiments.filter {
      item.slice.experiment == "all" || item.slice.experiment == $0.id
    }
    for experiment in wanted {
      func assigned(_ persons: (Slice) -> Int?) -> Assigned? {
        Assigned(experiment, item.slice.version, persons)
      }
      guard let now = assigned({ analysis.row(.persons, in: $0)?.numerator }), now.having == 0
      else { continue }
      var before = assigned { baseline?.row(.persons, in: $0)?.numerator }
      var place = "In the baseline"
      if before?.having ?? 0 == 0, let earlier {
        before = assigned { GoneVariants.persons(of: $0, earlier) }
        place = "In the days before"
      }
      guard let before, before.having > 0,
        UnlikelyAbsence.holds(
          share: Double(before.having) / Double(before.people + 1), trials: now.people)
      else { continue }
      sentence =
        "None of the \(NumberText.grouped(now.people)) people is in a variant of "
        + "'\(SafeText.name(experiment.id))'. \(place) \(NumberText.grouped(before.having)) of "
        + "\(NumberText.grouped(before.people)) were: is it, or the event that shows exposure, no "
        + "longer sent, or called otherwise? If the experiment is over, give it an 'end' in the "
        + "flow file, or take the rule away."
      return
    }
    return nil
  }

  /// How many began in the weeks before the first judged day.
  private static func persons(
    of slice: Slice, _ earlier: (analysis: Analysis, until: Int)
  ) -> Int? {
    let days = (earlier.until - GoneNumber.daysBefore)..<earlier.until
    return earlier.analysis.cohorts(in: slice).reduce(0) { sum, cohort in
      guard let day = InstantReader.day(cohort), days.contains(day) else { return sum }
      var ofDay = slice
      ofDay.breakdown = BreakdownKey(dimension: BreakdownKey.cohort, value: cohort)
      return sum + (earlier.analysis.row(.persons, in: ofDay)?.numerator ?? 0)
    }
  }

  /// How many people could have a variant of an experiment, and how many have one.
  private struct Assigned {
    var people = 0
    var having = 0

    /// `nil` where it is not known how many people there are.
    init?(_ experiment: Experiment, _ version: String, _ persons: (Slice) -> Int?) {
      func count(_ variant: String) -> Int {
        persons(Slice(version: version, experiment: experiment.id, variant: variant)) ?? 0
      }
      guard let all = persons(Slice(version: version)) else { return nil }
      having = experiment.variants.reduce(0) { $0 + count($1.id) }
      people = max(having, all - count(VariantState.outside.label))
    }
  }
}
