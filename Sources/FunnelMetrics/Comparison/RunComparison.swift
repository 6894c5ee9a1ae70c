public import ExperimentStatistics
public import FlowDefinition
internal import FunnelEngine

/// Two reports side by side: what changed, and how much of it is who came.
public struct RunComparison: Sendable {
  /// One rate on both sides.
  public struct Change: Sendable {
    /// The rate's name, as in `metrics.csv`.
    public var metric: MetricName
    /// The step, goal or permission; `all` where the rate has none.
    public var step: String
    /// The rate of the first report, as its counts.
    public var before: Proportion
    /// The rate of the second report, as its counts.
    public var after: Proportion
    /// After − before, at the level that decides: it leaves out 0 exactly where the adjusted p is
    /// under 5 %. Of what is not tested it is at 95 %.
    public var difference: Estimate<EstimateWithInterval>
    /// Two-sided; the score test, or where people started at other times the one of
    /// ``PeriodComparison``. `nil` where nothing is tested, as with unlike look-backs.
    public var p: Double?
    /// How much cohorts differ, where that is tested.
    var periods: PeriodComparison?
    /// Adjusted (Holm) over all changes that are tested; `nil` of those that are not.
    public var pAdjusted: Double?
    /// Both sides mean the same by it.
    public var isLike: Bool

    fileprivate func difference(level: Double) -> Estimate<EstimateWithInterval> {
      periods?.difference(level: level)
        ?? ProportionComparison(treatment: after, control: before).difference(level: level)
    }
  }

  /// The chance of a false alarm among all changes.
  package static let alpha = 0.05

  /// The first report, usually the earlier one.
  public let before: RecordedReport
  /// The second report.
  public let after: RecordedReport
  /// Which persons of each report are compared.
  public let slices: (before: ComparedSlice, after: ComparedSlice)
  /// The rates that both sides have, in the second report's order.
  public let changes: [Change]
  /// The rates that are unknown on one side and known on the other.
  package let unknown: (before: [RecordedReport.Rate], after: [RecordedReport.Rate])
  var unknownBySide: [(side: String, rates: [RecordedReport.Rate])] {
    [("before", unknown.before), ("after", unknown.after)].filter { !$0.1.isEmpty }
  }
  /// The rates that nobody counts for on one side, and somebody on the other.
  var uncountedBySide: [(side: String, rates: [RecordedReport.Rate])] {
    func rates(_ isEmpty: (Change) -> Bool) -> [RecordedReport.Rate] {
      changes.filter(isEmpty).map { RecordedReport.Rate(metric: $0.metric, step: $0.step) }
    }
    let before = rates { $0.before.trials == 0 }
    let after = rates { $0.after.trials == 0 }
    return [("before", before), ("after", after)].filter { !$0.1.isEmpty }
  }
  /// For each change that can be taken apart: by everything at once first, then by dimension.
  public let causes: [[MixAndRate]]
  /// Inputs that both sides have read, as far as both name them by the same kind of digest.
  public let sharedInputs: Int
  /// Whether people of the two sides started at other times, and what is known of these.
  let times: Times
  /// Of the digests of each side's inputs.
  let digestKinds: (before: Set<Substring>, after: Set<Substring>)

  /// The sides are two variants of one experiment in the same run.
  public var isOfOneExperiment: Bool {
    let (one, other) = slices
    return one.variant != nil && other.variant != nil && one.variant != other.variant
      && one.experiment == other.experiment && sharedInputs > 0
      && before.fingerprint == after.fingerprint
  }

  /// One side knew people longer before they entered, and found more existing users.
  public var hasUnlikeLookBacks: Bool {
    !before.lookBack.isAlike(after.lookBack)
  }

  /// The two sides mean the same by nothing that could be compared.
  public var isUnlike: Bool { !changes.isEmpty && changes.allSatisfy { !$0.isLike } }

  /// - Parameters:
  ///   - takesVersions: differences are taken apart by the flow's version too.
  ///   - areOtherPeriods: both are of one dump, and hardly anybody counts in both.
  public init(
    _ before: RecordedReport, _ after: RecordedReport, sliceBefore: ComparedSlice = .init(),
    sliceAfter: ComparedSlice = .init(), takesVersions: Bool = false,
    areOtherPeriods: Bool = false
  ) {
    self.before = before
    self.after = after
    slices = (sliceBefore, sliceAfter)
    let sides = (
      RecordedSide(before, sliceBefore, takesVersions: takesVersions),
      RecordedSide(after, sliceAfter, takesVersions: takesVersions)
    )
    let haveOtherPeople =
      areOtherPeriods || before.endsBefore(after) || after.endsBefore(before)
    let cohorts = CohortDifferences(sides.0, sides.1, areOtherPeriods: haveOtherPeople)
    times = cohorts.times
    var changes = RunComparison.changes(sides.0, sides.1, cohorts)
    if before.countsAttempts || after.countsAttempts
      || !before.lookBack.isAlike(after.lookBack)
    {
      for index in changes.indices { changes[index].p = nil }
    }
    let tested = changes.indices.filter { changes[$0].isLike && changes[$0].p != nil }
    let pValues = tested.map { changes[$0].p ?? 1 }
    let adjusted = MultipleTesting.holm.adjust(pValues)
    let alphas = MultipleTesting.holm.intervalAlphas(pValues, alpha: RunComparison.alpha)
    for (place, index) in tested.enumerated() {
      changes[index].pAdjusted = adjusted[place]
      changes[index].difference = changes[index].difference(level: 1 - alphas[place])
    }
    self.changes = changes
    unknown = (sides.0.unknown(butKnownOn: sides.1), sides.1.unknown(butKnownOn: sides.0))
    causes = changes.map { change in
      change.isLike ? RunComparison.causes(change, sides.0, sides.1) : []
    }
    let digests = (Self.digests(before), Self.digests(after))
    let known = Set(digests.0)
    sharedInputs = haveOtherPeople ? 0 : digests.1.count(where: known.contains)
    digestKinds = (Self.kinds(digests.0), Self.kinds(digests.1))
  }

  private static func digests(_ report: RecordedReport) -> [String] {
    (report.provenance?.sources ?? []).compactMap(\.namedDigest)
  }

  private static func kinds(_ digests: [String]) -> Set<Substring> {
    Set(digests.map { $0.prefix { $0 != ":" } })
  }

  /// The rates that both sides have, in the order of the second; each quantity once.
  private static func changes(
    _ before: RecordedSide, _ after: RecordedSide, _ cohorts: CohortDifferences
  ) -> [Change] {
    after.rates.compactMap { name in
      guard let own = before.proportion(name), let other = after.proportion(name),
        own.trials > 0 || other.trials > 0
      else { return nil }
      if let first = after.repeated(by: name), before.repeated(by: name) == first,
        before.proportion(first) != nil, after.proportion(first) != nil
      {
        return nil
      }
      // An app may have no way to skip.
      let isOfSkipping = [.skipRate, .usedSkipRate].contains(name.metric)
      if isOfSkipping, own.successes + other.successes == 0 { return nil }
      let pair = ProportionComparison(treatment: other, control: own)
      let periods = cohorts.comparison(name, of: pair)
      let p = periods.map(\.twoSidedP) ?? pair.scoreTest().value?.twoSidedP
      return Change(
        metric: name.metric, step: name.step, before: own, after: other,
        difference: periods?.difference(level: 0.95) ?? pair.difference(), p: p,
        periods: periods, pAdjusted: nil,
        isLike: before.fingerprint(name) != nil
          && before.fingerprint(name) == after.fingerprint(name))
    }
  }

  private static func causes(
    _ change: Change, _ before: RecordedSide, _ after: RecordedSide
  ) -> [MixAndRate] {
    let name = RecordedReport.Rate(metric: change.metric, step: change.step)
    var found: [MixAndRate] = []
    // Values that the two sides know must hold all persons, or the parts don't add up.
    func isWhole(_ own: [[String]: Proportion], _ other: [[String]: Proportion]) -> Bool {
      own.values.reduce(0) { $0 + $1.trials } == change.before.trials
        && other.values.reduce(0) { $0 + $1.trials } == change.after.trials
    }
    if let own = before.strata(name), let other = after.strata(name), isWhole(own, other),
      before.dimensions == after.dimensions, before.dimensions.count > 1,
      let all = MixAndRate(joined(own, other), dimensions: before.dimensions)
    {
      found.append(all)
    }
    for dimension in before.singleDimensions
    where after.singleDimensions.contains(dimension) {
      let own = before.parts(of: name, by: dimension, of: change.before)
      let other = after.parts(of: name, by: dimension, of: change.after)
      guard isWhole(own, other),
        let one = MixAndRate(joined(own, other), dimensions: [dimension])
      else { continue }
      found.append(one)
    }
    return found
  }

  private static func joined(
    _ before: [[String]: Proportion], _ after: [[String]: Proportion]
  ) -> [MixAndRate.Stratum] {
    let none = Proportion(successes: 0, trials: 0)
    return Set(before.keys).union(after.keys).map {
      MixAndRate.Stratum(values: $0, before: before[$0] ?? none, after: after[$0] ?? none)
    }
  }
}
