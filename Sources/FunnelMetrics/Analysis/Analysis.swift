public import FlowDefinition
public import FunnelEngine
internal import ReportText

/// Tally × statistics: everything a report can say about one flow, computed once.
///
/// Renderers read this value and compute nothing.
public struct Analysis: Sendable {
  /// The flow that the people were counted by.
  public let flow: Flow
  /// The counts that everything here is computed from.
  public let tally: Tally
  /// Counters by slice; `slices.layout` names them.
  public let slices: SliceTable
  /// The tidy table: every number of every slice in a fixed order.
  public let rows: [MetricRow]
  /// Each experiment of the flow with its comparisons, in the flow's order.
  public let experiments: [ExperimentSummary]
  /// Retention of finishers against skippers, by slice; empty unless skipping ends the flow.
  public let observationalLifts: [ObservationalLift]
  /// Durations of each variant against its control.
  public let durations: [DurationComparison]
  /// Shares of all who entered to whom something happened by a time.
  public let curves: [CurvePoint]
  /// What the data cannot know.
  public let unmeasured: Unmeasured
  /// Rates that mislead because the variant changed who finishes.
  public let honesty: [SurvivorshipCheck]
  /// Time histograms by slice (not cut, or cut by `used_skip`) and measure.
  public let times: [Slice: [TimeMeasure: TimeHistogram]]
  /// The sums that must hold (definitions 7), checked in every slice.
  public let identities: [IdentityCheck]
  package let expectedTotals: ExpectedTotals
  /// Dates on which people must have started whose events are missing.
  package let missingStarts: [MissingStarts.Day]
  /// Dates of whose people nobody is seen to finish, to view a step or to answer a permission. That
  /// nobody finishes any more with a release is said of the release.
  package private(set) var stoppedEvents: [StoppedEvents.Run]
  /// Days, since 1970-01-01, of whose people some events are missing; a report knows of days that
  /// are missing altogether. Starts that end with the data are no gap in them.
  package private(set) var daysWithGaps: Set<Int> = []
  /// What people did next who dropped off, by slice and step.
  let nextEventNames: [Slice: [String: [String]]]
  /// Which of the rows stand in files.
  package private(set) var recorded: RecordedRows
  private let index: RowIndex
  /// What is concluded from all of it.
  package private(set) var conclusions = Conclusions()

  /// Computes everything at once, on one thread.
  public init(of tally: Tally, _ flow: Flow) {
    let slices = SliceTable(tally, flow)
    let times = TimeRows.histograms(tally, flow)
    self.init(
      tally, slices, times,
      metrics: MetricRows(table: slices, tally: tally, times: times).build(),
      curves: SurvivalAnalysis(tally: tally, table: slices).points(),
      durations: DurationAnalysis(flow: flow, times: times).comparisons())
  }

  /// Analyses a tally on several threads: the parts that take longest run at the same time.
  public static func of(_ tally: Tally, _ flow: Flow, threads: Int) async -> Analysis {
    if threads <= 1 { return Analysis(of: tally, flow) }
    let slices = SliceTable(tally, flow)
    async let curves = SurvivalAnalysis(tally: tally, table: slices).points()
    let times = TimeRows.histograms(tally, flow)
    async let durations = DurationAnalysis(flow: flow, times: times).comparisons()
    let metrics = MetricRows(table: slices, tally: tally, times: times).build()
    return Analysis(
      tally, slices, times, metrics: metrics, curves: await curves, durations: await durations)
  }

  private init(
    _ tally: Tally, _ slices: SliceTable, _ times: [Slice: [TimeMeasure: TimeHistogram]],
    metrics: consuming [MetricRow], curves: [CurvePoint], durations: [DurationComparison]
  ) {
    flow = slices.flow
    self.tally = tally
    self.slices = slices
    self.curves = curves
    unmeasured = Unmeasured(slices, tally.quality)
    expectedTotals = ExpectedTotals(tally, slices)
    missingStarts = MissingStarts.days(tally)
    stoppedEvents = StoppedEvents.all(tally, flow)
    experiments = ExperimentAnalysis(table: slices, tally: tally).summaries()
    observationalLifts = ObservationalAnalysis(table: slices, tally: tally).lifts()
    honesty = SurvivorshipCheck.all(experiments, slices)
    self.times = times
    self.durations = durations
    // In the memory that the metrics have: there are many.
    metrics += ComparisonRows.build(experiments, observationalLifts)
    metrics += ComparisonRows.build(durations, curves)
    metrics += TransitionRows(table: slices, tally: tally).differences(unmeasured)
    rows = metrics
    nextEventNames = Analysis.nextEventNames(rows)
    identities = IdentityCheck.all(slices)
    index = RowIndex(rows)
    recorded = RecordedRows([], slices, headlines: [], all: true)
    recorded = RecordedRows(rows, slices, headlines: headlines, all: false)
    findGaps()
  }

  private mutating func findGaps() {
    let broken = ReleaseChange.all(self).filter {
      $0.isWithoutCompletions || $0.blockingStep != nil
    }.compactMap { tally.firstDays[$0.release.breakdown] }
    stoppedEvents.removeAll { run in
      run.event == .completion && broken.contains { abs($0 - run.days.lowerBound) <= 7 }
    }
    daysWithGaps = Set(stoppedEvents.flatMap { $0.event.isOfStep ? [] : Array($0.days) })
    for day in MissingStarts.ended(missingStarts, tally).map(\.day) {
      daysWithGaps.formUnion(day - flow.daysOfWindow...day)
    }
  }

  /// Has the files of a report hold every number of every slice, however few people are in it.
  public mutating func recordAllSlices() {
    recorded = RecordedRows(rows, slices, headlines: headlines, all: true)
    conclusions = Conclusions()
  }

  /// Says on which dates hardly anybody has events: of who started then, or was in the window of an
  /// attempt, some are missing.
  ///
  /// - Parameter dates: in UTC, as `2026-01-31`.
  package mutating func addMissingDays(_ dates: [String]) {
    let calendar = CivilCalendar(timeZone: flow.timeZone)
    let dayMilliseconds: Int64 = 86_400_000
    for day in dates.compactMap({ InstantReader.day($0) }) {
      let start = Int64(day) * dayMilliseconds
      let first = calendar.day(of: start) - flow.daysOfWindow
      daysWithGaps.formUnion(first...calendar.day(of: start + dayMilliseconds - 1))
    }
    conclusions = Conclusions()
  }

  /// The rows that stand in `metrics.csv` and `metrics.json`, in their order.
  public var recordedRows: [MetricRow] {
    recorded.omitted == 0
      ? rows : rows.indices.filter { recorded.place(of: $0) != nil }.map { rows[$0] }
  }

  /// The rows that stand in some table: those above, and those that are left to a table of theirs.
  package var rowsForReaders: [MetricRow] {
    rows.indices.filter { recorded.isForReaders($0) }.map { rows[$0] }
  }

  /// The slices of which at least so much stands in files, in the order of output.
  package func recordedSlices(_ depth: RecordedRows.Depth) -> [Slice] {
    slices.slices.filter { recorded.depth(of: $0) >= depth }
  }

  /// The row of a metric in a slice with its place in the files; `nil` where there is none.
  public func datum(
    _ metric: MetricName, step: String = "all", in slice: Slice = .all
  ) -> Datum? {
    index.place(metric, step: step, in: slice).map {
      Datum(index: recorded.place(of: $0), row: rows[$0])
    }
  }

  /// The row of a metric in a slice; `nil` where there is none.
  public func row(
    _ metric: MetricName, step: String = "all", in slice: Slice = .all
  ) -> MetricRow? {
    index.place(metric, step: step, in: slice).map { rows[$0] }
  }
}

extension Flow {
  /// On how many days before a day people may have started whose window lies in it; of a long
  /// window the first week matters.
  fileprivate var daysOfWindow: Int {
    let dayMilliseconds: Int64 = 86_400_000
    return min(7, Int((windowMilliseconds + dayMilliseconds - 1) / dayMilliseconds))
  }
}
