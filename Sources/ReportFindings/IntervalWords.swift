package import FlowDefinition
internal import ReportText

/// What the intervals of an experiment are, in a sentence: those that decide.
package enum IntervalWords {
  package static func ofExperiments(_ flow: Flow) -> String {
    let level = RateText.bound(1 - flow.statistics.alpha)
    let family =
      switch flow.statistics.correction {
      case .holm, .benjaminiHochberg:
        "adjusted for all metrics and variants together (\(level))"
      case .none: "at \(level), each metric by itself"
      }
    let plan =
      flow.experiments.contains { $0.plan != nil }
      ? " A primary metric is decided by itself and the secondary ones among themselves; a "
        + "guardrail holds where the interval of its lift leaves out a loss of its margin." : ""
    return "Intervals are \(family): if one includes 0, the difference could be chance.\(plan)"
  }
}
