internal import Timelines

/// Everything counted about a flow: named integers and histograms by cell, nothing derived.
///
/// Two tallies of disjoint sets of persons add up to the tally of all of them. Files, threads,
/// days, stores and clusters make the same tally; statistics, words and charts read only this.
public struct Tally: Sendable {
  /// Which counter stands where in each array of ``cells`` and ``crossedCells``.
  public let layout: CounterLayout
  /// Counters of each cell, by `layout`.
  public internal(set) var cells: [CellKey: [Int]] = [:]
  /// Counters of the combinations of dimensions that experiments are stratified by
  /// (``DimensionCrossing``), by `layout`; no slice of a report is made of them.
  public internal(set) var crossedCells: [CellKey: [Int]] = [:]
  /// People by the accounts that experiments are compared by.
  public internal(set) var clusters: ClusterTable
  /// Persons who reached a goal by the value of its `by` property.
  public internal(set) var goalValues: [GoalValueKey: Int] = [:]
  /// What people's goals with a `value` add up to, over those in the goal's denominator.
  public internal(set) var amounts: [GoalKey: AmountSum] = [:]
  /// The amounts of goals that compare them capped, of all people of a group.
  public internal(set) var amountHistograms: [GoalGroupKey: AmountHistogram] = [:]
  /// How many events people's amounts come from, of goals that count amounts per event.
  public internal(set) var amountEvents: [GoalKey: AmountEvents] = [:]
  /// How long mature people took, in milliseconds: on steps, to finish, to reach a goal.
  public internal(set) var times: [TimeKey: TimeHistogram] = [:]
  /// When outcomes, returns and the end of the data came, in milliseconds since entry.
  public internal(set) var survival: [SurvivalKey: TimeHistogram] = [:]
  /// What people did next who dropped off, and how long after.
  public internal(set) var nextEvents: [NextEventKey: SparseTimes] = [:]
  /// People by their ways between steps, by `transitionLayout`.
  public internal(set) var transitions: [GroupKey: [Int]] = [:]
  /// Which counter stands where in each array of ``transitions``.
  public let transitionLayout: TransitionLayout
  /// Mature people by all their values at once, for lifts within strata.
  public internal(set) var strata = StrataTable()
  /// Who started with each release of the app on each day, and finished.
  public internal(set) var releaseDays: [ReleaseDay: ReleaseDay.Counts] = [:]
  /// What those who started with each version of the flow on each day did, where the flow names its
  /// newest version.
  public internal(set) var versionDays: VersionDays
  /// How many started on each day, since 1970-01-01, on which somebody did.
  public internal(set) var starts: [Int: Int] = [:]
  /// What the mature persons who started on each day, since 1970-01-01, did, by
  /// ``progressLayout``.
  public internal(set) var progress: [Int: [Int]] = [:]
  /// Which counter stands where in each array of ``progress``.
  public let progressLayout: ProgressLayout
  /// The days, since 1970-01-01, that lie wholly in the data and in the period; `nil` for none.
  public internal(set) var wholeDays: ClosedRange<Int>?
  /// What the facts show about the data's quality.
  public internal(set) var quality: QualityCounts
  /// Whether the persons are people; `nil` in the tally of a single person.
  public internal(set) var people: OddPeople?
  /// Cohorts of which some dates are not in the data or not in the period.
  public internal(set) var partialCohorts: Set<String> = []

  init(layout: CounterLayout, quality: QualityCounts) {
    self.layout = layout
    transitionLayout = TransitionLayout(stepCount: layout.stepCount)
    progressLayout = ProgressLayout(layout)
    clusters = ClusterTable(layout)
    versionDays = VersionDays(layout)
    self.quality = quality
  }

  private static func add<Key>(_ others: [Key: [Int]], to cells: inout [Key: [Int]]) {
    for (key, counts) in others {
      guard var sums = cells.removeValue(forKey: key) else {
        cells[key] = counts
        continue
      }
      for index in sums.indices { sums[index] += counts[index] }
      cells[key] = sums
    }
  }

  /// The first and the last day on which somebody started; `nil` where nobody did.
  public var startDays: ClosedRange<Int>? {
    guard let first = starts.keys.min(), let last = starts.keys.max() else { return nil }
    return first...last
  }

  /// The first day, since 1970-01-01, on which somebody started with a release of the app.
  public var firstDays: [BreakdownKey: Int] {
    Dictionary(releaseDays.keys.map { ($0.release, $0.day) }, uniquingKeysWith: min)
  }

  /// Adds the persons of another tally of the same flow.
  public mutating func merge(_ other: Tally) {
    Tally.add(other.cells, to: &cells)
    Tally.add(other.crossedCells, to: &crossedCells)
    Tally.add(other.transitions, to: &transitions)
    nextEvents.merge(other.nextEvents) { one, more in
      var sum = one
      sum.merge(more)
      return sum
    }
    clusters.merge(other.clusters)
    goalValues.merge(other.goalValues) { $0 + $1 }
    for (key, sum) in other.amounts { amounts[key, default: AmountSum()].add(sum) }
    for (key, histogram) in other.amountHistograms {
      amountHistograms[key, default: AmountHistogram()].merge(histogram)
    }
    for (key, events) in other.amountEvents {
      amountEvents[key, default: AmountEvents()].add(events)
    }
    for (key, histogram) in other.times { times[key, default: TimeHistogram()].merge(histogram) }
    for (key, histogram) in other.survival {
      survival[key, default: TimeHistogram()].merge(histogram)
    }
    strata.merge(other.strata)
    releaseDays.merge(other.releaseDays) { $0 + $1 }
    versionDays.merge(other.versionDays)
    starts.merge(other.starts) { $0 + $1 }
    Tally.add(other.progress, to: &progress)
    // Of one run, so the same in all parts of it that know their days.
    wholeDays = wholeDays ?? other.wholeDays
    quality.merge(other.quality)
    if let more = other.people {
      if people == nil { people = more } else { people?.merge(more) }
    }
    partialCohorts.formUnion(other.partialCohorts)
  }
}
