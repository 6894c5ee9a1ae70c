/// Facts in order of time as few bytes: nearly always the time passed, and the action.
///
///     counted the time of the last fact
///     counted how much earlier the first one is
///
/// and then for each fact
///
///     counted milliseconds since the fact before × 8, + 4: the event has an id,
///             + 2: other context, + 1: other session
///     varint  action
///     varint  context                  if it is another one than the fact before has
///     4 bytes session                  if it is another one
///     2 bytes hash of the event's id   if it has one
///
/// Before the first fact, context and session are 0. A page view 9 s after the last: 3 + 1 + 2
/// bytes, where a fact in memory has 16. (`ByteWriter` describes counted numbers.)
enum FactCoding {
  /// For each fact 45 bits of time take 6 bytes, 22 of action 4, 24 of context 4, the session 4,
  /// the event's id 2; the times before them take 12. While a time is written, 8 bytes are touched.
  static func maximumBytes(_ count: Int) -> Int { 16 + count * 20 }

  /// Appends facts, at least one, that are in order of time.
  @inline(__always)
  static func append(_ count: Int, to writer: inout ByteWriter, _ factAt: (Int) -> Fact) {
    var time = factAt(0).timeAndAction >> Fact.actionBits
    let last = factAt(count - 1).timeAndAction >> Fact.actionBits
    writer.append(counted: last)
    writer.append(counted: last &- time)
    var context: UInt32 = 0
    var session: UInt32 = 0
    for index in 0..<count {
      let fact = factAt(index)
      let own = fact.timeAndAction >> Fact.actionBits
      let change: UInt64 =
        (fact.message == 0 ? 0 : 4) | (fact.context == context ? 0 : 2)
        | (fact.session == session ? 0 : 1)
      writer.append(counted: (own &- time) << 3 | change)
      writer.append(varint: UInt64(fact.action))
      if change & 2 != 0 { writer.append(varint: UInt64(fact.context)) }
      if change & 1 != 0 { writer.append(fact.session) }
      if change & 4 != 0 { writer.append(fact.message) }
      time = own
      context = fact.context
      session = fact.session
    }
  }

  /// The time of the last fact, in milliseconds, which is written before all facts.
  @inline(__always)
  static func readLastTime(_ reader: inout ByteReader) -> Int64 {
    Int64(truncatingIfNeeded: reader.counted())
  }

  /// Reads facts back; their codes are still those of the segment.
  @inline(__always)
  static func read(_ count: Int, from reader: inout ByteReader, _ body: (Int, Fact) -> Void) {
    var time = reader.counted()
    time &-= reader.counted()
    var context: UInt32 = 0
    var session: UInt32 = 0
    for index in 0..<count {
      let change = reader.counted()
      time &+= change >> 3
      let action = UInt32(truncatingIfNeeded: reader.varint())
      if change & 2 != 0 { context = UInt32(truncatingIfNeeded: reader.varint()) }
      if change & 1 != 0 { session = reader.word(UInt32.self) }
      let message = change & 4 != 0 ? reader.word(UInt16.self) : 0
      body(
        index,
        Fact(
          timeMilliseconds: Int64(truncatingIfNeeded: time), action: action, context: context,
          session: session, message: message))
    }
  }
}
