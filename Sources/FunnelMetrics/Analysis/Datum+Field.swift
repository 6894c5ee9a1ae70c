extension Datum {
  /// The fields of a row by their names in `metrics.json`.
  package enum Field: String {
    case value, numerator, denominator
    case low = "ci_low"
    case high = "ci_high"
  }
}
