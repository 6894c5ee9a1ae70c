internal import EventInput

/// What stands before the facts or moments of a record in a segment. 24 bytes with the length of
/// what follows.
struct RecordHead {
  static let byteCount = 24

  /// The person the facts belong to, or the device.
  var key: IdentifierHash
  /// How many facts or moments follow.
  var count: UInt32
}
