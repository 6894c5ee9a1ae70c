extension Flow {
  /// The choices that other tools make in silence, in words, for every report:
  /// `window=24h anchor=entry edge=inclusive ties=flow-order …`.
  public var choicesInWords: String {
    let skipped =
      switch skip {
      case .ends: neverSkips ? "never" : "ends"
      case .leadsTo(let step): "leads-to:\(stepID(step))"
      }
    let gap = newAttemptAfterMilliseconds.map(DurationText.format) ?? "never"
    var words = [
      "window=\(DurationText.format(windowMilliseconds))",
      "anchor=\(entry.map { "event:\($0.event)" } ?? "entry")", "edge=inclusive",
      "count=\(counting.rawValue)", "new_attempt_after=\(gap)", "ties=flow-order",
      "existing_users=\(existingUsers.rawValue)",
      "identity=\(identity.rawValue)", "skip=\(skipped)", "day=\(day.rawValue)",
      "time_zone=\(timeZone)", "counts_from=\(countsFrom)", "maturity=complete-windows",
      "resume_gap=30m",
    ]
    if let historyMilliseconds {
      words.append("history=\(DurationText.format(historyMilliseconds))")
    }
    if !leaveOut.isEmpty { words.append("leave_out=\(leaveOut.described)") }
    if identity == .stitched {
      words.append("stitch_within=\(DurationText.format(stitchWithinMilliseconds))")
    }
    if skipsCountFrom != countsFrom { words.append("skips_count_from=\(skipsCountFrom)") }
    if let newestVersion { words.append("version=\(newestVersion)") }
    for experiment in experiments {
      words.append("contaminated[\(experiment.id)]=\(experiment.contaminated.rawValue)")
      if let start = experiment.startMilliseconds {
        words.append("start[\(experiment.id)]=\(UTCInstant.text(start))")
      }
      if let end = experiment.endMilliseconds {
        words.append("end[\(experiment.id)]=\(UTCInstant.text(end))")
      }
      if experiment.periods.count > 1 {
        words.append("splits[\(experiment.id)]=\(experiment.periods.count)")
      }
      if let exposure = experiment.exposure {
        words.append("exposure[\(experiment.id)]=\(exposure.event)")
      }
      if let people = experiment.plannedPeople {
        words.append("planned[\(experiment.id)]=\(people)")
      }
      if let deviation = experiment.priorDeviation {
        words.append("prior[\(experiment.id)]=\(ScalarText.percentText(deviation))")
      }
      if !experiment.stratifiedBy.isEmpty {
        words.append(
          "stratify[\(experiment.id)]=\(experiment.stratifiedBy.joined(separator: ","))")
      }
      if let path = experiment.clusterPath { words.append("cluster[\(experiment.id)]=\(path)") }
    }
    if !notActivity.isEmpty {
      words.append("not_activity=\(notActivity.joined(separator: ","))")
    }
    let later = dimensions.filter(\.isKnownLater).map(\.id)
    if !later.isEmpty { words.append("known_later=\(later.joined(separator: ","))") }
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
