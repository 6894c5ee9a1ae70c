internal import FlowDefinition

/// Why a file is no baseline.
public struct BaselineError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}

extension Baseline {
  static let schemas = [RecordedReport.baselineSchema, RecordedReport.metricsSchema]

  /// Reads what `check --accept` wrote, or the `metrics.json` of a report.
  ///
  /// - Throws: `BaselineError`, with what is wrong, for anything else.
  public init(json bytes: [UInt8], name: String) throws(BaselineError) {
    let file: RecordedReport
    do {
      file = try RecordedReport(bytes: bytes, schemas: Baseline.schemas)
    } catch {
      throw BaselineError(description: "\(name): \(Baseline.words(error))")
    }
    self.init(
      name: name, flow: file.flow.id, semanticsVersion: file.semanticsVersion,
      choices: file.choices, horizonMilliseconds: file.horizon.flatMap(InstantReader.milliseconds),
      lookBackDays: file.lookBackDays,
      fingerprints: Dictionary(
        file.metricFingerprints.map {
          (Name(metric: $0.metric, step: $0.step ?? "all"), $0.fingerprint)
        }, uniquingKeysWith: { first, _ in first }),
      rows: file.metrics.rows.map(\.metricRow))
  }

  private static func words(_ error: RecordedReportError) -> String {
    let needed = "a metrics.json is needed, or what check --accept writes"
    return switch error {
    case .notJSON: "not JSON"
    case .missing(let key):
      "no baseline: '\(SafeText.name(key, limit: 40))' is missing; \(needed)"
    case .malformed: "no baseline: \(needed)"
    case .impossibleNumber(let number):
      "no baseline: no report has the number \(number); \(needed)"
    case .otherSchema(let schema):
      "its schema is '\(SafeText.name(schema))'; allowed are "
        + schemas.joined(separator: " and ")
    }
  }
}
