/// The ways a line can be broken, by the reason a reader must give.
enum BrokenLine: UInt16, CaseIterable {
  case malformedJSON, notAnObject, invalidUTF8, missingEvent, missingTimestamp, badTimestamp
  case timestampOutOfRange, missingId

  var reason: String {
    switch self {
    case .malformedJSON: "malformed_json"
    case .notAnObject: "not_an_object"
    case .invalidUTF8: "invalid_utf8"
    case .missingEvent: "missing_event"
    case .missingTimestamp: "missing_timestamp"
    case .badTimestamp: "bad_timestamp"
    case .timestampOutOfRange: "timestamp_out_of_range"
    case .missingId: "missing_id"
    }
  }

  /// Whole lines that are no object, or no JSON at all.
  static let notObjects = ["[]", "\"ok\"", "42", "null", "[\"app_opened\"]"]
  static let notJSON = [
    "upstream connect error or disconnect/reset before headers", "{\"event\":app_opened}",
    "{\"event\":\"app_opened\",}", "<html><body>503</body></html>",
  ]
  static let badTimestamps = [
    "\"yesterday\"", "\"2026-13-45T10:00:00Z\"", "\"10:00\"", "\"2026-02-30T10:00:00Z\"",
  ]
  static let timestampsOutOfRange = [
    "\"1970-01-01T00:00:05Z\"", "\"2150-01-01T00:00:00Z\"", "0", "\"1999-12-31T23:59:59.999Z\"",
  ]
}
