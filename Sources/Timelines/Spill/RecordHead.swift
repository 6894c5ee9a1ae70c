internal import EventInput

/// What stands before the facts or moments of a record in a segment: 20 bytes with the length of
/// what follows, 36 with a partner.
struct RecordHead {
  /// The most that it takes.
  static let maximumBytes = 36
  /// Records end here, however many facts a person has: a chunk stays small, and count and length
  /// are numbers of 16 bits.
  static let maximumCount = 2048
  /// Set beside the count where a partner follows.
  static let partnerMark: UInt16 = 1 << 15

  /// The person the facts belong to, or the device.
  var key: IdentifierHash
  /// How many facts or moments follow, at most `maximumCount`.
  var count: Int
  /// The device on which a user's facts happened, or the user who was seen on a device; missing
  /// for none.
  var partner = IdentifierHash.missing
}
