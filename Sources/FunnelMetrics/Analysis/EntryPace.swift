internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// How many people enter an experiment in a day, by the last whole cohorts before the data end.
///
/// No clock is asked: the data's end is today.
package struct EntryPace {
  /// The days that the pace is taken from, at least, where the experiment is that old.
  static let leastDays = 28
  /// What is said of an experiment that would take longer than this.
  static let mostDays = 1096

  let perDay: Double
  /// The days that the pace is of: `16 Mar – 12 Apr 2026`.
  let dates: String
  /// The last day on which anybody joined, where at this pace somebody should have since.
  package let quietSince: String?
  /// The local day in which the data end, as days since 1970.
  let today: Int
  private let experiment: Experiment

  /// `nil` where nobody entered in the days before the data's end.
  init?(_ analysis: Analysis, experiment index: Int, horizonMilliseconds horizon: Int64) {
    experiment = analysis.flow.experiments[index]
    today = CivilCalendar(timeZone: analysis.flow.timeZone).day(of: horizon)
    let names = Set(experiment.variants.map(\.id))
    let entered = analysis.slices.layout[.entered]
    var counts: [String: Int] = [:]
    for (key, cell) in analysis.tally.cells where key.breakdown.dimension == BreakdownKey.cohort {
      let state = key.group.variants[index]
      guard state.isCounted, names.contains(state.assignedVariant ?? "") else { continue }
      counts[key.breakdown.value, default: 0] += cell[entered]
    }
    guard let first = counts.filter({ $0.value > 0 }).keys.min(),
      let pace = EntryPace.pace(counts, from: first, before: today), pace.perDay > 0
    else { return nil }
    perDay = pace.perDay
    dates = DateText.range(pace.days.lowerBound, pace.days.upperBound)
    if let last = EntryPace.lastDay(counts, analysis.tally.startDays, today: today),
      UnlikelyAbsence.holds(expected: pace.perDay * Double(today - 1 - last))
    {
      quietSince = DateText.day(last)
    } else {
      quietSince = nil
    }
  }

  /// The last day on which anybody can have joined.
  private static func lastDay(
    _ counts: [String: Int], _ starts: ClosedRange<Int>?, today: Int
  ) -> Int? {
    counts.filter { $0.value > 0 }.keys.max().flatMap { CohortDates($0) }.map {
      min($0.last, starts?.upperBound ?? $0.last, today)
    }
  }

  /// Entries a day in the last whole cohorts; the first, in which the experiment may have begun on
  /// any day, counts only where there is no other.
  private static func pace(
    _ counts: [String: Int], from first: String, before today: Int
  ) -> (perDay: Double, days: ClosedRange<Int>)? {
    let unit: EvaluationOptions.CohortUnit =
      first.contains("W") ? .week : first.utf8.count == 7 ? .month : .day
    var cohorts: [(label: String, days: Int)] = []
    let current = CivilCalendar.label(ofDay: today, unit: unit)
    var (day, total) = (today - 1, 0)
    while true {
      let label = CivilCalendar.label(ofDay: day, unit: unit)
      day -= 1
      if label == current { continue }
      guard label >= first else { break }
      if cohorts.last?.label == label {
        cohorts[cohorts.count - 1].days += 1
      } else {
        if total >= leastDays { break }
        cohorts.append((label, 1))
      }
      total += 1
    }
    if cohorts.count > 1, cohorts.last?.label == first { cohorts.removeLast() }
    let days = cohorts.reduce(0) { $0 + $1.days }
    guard days > 0 else {
      // The experiment is younger than a cohort.
      let young = max(1, daysSinceStart(today, unit))
      return counts[current].map {
        (Double($0) / Double(young), min(today, today - young)...max(today - young, today - 1))
      }
    }
    let dates = cohorts.compactMap { CohortDates($0.label) }
    guard let begin = dates.map(\.first).min(), let end = dates.map(\.last).max() else {
      return nil
    }
    return (
      Double(cohorts.reduce(0) { $0 + (counts[$1.label] ?? 0) }) / Double(days), begin...end
    )
  }

  /// The days of today's cohort so far.
  private static func daysSinceStart(_ today: Int, _ unit: EvaluationOptions.CohortUnit) -> Int {
    var days = 0
    let current = CivilCalendar.label(ofDay: today, unit: unit)
    while CivilCalendar.label(ofDay: today - days - 1, unit: unit) == current { days += 1 }
    return days
  }

  /// How many people enter some of the variants in a week, by the last declared split; `nil` where
  /// nobody does any more.
  package func perWeek(_ variants: [String]) -> Double? {
    guard quietSince == nil, let split = experiment.splits.last else { return nil }
    let whole = split.reduce(0, +)
    let part = zip(experiment.variants, split).filter { variants.contains($0.0.id) }
      .reduce(0) { $0 + $1.1 }
    return part > 0 ? 7 * perDay * part / whole : nil
  }

  /// The day on which a variant and the control have what they lack, at this pace and the last
  /// declared split; `nil` beyond ``mostDays``.
  ///
  /// People who entered already and whose window is not over count later, and those who enter on
  /// the last day too: the two make up for each other while the pace holds.
  func day(of missing: Power.SampleSize, variant: String) -> String? {
    guard quietSince == nil,
      let place = experiment.variants.firstIndex(where: { $0.id == variant }),
      let split = experiment.splits.last
    else { return nil }
    let days = Power.daysNeeded(
      for: missing, trialsPerDay: perDay, treatmentShare: split[place],
      controlShare: split[experiment.control])
    guard let days = days.value, days <= EntryPace.mostDays else { return nil }
    return DateText.wholeDay(today + days)
  }
}

extension Analysis {
  /// The pace of an experiment; `nil` where nobody enters it any more.
  ///
  /// - Parameter horizon: up to when the data are complete.
  package func pace(_ experiment: String, horizon: Int64?) -> EntryPace? {
    guard let horizon, let index = flow.experiments.firstIndex(where: { $0.id == experiment }),
      !isOver(experiment, horizon: horizon)
    else { return nil }
    return EntryPace(self, experiment: index, horizonMilliseconds: horizon)
  }

  /// Whether an experiment's declared end has come: then no more people will.
  package func isOver(_ experiment: String, horizon: Int64?) -> Bool {
    let end = flow.experiments.first { $0.id == experiment }?.endMilliseconds
    return end.map { $0 <= horizon ?? .min } ?? false
  }
}
