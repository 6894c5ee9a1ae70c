/// Why a line can't be used. A line with several faults is counted under the first of this list.
public enum RejectReason: String, CaseIterable, Sendable, Codable {
  /// The last line of damaged data, cut off.
  case truncated
  case lineTooLong = "line_too_long"
  case invalidUTF8 = "invalid_utf8"
  case nestedTooDeep = "nested_too_deep"
  case malformedJSON = "malformed_json"
  case notAnObject = "not_an_object"
  /// A pipeline has marked the row as deleted where it came from.
  case deleted = "deleted_row"
  /// A log of changes says that the row is gone; the row as it came may be another line.
  case deletedByLog = "deleted_by_log"
  case missingEvent = "missing_event"
  case missingTimestamp = "missing_timestamp"
  case badTimestamp = "bad_timestamp"
  case timestampOutOfRange = "timestamp_out_of_range"
  /// Neither a user nor a device.
  case missingID = "missing_id"
  case missingUserID = "missing_user_id"
  case missingDeviceID = "missing_device_id"

  /// Whether such lines are wrong: all but rows that were deleted where they came from.
  public var isFault: Bool { self != .deleted && self != .deletedByLog }

  /// How many rejects are lines that are wrong, by the names of their reasons.
  public static func faults(_ counts: [String: Int]) -> Int {
    counts.reduce(0) { $0 + (RejectReason(rawValue: $1.key)?.isFault == false ? 0 : $1.value) }
  }

  /// Whether the line is a whole JSON object, which lacks something that an event needs.
  var isOfParsedLine: Bool {
    switch self {
    case .truncated, .lineTooLong, .invalidUTF8, .nestedTooDeep, .malformedJSON, .notAnObject:
      false
    case .deleted, .deletedByLog, .missingEvent, .missingTimestamp, .badTimestamp,
      .timestampOutOfRange,
      .missingID, .missingUserID, .missingDeviceID:
      true
    }
  }
}
