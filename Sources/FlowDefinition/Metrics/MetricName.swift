/// The name of a metric in docs/metrics.md: what stands in the `metric` column of `metrics.csv`.
///
/// Names that the rules give are constants and functions here, so that a wrong one doesn't compile.
/// Names from files are only text until `MetricCatalog` knows them.
public struct MetricName: RawRepresentable, Sendable, Hashable {
  /// The name as files have it.
  public let rawValue: String

  /// A name from a file, whether or not there is such a metric.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension MetricName: CustomStringConvertible {
  /// The name as files have it.
  public var description: String { rawValue }
}

extension MetricName: Comparable {
  /// In the order of the names' UTF-8 bytes.
  public static func < (left: MetricName, right: MetricName) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}

/// A plain string, and where numbers are kept by their names the key of an object.
extension MetricName: Codable, CodingKeyRepresentable {}
