/// What to take from each event, by path; made by `Timelines` from the flows of a run.
///
/// `EventInput` stands second in the data path: bytes → events. It reads files and standard input,
/// undoes compression, splits lines, scans JSON forward without building a tree, and hands on
/// batches of fixed-size events: hashed ids, times, and small codes for the few strings that the
/// plan asks for. It does not know what an onboarding event or a funnel is: to it, every field is
/// a path with a role. Lines that can't be used become rejects, verbatim.
public struct ScanPlan: Sendable {
  /// One rule for each field that matters, in no particular order.
  public var fields: [FieldRule]
  /// The name tables that slots refer to.
  public var tables: [NameTablePlan]
  /// For each slot, the table (index into `tables`) that its values are coded in.
  public var slotTables: [Int]
  /// The slot that holds the event's name; an event without one is a reject.
  public var eventSlot: Int
  /// Which ids an event must have.
  public var identifiers: RequiredIdentifiers
  /// A longer line is a reject.
  public var maximumLineBytes: Int
  /// The format of all sources; recognised from each source's first lines if not given.
  public var format: EventFormat.Name?
  /// The zone whose clocks times without an offset, and numbers, were read from; UTC if not given.
  public var timeZone: String?
  /// Which number is the month in dates that end with the year; decided by each source's own times
  /// if not given.
  public var dayOrder: DayOrder?
  /// How sources are digested; it changes no event.
  public var digest = SourceDigest.Kind.xxh3
  /// Whether to take notes of arrivals and messages (`SourceSummary.inspection`); it costs time.
  public var isInspecting = false
  /// Which values are dropped on reading.
  public var redaction = Redaction.none
  /// Users whose ids are taken for no device's, where an event says that its user had them before.
  public var forgottenUsers: Set<IdentifierHash> = []
  /// Where the flow file's own paths lead to, in a plan for one format.
  var mapped: [MappedPlaces] = []
  /// Where some of the events are kept as whole lines, to look for personal text in them.
  public var sampling: PropertySampling?

  /// A plan that digests, and neither inspects, redacts nor samples.
  public init(
    fields: [FieldRule], tables: [NameTablePlan], slotTables: [Int], eventSlot: Int,
    identifiers: RequiredIdentifiers = .any, maximumLineBytes: Int = 1 << 20,
    format: EventFormat.Name? = nil
  ) {
    self.format = format
    self.fields = fields
    self.tables = tables
    self.slotTables = slotTables
    self.eventSlot = eventSlot
    self.identifiers = identifiers
    self.maximumLineBytes = maximumLineBytes
  }
}

/// Which ids an event must have to be usable.
public enum RequiredIdentifiers: Sendable, Hashable {
  case any, user, device
}

/// Where a field is found and what it is for.
public struct FieldRule: Sendable, Hashable {
  /// What a field is to an event.
  public enum Role: Sendable, Hashable {
    case timestamp
    case user
    case device
    case session
    /// Another id of the event's user, which was used before or elsewhere.
    case otherUser
    /// The id of the event itself.
    case message
    /// A value kept as a code, in this slot.
    case slot(Int)

    var isIdentifier: Bool { [.user, .device, .session, .otherUser, .message].contains(self) }
  }
  /// Object keys from the event's root: `["properties", "page_name"]`.
  public var path: [String]
  /// What the field is to an event.
  public var role: Role
  /// Values in the dump and the names they stand for; only for slots.
  public var aliases: [String: String]
  /// The value to take whatever the event says (`path` is then empty); only for slots.
  public var constant: String?
  /// Whether the path is the flow file's own: formats leave it as it is.
  public var isOwn: Bool

  /// A rule for a field at a path, or with one constant for all events.
  public init(
    path: [String], role: Role, aliases: [String: String] = [:], constant: String? = nil,
    isOwn: Bool = false
  ) {
    self.isOwn = isOwn
    self.path = path
    self.role = role
    self.aliases = aliases
    self.constant = constant
  }
}

/// A table of names: those declared in the flow always have a place, of all others only so many.
public struct NameTablePlan: Sendable, Hashable {
  /// Codes 1, 2, 3 … in this order.
  public var declared: [String]
  /// How many other names are kept: those with the smallest stable hash. The rest is `(other)`.
  public var limit: Int
  /// Two different names stay two even when both are `(other)`: their codes keep 16 hash bits.
  public var tellsOthersApart: Bool

  /// A table with a place for the declared names and for `limit` others.
  public init(declared: [String], limit: Int = 1000, tellsOthersApart: Bool = false) {
    self.declared = declared
    self.limit = limit
    self.tellsOthersApart = tellsOthersApart
  }
}

extension ScanPlan {
  /// What every event has, by the names of its format: for commands without a flow.
  ///
  /// - Parameter format: the format that was asked for.
  public static func ofAnyFlow(format: EventFormat.Name? = nil) -> ScanPlan {
    let roles: [(String, FieldRule.Role)] = [
      ("timestamp", .timestamp), ("user_id", .user), ("device_id", .device),
      ("session_id", .session), ("event", .slot(0)),
    ]
    return ScanPlan(
      fields: roles.map { FieldRule(path: [$0.0], role: $0.1) },
      tables: [NameTablePlan(declared: [])], slotTables: [0], eventSlot: 0, format: format)
  }
}
