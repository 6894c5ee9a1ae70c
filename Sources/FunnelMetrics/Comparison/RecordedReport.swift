package import FlowDefinition
internal import Foundation
package import FunnelEngine
internal import ReportText

/// A `metrics.json`, or the baseline that `check --accept` writes, read back: what comparisons and
/// gates hold new numbers against. It is the only reader of these files.
public struct RecordedReport: Sendable, Decodable {
  package struct FlowName: Sendable, Decodable {
    package var id: String
    package var title: String
  }
  package struct Row: Sendable, Decodable {
    package var version: String?
    package var experiment: String?
    package var variant: String?
    package var cohort: String?
    package var breakdown: String?
    package var metric: MetricName
    package var step: String?
    package var numerator: Int?
    package var denominator: Int?
    package var value: Double?
    package var ci_low: Double?
    package var ci_high: Double?
    /// Left out of a rate.
    var unit: String?

    /// What the numbers are; `nil` for one that this version does not know.
    package var knownUnit: MetricRow.Unit? {
      unit.map { MetricRow.Unit(rawValue: $0) } ?? .rate
    }
  }
  package struct Rate: Sendable, Decodable, Hashable {
    package var metric: MetricName
    package var step: String
  }
  package struct Stratum: Sendable, Decodable {
    package var version: String
    /// The one dimension that `values` is of; `nil` for all of them.
    package var dimension: String?
    package var values: [String]
    package var counts: [Int]
  }
  package struct Strata: Sendable, Decodable {
    var dimensions: [String]
    /// Those of the dimensions that are the flow's version; files of earlier versions say nothing.
    var version_dimensions: [String]?
    var rates: [Rate]
    package var rows: [Stratum]

    /// Whether rows are of all dimensions at once.
    package var isJoint: Bool { rows.allSatisfy { $0.dimension == nil } }
  }
  package struct Arm: Sendable, Decodable {
    package var variant: String
    package var title: String?
  }
  package struct Experiment: Sendable, Decodable {
    package var id: String
    package var title: String?
    package var arms: [Arm]
  }
  package struct Metrics: Sendable, Decodable {
    package var rows: [Row]
    /// Baselines have none.
    package var experiments: [Experiment]?
    /// Files of earlier versions have none.
    package var strata: Strata?
    /// Of baselines: rates of each day.
    package var by_day: [DailyRates]?
  }
  package struct Days: Sendable, Decodable {
    package var first: String
    package var last: String
  }
  package struct Source: Sendable, Decodable {
    package var digest: String?

    /// Kind and digits of the digest; until 0.2 the digits of SHA-256 stood alone.
    var namedDigest: String? { digest.map { $0.contains(":") ? $0 : "sha256:\($0)" } }
  }
  package struct Provenance: Sendable, Decodable {
    package var sources: [Source]
  }

  package let schema: String
  package let semanticsVersion: Int
  package let flow: FlowName
  package let fingerprint: String
  package let choices: String
  package let horizon: String?
  private let lookBackDays: Int?
  /// Files of earlier versions don't say.
  private let knowsEveryone: Bool?
  /// Of baselines: when their people began.
  package let began: Days?
  /// The options that change numbers, in words; baselines have none.
  package let options: [String: String]?
  /// Which definitions each number depends on.
  let metricFingerprints: [RecordedFingerprint]
  /// The rates that say what another says, since `firstmile.metrics/2`.
  let repeatedRates: [RecordedRepetition]?
  package let metrics: Metrics
  /// Baselines have none.
  package let provenance: Provenance?

  /// Hand-made files may not say it.
  package var lookBack: LookBack? {
    lookBackDays.map { LookBack(days: $0, knowsEveryone: knowsEveryone ?? false) }
  }

  enum CodingKeys: String, CodingKey {
    case schema, flow, fingerprint, choices, horizon, metrics, provenance, began, options
    case lookBackDays = "look_back_days"
    case knowsEveryone = "knows_everyone"
    case semanticsVersion = "semantics_version"
    case metricFingerprints = "metric_fingerprints"
    case repeatedRates = "repeated_rates"
  }

  /// Reads the bytes of a `metrics.json`.
  ///
  /// - Throws: ``RecordedReportError`` if they are something else.
  public init(bytes: [UInt8]) throws(RecordedReportError) {
    try self.init(bytes: bytes, schemas: RecordedReport.metricsSchemas)
    if provenance == nil { throw .missing(CodingKeys.provenance.stringValue) }
  }

  /// A report as its own file would say it.
  public init(_ report: Report) throws(RecordedReportError) {
    try self.init(bytes: MetricsJSON(report).content().bytes)
  }

  /// Reads the bytes of a `metrics.json`, or of a baseline.
  ///
  /// - Throws: ``RecordedReportError`` if they are something else.
  public init(ofReportOrBaseline bytes: [UInt8]) throws(RecordedReportError) {
    try self.init(
      bytes: bytes, schemas: RecordedReport.metricsSchemas + [RecordedReport.baselineSchema])
  }

  /// The flow whose numbers they are.
  public var flowID: String { flow.id }

  /// Its numbers are of attempts, of which one person may have several.
  var countsAttempts: Bool { choices.split(separator: " ").contains("count=attempts") }

  static let metricsSchema = "firstmile.metrics/2"
  /// Those that are read. The first wrote every fingerprint once a metric and step.
  package static let metricsSchemas = [metricsSchema, "firstmile.metrics/1"]
  package static let baselineSchema = "firstmile.baseline/1"

  /// Reads a file of one of the schemas.
  package init(bytes: [UInt8], schemas: [String]) throws(RecordedReportError) {
    // A file of another version may lack anything else, so the version comes first.
    struct Version: Decodable { var schema: String }
    let data = Data(bytes)
    if let version = try? JSONDecoder().decode(Version.self, from: data),
      !schemas.contains(version.schema)
    {
      throw .otherSchema(version.schema)
    }
    let found: RecordedReport
    do {
      found = try JSONDecoder().decode(RecordedReport.self, from: data)
    } catch DecodingError.dataCorrupted {
      throw .notJSON
    } catch let DecodingError.keyNotFound(key, _) {
      throw .missing(key.stringValue)
    } catch {
      throw .malformed
    }
    if let number = found.impossibleNumber { throw .impossibleNumber(number) }
    self = found
  }

  /// More persons than there are; the product of two such counts is still an `Int`.
  private static let persons = 0...2_000_000_000
  private static let values = -1e15...1e15

  private var impossibleNumber: String? {
    if let lookBackDays, !RecordedReport.persons.contains(lookBackDays) { return "\(lookBackDays)" }
    for row in metrics.rows {
      let counts = [row.numerator, row.denominator].compactMap { $0 }
      if let odd = counts.first(where: { !RecordedReport.persons.contains($0) }) { return "\(odd)" }
      let values = [row.value, row.ci_low, row.ci_high].compactMap { $0 }
      if let odd = values.first(where: { !RecordedReport.values.contains($0) }) { return "\(odd)" }
    }
    let daily = (metrics.by_day ?? []).lazy.flatMap(\.counts)
    if let odd = daily.first(where: { !RecordedReport.persons.contains($0) }) { return "\(odd)" }
    let counts = metrics.strata?.rows.lazy.flatMap(\.counts)
    return counts?.first { !RecordedReport.persons.contains($0) }.map { "\($0)" }
  }
}

extension RecordedReport.Row {
  /// The row as it was before it was written.
  package var metricRow: MetricRow {
    var cut = BreakdownKey.all
    if let cohort { cut = BreakdownKey(dimension: BreakdownKey.cohort, value: cohort) }
    if let breakdown, let equals = breakdown.firstIndex(of: "=") {
      cut = BreakdownKey(
        dimension: String(breakdown[..<equals]),
        value: String(breakdown[breakdown.index(after: equals)...]))
    }
    // Six digits of a rate are fewer than its counts hold.
    let exact = denominator.flatMap { denominator in
      denominator > 0 ? numerator.map { Double($0) / Double(denominator) } : nil
    }
    // A rate with counts and without a value is none.
    let isUnknown = value == nil && exact != nil
    let known = exact ?? value ?? numerator.map(Double.init)
    return MetricRow(
      slice: Slice(
        version: version ?? "all", experiment: experiment ?? "all", variant: variant ?? "all",
        breakdown: cut), metric: metric, step: step ?? "all", numerator: numerator,
      denominator: denominator, value: isUnknown ? nil : known,
      low: ci_low, high: ci_high, unit: knownUnit ?? .rate)
  }
}
