/// One fact of a person's timeline: when, what, and under which circumstances. 16 bytes.
///
///     42 bits  time: milliseconds since 1970, enough until 2109
///     22 bits  action ┐ codes into `FactTables`
///     24 bits  context ┘
///     24 bits  hash of the session's id; 0 where there is none
///     16 bits  hash of the event's own id (`message_id`); 0 where there is none
///
/// Two facts of one person with equal bytes are one fact, and so are some with an id of their own
/// that differ in their times (`RetriedFacts`).
public struct Fact: Sendable, Hashable {
  var timeAndAction: UInt64
  private(set) var circumstances: UInt64

  static let actionBits: UInt64 = 22
  private static let contextShift: UInt64 = 40
  private static let sessionShift: UInt64 = 16
  private static let sessionMask: UInt64 = 1 << 24 - 1
  /// How many different actions one run can distinguish.
  public static let maximumActions = 1 << 22
  /// How many different contexts one run can distinguish.
  public static let maximumContexts = 1 << 24
  /// The action or context of facts that have no place for their own: all its values are missing.
  static let withoutPlace: UInt32 = 0

  /// Packs a fact; codes have to be below the maxima, and the time from 1970 to 2109.
  public init(
    timeMilliseconds: Int64, action: UInt32, context: UInt32, session: UInt32, message: UInt16 = 0
  ) {
    self.init(
      timeAndAction: UInt64(truncatingIfNeeded: timeMilliseconds) << Fact.actionBits
        | UInt64(action), context: context, session: session, message: message)
  }

  @inline(__always)
  init(timeAndAction: UInt64, context: UInt32, session: UInt32, message: UInt16) {
    self.timeAndAction = timeAndAction
    circumstances =
      UInt64(context) << Fact.contextShift
      | (UInt64(session) & Fact.sessionMask) << Fact.sessionShift | UInt64(message)
  }

  /// When it happened, in milliseconds since 1970.
  public var timeMilliseconds: Int64 { Int64(timeAndAction >> Fact.actionBits) }

  /// What happened: the code of an action in ``FactTables``.
  public var action: UInt32 { UInt32(truncatingIfNeeded: timeAndAction & (1 << 22 - 1)) }

  /// Under which circumstances: the code of a context in ``FactTables``.
  public var context: UInt32 { UInt32(truncatingIfNeeded: circumstances >> Fact.contextShift) }

  /// 24 bits of a hash of the session's id; 0 where there is none.
  public var session: UInt32 {
    UInt32(truncatingIfNeeded: circumstances >> Fact.sessionShift & Fact.sessionMask)
  }

  /// Distinguishes events of one moment that agree in everything else.
  var message: UInt16 { UInt16(truncatingIfNeeded: circumstances) }

  /// Whether they agree in everything but the moment.
  @inline(__always)
  func isAlike(_ other: Fact) -> Bool {
    circumstances == other.circumstances && action == other.action
  }

  /// Any total order that begins with the time; ties are put in the flow's order by the engine.
  static func isBefore(_ left: Fact, _ right: Fact) -> Bool {
    left.timeAndAction != right.timeAndAction
      ? left.timeAndAction < right.timeAndAction : left.circumstances < right.circumstances
  }
}
