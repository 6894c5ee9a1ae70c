internal import FlowDefinition

/// What the intervals of an experiment are, in a sentence: those that decide.
enum IntervalWords {
  static func ofExperiments(_ flow: Flow) -> String {
    let level = RateText.bound(1 - flow.statistics.alpha)
    let family =
      switch flow.statistics.correction {
      case .holm: "adjusted for all metrics and variants (Holm, \(level) together)"
      case .benjaminiHochberg:
        "adjusted for all metrics and variants (Benjamini–Hochberg, \(level) together)"
      case .none: "at \(level), each metric by itself"
      }
    return "Intervals are \(family): a difference is shown exactly where its interval leaves out 0."
  }
}
