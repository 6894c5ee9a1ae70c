/// One fact of a person's timeline: when, what, and under which circumstances. 16 bytes.
///
/// Actions and contexts are codes into `FactTables`. Two facts of one person with equal bytes are
/// one fact.
public struct Fact: Sendable, Hashable {
  /// The time in the upper 42 bits (milliseconds since 1970, enough until 2109), the action below.
  var timeAndAction: UInt64
  public var context: UInt32
  /// A hash of the session id; 0 where there is none.
  public var session: UInt32

  static let actionBits: UInt64 = 22
  /// How many different actions one run can tell apart: 4,194,303.
  public static let maximumActions = (1 << 22) - 1
  /// The action of facts that have no place for their own: all its values are missing.
  static let withoutPlace: UInt32 = 0

  public init(timeMilliseconds: Int64, action: UInt32, context: UInt32, session: UInt32) {
    timeAndAction = UInt64(truncatingIfNeeded: timeMilliseconds) << Fact.actionBits | UInt64(action)
    self.context = context
    self.session = session
  }

  init(timeAndAction: UInt64, context: UInt32, session: UInt32) {
    self.timeAndAction = timeAndAction
    self.context = context
    self.session = session
  }

  public var timeMilliseconds: Int64 { Int64(timeAndAction >> Fact.actionBits) }

  public var action: UInt32 { UInt32(truncatingIfNeeded: timeAndAction & (1 << 22 - 1)) }

  /// Any total order that begins with the time; ties are put in the flow's order by the engine.
  static func isBefore(_ left: Fact, _ right: Fact) -> Bool {
    if left.timeAndAction != right.timeAndAction { return left.timeAndAction < right.timeAndAction }
    if left.context != right.context { return left.context < right.context }
    return left.session < right.session
  }
}
