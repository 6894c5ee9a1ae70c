internal import ReportText

/// Why a file is no `metrics.json` that can be compared.
public enum RecordedReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are no JSON at all.
  case notJSON
  /// The bytes are JSON, but a value in it has another type than it must.
  case malformed
  /// A key that every report has is missing.
  case missing(String)
  /// The file names a schema that this version doesn't read.
  case otherSchema(String)
  /// A count or value that no report can have; sums and products of them would overflow.
  case impossibleNumber(String)

  /// What is wrong with the file and what to do, as a predicate: the file's name goes before it.
  public var description: String {
    switch self {
    case .notJSON: "is no metrics.json: not JSON"
    case .malformed: "is no metrics.json: not the JSON that `firstmile report --out` writes"
    case .missing(let key):
      "is no metrics.json: '\(SafeText.name(key, limit: 40))' is missing; make the report anew"
    case .impossibleNumber(let number):
      "is no metrics.json: no report has the number \(number); make the report anew"
    case .otherSchema(let schema):
      "has the schema '\(SafeText.name(schema, limit: 40))', this program reads "
        + "'\(RecordedReport.metricsSchema)': make the report anew with this version, or "
        + "compare with the version that wrote it"
    }
  }
}
