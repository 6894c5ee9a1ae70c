internal import EventInput

/// A fact as it stands in a `FactLog`; it can be read as long as its list is not changed.
///
///     8 bytes   time and action
///     2 bytes   slot of the key in its list, and 4 marks: context, session, key, device follow
///     2 bytes   hash of the event's id
///     4 bytes   context   ┐
///     4 bytes   session   ├ each only where it is marked
///     16 bytes  key       │
///     16 bytes  device    ┘
///
/// What is not recorded is as in the slot's record before it in the list. A record with a
/// key has its context and session too; its device is missing unless it is recorded.
@safe struct FactRecord {
  static let minimumBytes = 12
  static let maximumBytes = 52
  static let contextMark: UInt16 = 1 << 12
  static let sessionMark: UInt16 = 1 << 13
  static let keyMark: UInt16 = 1 << 14
  static let deviceMark: UInt16 = 1 << 15
  private static let slotMask: UInt16 = contextMark - 1

  let timeAndAction: UInt64
  let message: UInt16
  private let marks: UInt16
  private let told: UnsafeRawPointer

  @inline(__always)
  init(at place: UnsafeRawPointer) {
    timeAndAction = unsafe place.loadUnaligned(as: UInt64.self)
    marks = unsafe place.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    message = unsafe place.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
    unsafe told = place + FactRecord.minimumBytes
  }

  @inline(__always)
  var slot: Int { Int(marks & FactRecord.slotMask) }

  @inline(__always)
  var timeMilliseconds: Int64 { Int64(timeAndAction >> Fact.actionBits) }

  @inline(__always)
  var action: UInt32 { UInt32(truncatingIfNeeded: timeAndAction & (1 << Fact.actionBits - 1)) }

  @inline(__always)
  var tellsKey: Bool { marks & FactRecord.keyMark != 0 }

  @inline(__always)
  var tellsDevice: Bool { marks & FactRecord.deviceMark != 0 }

  @inline(__always)
  var tellsContext: Bool { marks & FactRecord.contextMark != 0 }

  @inline(__always)
  var tellsSession: Bool { marks & FactRecord.sessionMark != 0 }

  /// Asked only where it is recorded; so are the others.
  @inline(__always)
  var context: UInt32 { unsafe told.loadUnaligned(as: UInt32.self) }

  @inline(__always)
  var session: UInt32 {
    unsafe told.loadUnaligned(fromByteOffset: tellsContext ? 4 : 0, as: UInt32.self)
  }

  @inline(__always)
  var key: IdentifierHash { identifier(at: words) }

  @inline(__always)
  var device: IdentifierHash { identifier(at: words + (tellsKey ? 16 : 0)) }

  /// Where the next record stands.
  @inline(__always)
  var end: UnsafeRawPointer { unsafe told + words + (tellsKey ? 16 : 0) + (tellsDevice ? 16 : 0) }

  /// What context and session take.
  @inline(__always)
  private var words: Int {
    Int(marks >> 12 & 1) &* 4 &+ Int(marks >> 13 & 1) &* 4
  }

  @inline(__always)
  private func identifier(at offset: Int) -> IdentifierHash {
    unsafe IdentifierHash(
      high: told.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
      low: told.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }
}

/// What a slot's last record leaves for the next one: the base of its differences.
struct RecordBase {
  var key = IdentifierHash.missing
  var device = IdentifierHash.missing
  var context: UInt32 = 0
  var session: UInt32 = 0

  /// Takes in what a record holds; from here on the base is the record's own.
  @inline(__always)
  mutating func take(_ record: FactRecord) {
    if record.tellsKey {
      key = record.key
      device = .missing
    }
    if record.tellsContext { context = record.context }
    if record.tellsSession { session = record.session }
    if record.tellsDevice { device = record.device }
  }

  /// The whole fact of a record that was taken in.
  @inline(__always)
  func fact(_ record: FactRecord) -> Fact {
    Fact(
      timeAndAction: record.timeAndAction, context: context, session: session,
      message: record.message)
  }
}
