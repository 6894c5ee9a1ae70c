internal import ExperimentStatistics
internal import FunnelEngine
internal import ReportText

extension RunComparison {
  /// Why something isn't tested, or is to be taken with care; each a whole sentence or two.
  package var notes: [String] {
    [
      unknownRates, uncountedRates, definitions, metrics, nobody, attempts, lookBacks, otherTimes,
      sameSource, otherDigests,
    ]
    .compactMap(\.self)
  }

  private var unknownRates: String? {
    named(unknownBySide, "Not compared, because they are unknown on one side: ")
  }

  /// What follows from an unknown rate may be of nobody at all, such as how many agree of those who
  /// were asked.
  private var uncountedRates: String? {
    nobody == nil
      ? named(uncountedBySide, "Not compared, because nobody counts for them on one side: ") : nil
  }

  private func named(
    _ sides: [(side: String, rates: [RecordedReport.Rate])], _ begin: String
  ) -> String? {
    func names(_ rates: [RecordedReport.Rate]) -> String {
      let shown = rates.prefix(4).map {
        "“\(SafeText.name(RecordedMetricWords.of($0.metric, step: $0.step), limit: 60))”"
      }
      let more = rates.count - shown.count
      return (shown + (more > 0 ? ["\(NumberText.grouped(more)) more"] : [])).listed
    }
    if sides.isEmpty { return nil }
    return begin + sides.map { "\($0.side), \(names($0.rates))" }.joined(separator: "; ") + "."
  }

  private var nobody: String? {
    let counted = (
      before: changes.contains { $0.before.trials > 0 },
      after: changes.contains { $0.after.trials > 0 }
    )
    guard !changes.isEmpty, !counted.before || !counted.after else { return nil }
    let side = counted.before ? "after" : "before"
    return "Nobody is counted \(side) the change, so nothing can be tested."
  }

  private var definitions: String? {
    guard before.fingerprint != after.fingerprint else { return nil }
    return "The definitions differ. Before: \(difference(before.choices, after.choices)); after: "
      + "\(difference(after.choices, before.choices))."
  }

  private var metrics: String? {
    let unlike = changes.count { !$0.isLike }
    guard unlike > 0 else { return nil }
    let (what, they) =
      unlike == 1
      ? ("1 metric is", "it is") : ("\(NumberText.grouped(unlike)) metrics are", "they are")
    return "\(what) defined differently on the two sides: \(they) marked ≠, not tested and not "
      + "taken apart."
  }

  private var attempts: String? {
    guard before.countsAttempts || after.countsAttempts else { return nil }
    return "Every attempt is counted (count: attempts). Several attempts of one person are not "
      + "independent, so nothing is tested."
  }

  private var lookBacks: String? {
    guard hasUnlikeLookBacks, let own = after.lookBack, let other = before.lookBack
    else { return nil }
    let (longer, side) = own.days > other.days ? (after, "after") : (before, "before")
    let from = longer.startsFrom.map { DaySpan.text($0 - min(own.days, other.days)) }
    let option = from.map { "--history-from \($0)" } ?? "--history-from and a date"
    return "The look-backs differ: before, the data begin \(other.beginning); after, "
      + "they begin \(own.beginning). The longer look-back finds more existing users, "
      + "so nothing is tested. Set 'history' in the flow file to what both have, or make the "
      + "report \(side) the change once more with \(option): then people who come back count as "
      + "new on both sides."
  }

  /// Where nothing is tested for another reason, times are no reason.
  private var otherTimes: String? {
    guard changes.contains(where: { $0.pAdjusted != nil }) else { return nil }
    switch times {
    case .same: return nil
    case .other:
      return "People of the two sides started at other times, and cohorts differ by more than "
        + "chance: a change is shown where it is more than that, too. Rates that reports don’t "
        + "have by cohort are taken to differ as completion does."
    case .otherUnknown:
      return "People of the two sides started at other times. How much cohorts differ isn’t known, "
        + "which takes \(PeriodComparison.fewestPeriods) cohorts or more on each side, so an "
        + "ordinary difference between two weeks can be called a change here."
    }
  }

  /// What has to be known before the verdict.
  package var caution: String? {
    isOfOneExperiment
      ? "These are two variants of one experiment: decide by the experiment's own comparison in "
        + "the report, which takes account of its correction, its split and its interim analyses. "
        + "The intervals here are those of a single analysis." : nil
  }

  private var sameSource: String? {
    guard sharedInputs > 0, !isOfOneExperiment else { return nil }
    return "Both sides read \(NumberText.grouped(sharedInputs)) of the same inputs. Intervals and "
      + "p-values take them as different people."
  }

  private var otherDigests: String? {
    let (own, other) = (digestKinds.after, digestKinds.before)
    guard !own.isEmpty, !other.isEmpty, own.isDisjoint(with: other) else { return nil }
    return "Whether both sides read the same inputs isn't known: before, they are named by "
      + "\(other.sorted().joined(separator: " and ")); after, by "
      + "\(own.sorted().joined(separator: " and ")). `firstmile report --digest sha256` names "
      + "them as reports of a store and of FirstMile 0.2 do."
  }

  /// The choices of one side that the other does not make.
  private func difference(_ own: String, _ other: String) -> String {
    let others = Set(other.split(separator: " "))
    let only = own.split(separator: " ").filter { !others.contains($0) }
    return only.isEmpty
      ? "nothing of its own" : SafeText.name(only.joined(separator: " "), limit: 300)
  }
}
