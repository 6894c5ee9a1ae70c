internal import FlowDefinition
internal import FunnelEngine

/// Which rows of an analysis stand in the files of a report.
///
/// Every slice has hundreds of numbers, and dimensions × cohorts × variants make hundreds of slices
/// of a few people each, whose rates could be anything. So the files have every number of the
/// slices that are not cut (save what `isLeftToTables`), and of the others what a reader can use
/// (`docs/metrics.md`, "What the files leave out"). All rows stay in the analysis, where targets
/// and gates look them up.
package struct RecordedRows: Sendable {
  /// How much of a slice is recorded.
  package enum Depth: Int, Sendable, Comparable {
    /// Nothing: too few people, or nobody at all.
    case nothing
    /// The completion of groups of a variant, by which two variants are taken apart.
    case completion
    /// The rates that are shown over time.
    case headlines
    /// People, outcomes, permissions and retention.
    case answers
    /// Goals, friction, and how far people got, too.
    case main
    case everything

    package static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
  }

  /// A rate of fewer people may be ten points off and more.
  package static let fewestPeople = 100
  /// The steps, goals and times of fewer people within a dimension: a rate of them may be five
  /// points off and more, and there are dozens of them for each value.
  static let fewestForDetails = 400

  /// The place of each row among those that are recorded, or why it has none.
  private let places: [Int32]
  private static let isLeftOut: Int32 = -1
  private static let hasTable: Int32 = -2
  package let count: Int
  /// Slices of which some rows are not recorded.
  let shortenedSlices: Int
  private let depths: [Slice: Depth]
  /// Asked for with `--all-slices`, so that nothing is left out for being of few people.
  let isWhole: Bool

  package init(_ rows: [MetricRow], _ slices: SliceTable, headlines: [HeadlineRate], all: Bool) {
    var needs = Needs(headlines)
    var depths: [Slice: Depth] = [:]
    let hasSkips = all || slices.hasSkips
    for slice in slices.slices {
      let isOfSkips = !hasSkips && slice.breakdown.isOfSkips
      depths[slice] =
        all ? .everything : isOfSkips ? .nothing : RecordedRows.depth(of: slice, slices)
    }
    var places: [Int32] = []
    places.reserveCapacity(rows.count)
    var next: Int32 = 0
    var shortened = 0
    var slice = Slice.all
    var depth = Depth.everything
    var isShortened = false
    for index in rows.indices {
      if rows[index].slice != slice {
        slice = rows[index].slice
        depth = depths[slice] ?? .everything
        isShortened = false
      }
      let isDeep = needs.depth(rows[index]) <= depth
      let isKept = (all || isDeep) && (hasSkips || !RecordedRows.isOfSkips(rows[index]))
      if isKept, all || !RecordedRows.isLeftToTables(rows[index]) {
        places.append(next)
        next += 1
      } else {
        if !isShortened { shortened += 1 }
        isShortened = true
        places.append(isKept ? RecordedRows.hasTable : RecordedRows.isLeftOut)
      }
    }
    isWhole = all
    self.places = places
    self.depths = depths
    count = Int(next)
    shortenedSlices = shortened
  }

  /// How many rows are not recorded.
  package var omitted: Int { places.count - count }

  /// The place among the recorded rows; `nil` for a row that is not recorded.
  package func place(of row: Int) -> Int? {
    guard places.indices.contains(row), places[row] >= 0 else { return nil }
    return Int(places[row])
  }

  /// Whether a row is for readers: it is recorded, or left to the table that has it.
  package func isForReaders(_ row: Int) -> Bool {
    places.indices.contains(row) && places[row] != RecordedRows.isLeftOut
  }

  package func depth(of slice: Slice) -> Depth { depths[slice] ?? .everything }

  private static func depth(of slice: Slice, _ slices: SliceTable) -> Depth {
    if slice.breakdown == .all { return slice.isOutsideExperiment ? .main : .everything }
    let people = slices.count(slice, slices.layout[.entered])
    if people == 0 { return .nothing }
    let isCohort = slice.breakdown.dimension == BreakdownKey.cohort
    if slice.uncut == .all {
      // What people did, and when they came, is on the page in full.
      if isCohort || slice.breakdown.isOfOutcome {
        return people >= fewestPeople ? .main : .answers
      }
      return people >= fewestForDetails ? .main : people >= fewestPeople ? .answers : .headlines
    }
    if isCohort { return people >= fewestPeople ? .headlines : .nothing }
    // The strata have the people of a version by their dimensions.
    let isOfVariant = slice.experiment != "all" && !slice.isOutsideExperiment
    return isOfVariant && !slice.breakdown.isOfOutcome ? .completion : .nothing
  }

  /// What a table of its own has for every version and variant: the rows have it for everyone only.
  /// Neither the page nor `compare` reads more of it, but for the differences between variants,
  /// which are rows of their own, and what people of a variant chose at a goal.
  private static func isLeftToTables(_ row: MetricRow) -> Bool {
    if row.slice == .all { return isFurtherPercentile(row.metric) }
    switch row.metric {
    case NextEventRows.metric, NextEventRows.median, .stepTransition, .stepReturn,
      .returnedBy, .incidenceAbandoned, .incidenceSkipped:
      return true
    // What the what-if of a version is reckoned from.
    case .stepCompletion: return row.slice.variant != "all"
    case .goalRate: return row.slice.variant == "all" && row.step.contains(":")
    case .goalRateOverall, .funnelStep, .incidenceFinished:
      return row.slice.variant == "all"
    default: return times.contains { row.metric.isNumber(of: $0) }
    }
  }

  private static let times: [MetricName] = [.timeOnStep, .timeToMoveOn, .timeToGoal]

  /// Of the times on steps everyone's rows have the median and the 90th percentile.
  private static func isFurtherPercentile(_ metric: MetricName) -> Bool {
    times.dropLast().contains { time in
      [75, 95, 99].contains { metric == time.percentile($0) }
    }
  }

  /// The rates of skips themselves.
  static let skipRates: Set<MetricName> = [.skipRate, .usedSkipRate]

  /// Whether a row is of nothing where nobody skips. The rates themselves stay, of everyone, each
  /// version and each variant: a gate may watch that they stay 0.
  private static func isOfSkips(_ row: MetricRow) -> Bool {
    if skipRates.contains(row.metric) { return row.slice.breakdown != .all }
    return skipRates.contains(row.metric.comparedNumber ?? row.metric)
      || ofSkips.contains(row.metric)
  }

  private static let ofSkips: Set<MetricName> = [
    .finishedAfterSkipping, .skipped, .stepLeftSkipping, .skipShare, .incidenceSkipped,
  ]

  private static let answers: Set<MetricName> = [
    .entered, .immature, .skipRate, .abandonRate, .usedSkipRate,
    .permissionOptIn, .permissionAcceptance, .permissionReach,
  ]

  private static let main: Set<MetricName> = [
    .finished, .finishedAfterSkipping, .skipped, .abandoned, .frictionRate, .stepReach,
    .stepDropOff,
  ]

  /// From which depth on rows are recorded; asked of each metric once, for there are many rows.
  private struct Needs {
    typealias Need = (usual: Depth, headlineSteps: [String])
    private let headlineSteps: [MetricName: [String]]
    private var known: [MetricName: Need] = [:]

    init(_ headlines: [HeadlineRate]) {
      headlineSteps = Dictionary(grouping: headlines, by: \.metric).mapValues { $0.map(\.step) }
    }

    mutating func depth(_ row: MetricRow) -> Depth {
      let need = need(of: row.metric)
      if need.headlineSteps.contains(row.step) { return min(need.usual, .headlines) }
      // What is after the colon is a goal's value: each event has its own.
      return row.metric == .goalRate && row.step.contains(":") ? .everything : need.usual
    }

    private mutating func need(of metric: MetricName) -> Need {
      if let known = known[metric] { return known }
      let need = (RecordedRows.needed(metric), headlineSteps[metric] ?? [])
      known[metric] = need
      return need
    }
  }

  /// From which depth on a metric's rows are recorded, unless they are headlines.
  private static func needed(_ metric: MetricName) -> Depth {
    if metric == .completionRate { return .completion }
    if metric == .persons { return .headlines }
    if answers.contains(metric) { return .answers }
    if metric.isRetention {
      return metric.isOfCommonCohort || metric.isOverall ? .everything : .answers
    }
    if metric == .goalRate { return .main }
    return main.contains(metric) || metric.isNumber(of: .timeToComplete) ? .main : .everything
  }
}
