internal import Foundation

/// A `metrics.json` read back: one side of a comparison.
public struct RecordedReport: Sendable, Decodable {
  struct FlowName: Sendable, Decodable {
    var id: String
    var title: String
  }
  struct Fingerprint: Sendable, Decodable {
    var metric: String
    var step: String?
    var fingerprint: String
  }
  struct Row: Sendable, Decodable {
    var version: String?
    var experiment: String?
    var variant: String?
    var cohort: String?
    var breakdown: String?
    var metric: String
    var step: String?
    var numerator: Int?
    var denominator: Int?
    var value: Double?
    var unit: String
  }
  struct Rate: Sendable, Decodable, Hashable {
    var metric: String
    var step: String
  }
  struct Stratum: Sendable, Decodable {
    var version: String
    var values: [String]
    var counts: [Int]
  }
  struct Strata: Sendable, Decodable {
    var dimensions: [String]
    var rates: [Rate]
    var rows: [Stratum]
  }
  struct Metrics: Sendable, Decodable {
    var rows: [Row]
    /// Files of earlier versions have none.
    var strata: Strata?
  }
  struct Source: Sendable, Decodable {
    var digest: String?
  }
  struct Provenance: Sendable, Decodable {
    var sources: [Source]
  }

  static let schema = "firstmile.metrics/1"

  let schema: String
  let semanticsVersion: Int
  let flow: FlowName
  let fingerprint: String
  let choices: String
  let horizon: String?
  let metricFingerprints: [Fingerprint]
  let metrics: Metrics
  let provenance: Provenance

  enum CodingKeys: String, CodingKey {
    case schema, flow, fingerprint, choices, horizon, metrics, provenance
    case semanticsVersion = "semantics_version"
    case metricFingerprints = "metric_fingerprints"
  }

  /// Reads the bytes of a `metrics.json`.
  ///
  /// - Throws: ``RecordedReportError`` if they are something else.
  public init(bytes: [UInt8]) throws(RecordedReportError) {
    // A file of another version may lack anything else, so the version comes first.
    struct Version: Decodable { var schema: String }
    let data = Data(bytes)
    if let version = try? JSONDecoder().decode(Version.self, from: data),
      version.schema != RecordedReport.schema
    {
      throw .otherSchema(version.schema)
    }
    let found: RecordedReport
    do {
      found = try JSONDecoder().decode(RecordedReport.self, from: data)
    } catch let DecodingError.keyNotFound(key, _) {
      throw .missing(key.stringValue)
    } catch {
      throw .malformed
    }
    self = found
  }
}
