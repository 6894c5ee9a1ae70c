import CScanKernel

/// Ids of one domain that are hashed later, eight side by side: those of 32 to 39 bytes, as UUIDs
/// are. The rounds of one hash wait for each other; eight hashes take hardly longer than one.
///
/// Invariants: `words` has `wordCount` columns of `stride` elements, of which each has its first
/// `count` initialised with what SipHash absorbs; `rows` says where their hashes belong. `count` is
/// at most `EventBatch.capacity`, and `stride` is a multiple of 8 that is not below it.
@safe struct HashQueue {
  static let lengths = 32...39
  private static let wordCount = 5
  private static let stride = EventBatch.capacity

  private let words: UnsafeMutablePointer<UInt64>
  private let rows: UnsafeMutablePointer<Int>
  private let low: UnsafeMutablePointer<UInt64>
  private let high: UnsafeMutablePointer<UInt64>
  private let key: SipHash
  private let way = scan_best_way()
  var count = 0

  init(_ key: SipHash) {
    self.key = key
    unsafe words = .allocate(capacity: Self.wordCount * Self.stride)
    unsafe words.initialize(repeating: 0, count: Self.wordCount * Self.stride)
    unsafe rows = .allocate(capacity: Self.stride)
    unsafe rows.initialize(repeating: 0, count: Self.stride)
    unsafe low = .allocate(capacity: Self.stride)
    unsafe low.initialize(repeating: 0, count: Self.stride)
    unsafe high = .allocate(capacity: Self.stride)
    unsafe high.initialize(repeating: 0, count: Self.stride)
  }

  func deallocate() {
    unsafe words.deallocate()
    unsafe rows.deallocate()
    unsafe low.deallocate()
    unsafe high.deallocate()
  }

  /// Keeps an id of one of `lengths`; 40 bytes can be read from its beginning.
  @inline(__always)
  mutating func put(_ id: IdentifierText, row: Int) {
    let start = unsafe UnsafeRawPointer(id.start)
    let place = unsafe words + count
    for word in 0..<Self.wordCount {
      unsafe place[word &* Self.stride] = Self.word(start, at: word &* 8)
    }
    let rest = UInt64(truncatingIfNeeded: id.count &- 32)
    let mask = (1 as UInt64) &<< (rest &* 8) &- 1
    let length = UInt64(truncatingIfNeeded: id.count) &<< 56
    let last = unsafe place + 4 &* Self.stride
    unsafe last.pointee = last.pointee & mask | length
    unsafe rows[count] = row
    count &+= 1
  }

  @inline(__always)
  private static func word(_ start: UnsafeRawPointer, at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Gives every id's hash to its row, and is empty then.
  @inline(__always)
  mutating func flush(_ body: (_ row: Int, SipHash.Hash) -> Void) {
    if count == 0 { return }
    unsafe scan_hash(
      way, key.key0, key.key1, words, Self.stride, Self.wordCount, (count + 7) & ~7, low, high)
    for index in 0..<count { unsafe body(rows[index], (low[index], high[index])) }
    count = 0
  }
}
