internal import EventInput

/// A fact in a pack: codes are the pack's, the source is its number there.
struct StoredFact {
  var fact: Fact
  var source: UInt32
}

/// The facts of a pack's partition as bytes: runs of one user on one device, in order of time.
///
///     1 byte     1: another user than the run before has, + 2: another device
///     16 bytes   user, where it is another one; zeros for none
///     16 bytes   device, likewise
///     varint     number of facts, repetitions too
///     4 bytes    number of bytes that follow for this run; then for each fact
///       varint     milliseconds since the fact before × 32, + 16: the event has an id,
///                  + 8: a repetition of the fact before, + 4: other source, + 2: other context,
///                  + 1: other session
///       varint     source, if it is another one
///       varint     action            (not of a repetition)
///       varint     context           if it is another one
///       4 bytes    session           if it is another one
///       2 bytes    hash of the event's id, if it has one (not of a repetition)
///
/// Before the first fact, time, source, context and session are 0.
enum StoredCoding {
  static let headBytes = 1 + 32 + 10 + 4
  /// 47 bits of time take 7 bytes, 32 of source 5, 24 of context 4, 22 of action 4, the session 4,
  /// the event's id 2.
  static let factBytes = 26

  static func append(_ facts: [StoredFact], to writer: inout ByteWriter) {
    var (time, source, context, session) = (UInt64(0), UInt32(0), UInt32(0), UInt32(0))
    var before: Fact?
    for stored in facts {
      let fact = stored.fact
      let own = fact.timeAndAction >> Fact.actionBits
      let isRepetition = fact == before
      var change: UInt64 = isRepetition ? 8 : 0
      if fact.message != 0 && !isRepetition { change |= 16 }
      if stored.source != source { change |= 4 }
      if fact.context != context { change |= 2 }
      if fact.session != session { change |= 1 }
      writer.append(varint: (own &- time) << 5 | change)
      if change & 4 != 0 { writer.append(varint: UInt64(stored.source)) }
      if !isRepetition { writer.append(varint: UInt64(fact.action)) }
      if change & 2 != 0 { writer.append(varint: UInt64(fact.context)) }
      if change & 1 != 0 { writer.append(fact.session) }
      if change & 16 != 0 { writer.append(fact.message) }
      (time, source, context, session) = (own, stored.source, fact.context, fact.session)
      before = fact
    }
  }

  /// Reads facts back, repetitions as further equal facts.
  @inline(__always)
  static func read(_ count: Int, from reader: inout ByteReader, into facts: inout [StoredFact]) {
    var (time, source, context, session) = (UInt64(0), UInt32(0), UInt32(0), UInt32(0))
    var (action, message) = (UInt32(0), UInt16(0))
    for _ in 0..<count {
      let change = reader.varint()
      time &+= change >> 5
      if change & 4 != 0 { source = UInt32(truncatingIfNeeded: reader.varint()) }
      if change & 8 == 0 { action = UInt32(truncatingIfNeeded: reader.varint()) }
      if change & 2 != 0 { context = UInt32(truncatingIfNeeded: reader.varint()) }
      if change & 1 != 0 { session = reader.word(UInt32.self) }
      if change & 8 == 0 { message = change & 16 != 0 ? reader.word(UInt16.self) : 0 }
      facts.append(
        StoredFact(
          fact: Fact(
            timeMilliseconds: Int64(truncatingIfNeeded: time),
            action: action & UInt32(Fact.maximumActions - 1),
            context: context & UInt32(Fact.maximumContexts - 1), session: session,
            message: message),
          source: source))
    }
  }
}

/// Takes runs and makes a segment's bytes of them.
///
/// Invariants: `start` points at `capacity` bytes, of which the first `count` are initialised.
@safe final class StoredSegmentBuffer {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0
  private var user = IdentifierHash.missing
  private var device = IdentifierHash.missing
  private(set) var factCount = 0

  init() {
    capacity = 65_536
    unsafe start = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { unsafe start.deallocate() }

  func append(user: IdentifierHash, device: IdentifierHash, _ facts: [StoredFact]) {
    if facts.isEmpty { return }
    reserve(StoredCoding.headBytes + facts.count * StoredCoding.factBytes)
    var writer = unsafe ByteWriter(at: start + count)
    let what: UInt8 = (user == self.user ? 0 : 1) | (device == self.device ? 0 : 2)
    writer.append(what)
    if what & 1 != 0 {
      writer.append(user.high)
      writer.append(user.low)
    }
    if what & 2 != 0 {
      writer.append(device.high)
      writer.append(device.low)
    }
    writer.append(varint: UInt64(facts.count))
    let length = unsafe writer.next
    writer.append(UInt32(0))
    let first = unsafe writer.next
    StoredCoding.append(facts, to: &writer)
    var back = unsafe ByteWriter(at: length)
    unsafe back.append(UInt32(truncatingIfNeeded: writer.next - first))
    count = unsafe writer.next - start
    factCount += facts.count
    self.user = user
    self.device = device
  }

  /// The segment so far, and a new beginning.
  func take(partition: Int) -> StoredSegment {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    let segment = unsafe StoredSegment(
      partition: partition, factCount: factCount, bytes: Array(bytes),
      checksum: SegmentFile.checksum(bytes))
    count = 0
    factCount = 0
    user = .missing
    device = .missing
    return segment
  }

  private func reserve(_ bytes: Int) {
    guard count + bytes > capacity else { return }
    capacity = max(capacity * 2, count + bytes)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    unsafe larger.copyMemory(from: start, byteCount: count)
    unsafe start.deallocate()
    unsafe start = larger
  }
}
