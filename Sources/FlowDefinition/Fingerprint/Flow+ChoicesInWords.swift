extension Flow {
  /// The choices that other tools make in silence, in words, for every report:
  /// `window=24h anchor=entry edge=inclusive ties=flow-order …`.
  public var choicesInWords: String {
    let skipped =
      switch skip {
      case .ends: "ends"
      case .leadsTo(let step): "leads-to:\(stepID(step))"
      }
    var words = [
      "window=\(DurationText.format(windowMilliseconds))", "anchor=entry", "edge=inclusive",
      "entry=first", "ties=flow-order", "existing_users=\(existingUsers.rawValue)",
      "identity=\(identity.rawValue)", "skip=\(skipped)", "day=\(day.rawValue)",
      "time_zone=\(timeZone)", "counts_from=\(countsFrom)", "maturity=complete-windows",
      "resume_gap=30m",
    ]
    if let newestVersion { words.append("version=\(newestVersion)") }
    for experiment in experiments {
      words.append("contaminated[\(experiment.id)]=\(experiment.contaminated.rawValue)")
    }
    if !notActivity.isEmpty {
      words.append("not_activity=\(notActivity.joined(separator: ","))")
    }
    let defaults = StatisticsSettings()
    if statistics.alpha != defaults.alpha {
      words.append("alpha=\(ScalarText.percentText(statistics.alpha))")
    }
    if statistics.correction != defaults.correction {
      words.append("correction=\(statistics.correction.rawValue)")
    }
    if statistics.rateInterval != defaults.rateInterval {
      words.append("rate_interval=\(statistics.rateInterval.rawValue)")
    }
    words.append("semantics=\(Self.semanticsVersion)")
    return words.joined(separator: " ")
  }
}
