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
  /// - Parameter earlier: of everyone in the data, where there is no baseline that knows.
  init?(_ item: GateCase, _ analysis: Analysis, _ baseline: Baseline?, earlier: Analysis?) {
    guard item.slice.variant != "all" || item.rule.forEach.contains("variant") else { return nil }
    let wanted = analysis.flow.experiments.filter {
      item.slice.experiment == "all" || item.slice.experiment == $0.id
    }
    for experiment in wanted {
      let now = Assigned(experiment, item.slice.version) { analysis.row(.persons, in: $0) }
      if now.having > 0 { continue }
      var before = Assigned(experiment, item.slice.version) {
        baseline?.row(.persons, in: $0)
      }
      var place = "In the baseline"
      if before.having == 0, let earlier {
        before = Assigned(experiment, item.slice.version) { earlier.row(.persons, in: $0) }
        place = "In all of the data"
      }
      guard before.having > 0,
        UnlikelyAbsence.holds(
          share: Double(before.having) / Double(before.people), trials: now.people)
      else { continue }
      sentence =
        "None of the \(NumberText.grouped(now.people)) people has a variant of "
        + "'\(SafeText.name(experiment.id))'. \(place) \(NumberText.grouped(before.having)) of "
        + "\(NumberText.grouped(before.people)) had: is it no longer sent, or called otherwise? "
        + "If the experiment is over, give it an 'end' in the flow file, or take the rule away."
      return
    }
    return nil
  }

  /// How many people could have a variant of an experiment, and how many have one.
  private struct Assigned {
    var people = 0
    var having = 0

    init(_ experiment: Experiment, _ version: String, _ persons: (Slice) -> MetricRow?) {
      func count(_ variant: String) -> Int {
        persons(Slice(version: version, experiment: experiment.id, variant: variant))?.numerator
          ?? 0
      }
      having = experiment.variants.reduce(0) { $0 + count($1.id) }
      let all = persons(Slice(version: version))?.numerator ?? 0
      people = max(having, all - count(VariantState.outside.label))
    }
  }
}
