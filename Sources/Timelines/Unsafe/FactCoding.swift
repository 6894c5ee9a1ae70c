/// Facts in order of time as few bytes: nearly always the time passed, and the action.
///
///     varint  milliseconds since the fact before × 4, + 2: other context, + 1: other session
///     varint  action
///     varint  context                  if it is another one than the fact before has
///     4 bytes session                  if it is another one
///
/// Before the first fact, time, context and session are 0. A page view 9 s after the last: 3 + 1
/// bytes, where a fact in memory has 16.
enum FactCoding {
  /// 44 bits of time take 7 bytes, 22 of action 4, 32 of context 5, the session 4.
  static let maximumBytes = 20

  /// Appends facts that are in order of time.
  @inline(__always)
  static func append(_ count: Int, to writer: inout ByteWriter, _ factAt: (Int) -> Fact) {
    var time: UInt64 = 0
    var context: UInt32 = 0
    var session: UInt32 = 0
    for index in 0..<count {
      let fact = factAt(index)
      let own = fact.timeAndAction >> Fact.actionBits
      let change: UInt64 = (fact.context == context ? 0 : 2) | (fact.session == session ? 0 : 1)
      writer.append(varint: (own &- time) << 2 | change)
      writer.append(varint: UInt64(fact.action))
      if change & 2 != 0 { writer.append(varint: UInt64(fact.context)) }
      if change & 1 != 0 { writer.append(fact.session) }
      time = own
      context = fact.context
      session = fact.session
    }
  }

  /// Reads facts back; their codes are still those of the segment.
  @inline(__always)
  static func read(_ count: Int, from reader: inout ByteReader, _ body: (Int, Fact) -> Void) {
    var time: UInt64 = 0
    var context: UInt32 = 0
    var session: UInt32 = 0
    for index in 0..<count {
      let change = reader.varint()
      time &+= change >> 2
      let action = UInt32(truncatingIfNeeded: reader.varint())
      if change & 2 != 0 { context = UInt32(truncatingIfNeeded: reader.varint()) }
      if change & 1 != 0 { session = reader.word(UInt32.self) }
      body(
        index,
        Fact(
          timeMilliseconds: Int64(truncatingIfNeeded: time), action: action, context: context,
          session: session))
    }
  }
}
