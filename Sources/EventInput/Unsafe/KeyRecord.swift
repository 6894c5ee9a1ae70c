/// One spelling of a key in its place, learned from the text: everything from the byte after `{` or
/// `,` up to the value, white space, quotes and colon included.
///
///     {"event":"x", "flow" : "aiq"}
///      ^^^^^^^^    ^^^^^^^^^^
///
/// Invariants: `count` is 1...32; `words` hold the spelling's bytes and zeros after them, and
/// `masks` have ones where the bytes are; `leaf` and `child` are valid for the plan's tree; what
/// followed are records of the same node and the same `KeyRecords`. The record before a node's
/// first key has no bytes.
@safe struct KeyRecord {
  typealias Address = UnsafeMutablePointer<KeyRecord>

  static let maximumBytes = 32

  var words: (UInt64, UInt64, UInt64, UInt64)
  var masks: (UInt64, UInt64, UInt64, UInt64)
  var count: Int
  var node: Int32
  /// Where the value goes; the plan's leaf count for values nobody asked for.
  var leaf: Int32
  /// The node whose keys are inside the value, or -1.
  var child: Int32
  /// The records that were learned to follow this one, the latest first.
  private var followers: (Address?, Address?, Address?) = (nil, nil, nil)

  init(
    words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0),
    masks: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0), count: Int = 0, node: Int32,
    leaf: Int32 = -1, child: Int32 = -1
  ) {
    (self.words, self.masks, self.count) = (words, masks, count)
    (self.node, self.leaf, self.child) = (node, leaf, child)
  }

  /// The record that follows this one in the text at `p`, if it did so before.
  @inline(__always)
  func follower(_ p: UnsafePointer<UInt8>) -> Address? {
    if let first = unsafe followers.0, unsafe Self.matches(first, p) { return unsafe first }
    if let second = unsafe followers.1, unsafe Self.matches(second, p) { return unsafe second }
    if let third = unsafe followers.2, unsafe Self.matches(third, p) { return unsafe third }
    return nil
  }

  /// Learns what follows this record; what was learned first is forgotten.
  mutating func learn(_ follower: Address) {
    unsafe followers = (follower, followers.0, followers.1)
  }

  /// Whether the text at `p` begins with this spelling. 32 bytes can be read from `p`.
  @inline(__always)
  private static func matches(_ record: Address, _ p: UnsafePointer<UInt8>) -> Bool {
    let raw = unsafe UnsafeRawPointer(p)
    let words = unsafe record.pointee.words
    let masks = unsafe record.pointee.masks
    let first = unsafe (raw.loadUnaligned(as: UInt64.self) ^ words.0) & masks.0
    let second = unsafe (raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ words.1) & masks.1
    if first | second != 0 { return false }
    if unsafe record.pointee.count <= 16 { return true }
    let third = unsafe (raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ words.2) & masks.2
    let fourth = unsafe (raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self) ^ words.3) & masks.3
    return third | fourth == 0
  }
}

/// The records learned so far, found by their spelling.
///
/// Invariants: `records` holds `count` initialised elements of `capacity`, which stay where they
/// are; every filled slot of `index` is a record's number, and at most half of the slots are
/// filled, so probing ends.
@safe struct KeyRecords {
  static let capacity = 1024
  private static let slotCount = 4096

  private let records: KeyRecord.Address
  private let index: UnsafeMutablePointer<Int32>
  private(set) var count = 0

  init() {
    unsafe records = .allocate(capacity: Self.capacity)
    unsafe index = .allocate(capacity: Self.slotCount)
    unsafe index.initialize(repeating: -1, count: Self.slotCount)
  }

  func deallocate() {
    unsafe records.deallocate()
    unsafe index.deallocate()
  }

  /// The record with this spelling in this node, or the slot where it would stand.
  func find(_ sample: KeyRecord) -> (record: KeyRecord.Address?, slot: Int) {
    var hash = sample.words.0 &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 29 ^ sample.words.1) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 32 ^ sample.words.2 ^ sample.words.3 &* 31) &* 0x94D0_49BB_1331_11EB
    hash ^= UInt64(truncatingIfNeeded: sample.node) &* 0x9E37_79B9
    var slot = Int((hash ^ hash >> 31) & UInt64(Self.slotCount - 1))
    while unsafe index[slot] >= 0 {
      let record = unsafe records + Int(index[slot])
      if unsafe record.pointee.node == sample.node && record.pointee.count == sample.count
        && record.pointee.words == sample.words
      {
        return unsafe (record, slot)
      }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    return (nil, slot)
  }

  /// Keeps a record at the slot that `find` gave; nil if there is no more room.
  mutating func add(_ record: KeyRecord, at slot: Int) -> KeyRecord.Address? {
    guard count < Self.capacity else { return nil }
    let place = unsafe records + count
    unsafe place.initialize(to: record)
    unsafe index[slot] = Int32(count)
    count += 1
    return unsafe place
  }
}
