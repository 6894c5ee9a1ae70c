internal import ExperimentStatistics
internal import FlowDefinition

/// The persons of one report that are compared, and what is known of them.
struct RecordedSide {
  /// Rates that a comparison shows, in their order; those of steps and pages say where, and are
  /// left to the two reports.
  private static let compared: Set<MetricName> = [
    .completionRate, .skipRate, .abandonRate, .usedSkipRate, .permissionOptIn,
    .permissionAcceptance, .permissionReach, .goalRate, .frictionRate, .stepReach,
  ]

  let report: RecordedReport
  let slice: ComparedSlice
  let rates: [RecordedReport.Rate]
  /// Rates that somebody counts for, and that could not be measured.
  let unknown: [RecordedReport.Rate]
  private let rows: [RecordedReport.Rate: Proportion]
  private let cut: [RecordedReport.Rate: [String: [[String]: Proportion]]]
  /// By the cohort in which people started; of what the report has for each cohort.
  private let cohorts: [RecordedReport.Rate: [String: Proportion]]
  private let fingerprints: [RecordedReport.Rate: String]
  private let repeated: [RecordedReport.Rate: RecordedReport.Rate]

  /// What a difference is taken apart by.
  let dimensions: [String]
  /// By the flow's version too.
  private let takesVersions: Bool
  static let version = "version"

  /// - Parameter takesVersions: versions count as something that people came with. They are what
  ///   people met, so that a bad release would read as other people.
  init(_ report: RecordedReport, _ slice: ComparedSlice, takesVersions: Bool) {
    self.report = report
    self.slice = slice
    self.takesVersions = takesVersions
    let versions = takesVersions ? [] : report.metrics.strata?.version_dimensions ?? []
    dimensions = (report.metrics.strata?.dimensions ?? []).filter { !versions.contains($0) }
    var order: [RecordedReport.Rate] = []
    var unknown: [RecordedReport.Rate] = []
    var rows: [RecordedReport.Rate: Proportion] = [:]
    var cut: [RecordedReport.Rate: [String: [[String]: Proportion]]] = [:]
    let byVersion = takesVersions && slice == ComparedSlice()
    var cohorts: [RecordedReport.Rate: [String: Proportion]] = [:]
    for row in report.metrics.rows {
      let isVersion = byVersion && row.version != nil && row.breakdown == nil
      guard isVersion || slice.holds(row) else { continue }
      // The common cohort is of the same people again.
      let isRetention =
        row.metric.isRetention && !row.metric.isOfCommonCohort
      let isCompared = RecordedSide.compared.contains(row.metric) || isRetention
      // A rate that was not measured has counts and no value.
      guard row.knownUnit == .rate, isCompared, let trials = row.denominator else { continue }
      let name = RecordedReport.Rate(metric: row.metric, step: row.step ?? "all")
      if let cohort = row.cohort {
        if !isVersion, row.value != nil || trials == 0 {
          cohorts[name, default: [:]][cohort] = Proportion(
            successes: row.numerator ?? 0, trials: trials)
        }
        continue
      }
      if row.value == nil && trials > 0 {
        if !isVersion && row.breakdown == nil { unknown.append(name) }
        continue
      }
      let rate = Proportion(successes: row.numerator ?? 0, trials: trials)
      if isVersion, let version = row.version {
        if trials > 0 { cut[name, default: [:]][Self.version, default: [:]][[version]] = rate }
        continue
      }
      guard let breakdown = row.breakdown else {
        // The values of a goal stand in the reports.
        if row.metric == .goalRate, name.step.contains(":") { continue }
        order.append(name)
        rows[name] = rate
        continue
      }
      let parts = breakdown.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      cut[name, default: [:]][String(parts[0]), default: [:]][[String(parts[1])]] = rate
    }
    rates = order
    self.unknown = unknown
    self.rows = rows
    self.cut = cut
    self.cohorts = cohorts
    fingerprints = report.fingerprints
    repeated = report.repetitions
  }

  /// The rate that says all that this one says, by the definitions of the report's flow.
  func repeated(by name: RecordedReport.Rate) -> RecordedReport.Rate? {
    if let first = repeated[name] { return first }
    // By the first edition a skip ended the flow; its files say how a skip counts and no more.
    let isEnd =
      report.semanticsVersion < 2
      && report.choices.split(separator: " ").contains("skip=ends")
    return name.metric == .usedSkipRate && isEnd
      ? RecordedReport.Rate(metric: .skipRate, step: "all") : nil
  }

  /// The rates that are unknown here and known on another side, each quantity once.
  func unknown(butKnownOn other: RecordedSide) -> [RecordedReport.Rate] {
    unknown.filter { name in
      other.proportion(name)?.trials ?? 0 > 0
        && !(repeated(by: name).map(unknown.contains) ?? false)
    }
  }

  func proportion(_ name: RecordedReport.Rate) -> Proportion? { rows[name] }

  /// By cohort; `nil` where the report doesn't have nearly all people of a rate by cohort.
  func cohorts(_ name: RecordedReport.Rate) -> [String: Proportion]? {
    guard let found = cohorts[name], let whole = rows[name] else { return nil }
    let trials = found.values.reduce(0) { $0 + $1.trials }
    return Double(trials) >= 0.9 * Double(whole.trials) ? found : nil
  }

  func fingerprint(_ name: RecordedReport.Rate) -> String? { fingerprints[name] }

  /// Dimensions by one of which alone a difference is taken apart.
  var singleDimensions: [String] {
    takesVersions && !dimensions.contains(Self.version) ? dimensions + [Self.version] : dimensions
  }

  /// By all dimensions at once; `nil` for a variant, whose strata the file does not separate, for
  /// rates that it has none of, and where too few people are of each combination.
  package func strata(_ name: RecordedReport.Rate) -> [[String]: Proportion]? {
    strata(name, by: dimensions)
  }

  /// By one dimension: the rows of the file, or its strata where rows of small groups are left out.
  func parts(
    of name: RecordedReport.Rate, by dimension: String, of whole: Proportion
  ) -> [[String]: Proportion] {
    let rows = cut[name]?[dimension] ?? [:]
    if rows.values.reduce(0, { $0 + $1.trials }) == whole.trials { return rows }
    guard report.metrics.strata?.dimensions.contains(dimension) == true else { return rows }
    return strata(name, by: [dimension]) ?? rows
  }

  private func strata(
    _ name: RecordedReport.Rate, by dimensions: [String]
  ) -> [[String]: Proportion]? {
    guard let strata = report.metrics.strata, slice.variant == nil,
      let place = strata.rates.firstIndex(of: name),
      strata.isJoint || dimensions.count == 1
    else { return nil }
    let rows = strata.isJoint ? strata.rows : strata.rows.filter { $0.dimension == dimensions[0] }
    let kept = strata.dimensions.indices.filter { dimensions.contains(strata.dimensions[$0]) }
    var sums: [[String]: Proportion] = [:]
    for row in rows where slice.version == nil || row.version == slice.version {
      guard row.counts.count > 2 * place + 1 else { continue }
      // What the file did not keep apart has one value for all dimensions.
      let isWhole = row.values.count == strata.dimensions.count
      let values = isWhole ? kept.map { row.values[$0] } : row.values
      let old = sums[values]
      sums[values] = Proportion(
        successes: (old?.successes ?? 0) + row.counts[2 * place + 1],
        trials: (old?.trials ?? 0) + row.counts[2 * place])
    }
    return sums
  }
}
