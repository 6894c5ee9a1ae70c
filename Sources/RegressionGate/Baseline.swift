internal import ExperimentStatistics
package import FlowDefinition
package import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// The numbers that a gate holds new ones against, and what they were counted by.
///
/// Where they come from is no matter: a file that was kept (`init(json:name:)`), a second set of
/// dumps, or the days of a store (`init(_:name:)`, from any report).
package struct Baseline: Sendable {
  /// What messages call it by: a path, or the inputs.
  package let name: String
  package let flow: String
  package let semanticsVersion: Int
  /// The choices in words, to name what differs.
  package let choices: String
  /// Up to when its data was complete; `nil` without facts.
  package let horizonMilliseconds: Int64?
  /// How far back its data know people; `nil` where it does not say.
  package let lookBack: LookBack?
  /// When its people began; `nil` where it does not say.
  package let began: DaySpan?
  /// Why its data are no measure; `nil` where they are.
  package var fault: String?
  private let fingerprints: [Name: String]
  private let metrics: Set<MetricName>
  private let rows: [Key: MetricRow]
  private let breakdownsOfSlice: [Slice: [BreakdownKey]]
  private let cohortsOfSlice: [Slice: [String]]

  struct Name: Hashable {
    var metric: MetricName
    var step: String
  }

  private struct Key: Hashable {
    var slice: Slice
    var name: Name
  }

  init(
    name: String, flow: String, semanticsVersion: Int, choices: String,
    horizonMilliseconds: Int64?, lookBack: LookBack?, began: DaySpan?,
    fingerprints: [Name: String], rows: [MetricRow]
  ) {
    self.began = began
    self.lookBack = lookBack
    self.name = name
    self.flow = flow
    self.semanticsVersion = semanticsVersion
    self.choices = choices
    self.horizonMilliseconds = horizonMilliseconds
    self.fingerprints = fingerprints
    metrics = Set(fingerprints.keys.map(\.metric))
    breakdownsOfSlice = Baseline.breakdowns(rows)
    cohortsOfSlice = Baseline.cohorts(rows)
    self.rows = Dictionary(
      rows.map { (Key(slice: $0.slice, name: Name(metric: $0.metric, step: $0.step)), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A report of other facts: a second set of dumps, or past days.
  ///
  /// - Parameter hasOwnLookBack: it knows people from other facts, so its look-back must be alike.
  package init(_ report: Report, name: String, hasOwnLookBack: Bool = true) {
    let analysis = report.analysis
    let flow = analysis.flow
    var fingerprints = MetricFingerprints(flow)
    var prints: [Name: String] = [:]
    for row in analysis.rows {
      let name = Name(metric: row.metric, step: row.step)
      if prints[name] == nil {
        prints[name] = fingerprints.fingerprint(of: row.metric, step: row.step)
      }
    }
    self.init(
      name: name, flow: flow.id, semanticsVersion: Flow.semanticsVersion,
      choices: flow.choicesInWords,
      horizonMilliseconds: report.provenance.horizonMilliseconds,
      lookBack: hasOwnLookBack ? report.provenance.lookBack : nil,
      began: analysis.daysBegun, fingerprints: prints, rows: analysis.rows)
  }

  /// Whether its people began on too few days to say how days differ.
  package var hasFewDays: Bool { (began?.count ?? 0) < DailyVariation.fewestDays }

  /// The row of a metric in a slice; `nil` where there is none.
  package func row(
    _ metric: MetricName, step: String = "all", in slice: Slice = .all
  ) -> MetricRow? {
    rows[Key(slice: slice, name: Name(metric: metric, step: step))]
  }

  /// How persons of a slice are cut, by value, in the order of their bytes; not by cohort.
  func breakdowns(in slice: Slice) -> [BreakdownKey] {
    breakdownsOfSlice[slice] ?? []
  }

  /// The cohorts of a slice that is not cut, in the order of their names.
  func cohorts(in slice: Slice) -> [String] { cohortsOfSlice[slice] ?? [] }

  private static func cohorts(_ rows: [MetricRow]) -> [Slice: [String]] {
    var found: [Slice: Set<String>] = [:]
    for row in rows where row.slice.cohort != "all" {
      found[row.slice.uncut, default: []].insert(row.slice.cohort)
    }
    return found.mapValues { ByteOrder.sorted(Array($0)) }
  }

  private static func breakdowns(_ rows: [MetricRow]) -> [Slice: [BreakdownKey]] {
    var found: [Slice: Set<BreakdownKey>] = [:]
    for row in rows where row.slice.cohort == "all" && row.slice.breakdown != .all {
      found[row.slice.uncut, default: []].insert(row.slice.breakdown)
    }
    return found.mapValues { breakdowns in
      breakdowns.sorted {
        ($0.dimension + "=" + $0.value).utf8.lexicographicallyPrecedes(
          ($1.dimension + "=" + $1.value).utf8)
      }
    }
  }

  /// Whether it has the metric at all, for whatever step.
  func knows(_ metric: MetricName) -> Bool { metrics.contains(metric) }

  /// What a metric of the baseline was counted by; `nil` where the baseline does not say.
  package func fingerprint(ofMetric metric: MetricName, step: String) -> String? {
    fingerprints[Name(metric: metric, step: step)]
  }

  /// What was counted otherwise: the choices in words that differ, or that a definition does.
  func difference(from flow: Flow) -> String {
    let before = Set(choices.split(separator: " "))
    let now = Set(flow.choicesInWords.split(separator: " "))
    let gone = ByteOrder.sorted(before.subtracting(now).map(String.init))
    let new = ByteOrder.sorted(now.subtracting(before).map(String.init))
    if gone.isEmpty && new.isEmpty { return "its definition in the flow file changed" }
    return "\(gone.isEmpty ? "nothing" : gone.joined(separator: " ")) became "
      + (new.isEmpty ? "nothing" : new.joined(separator: " "))
  }
}
