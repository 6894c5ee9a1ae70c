public import EventInput
internal import FlowDefinition

/// What a store keeps of the events of a source: which values, read from where.
///
/// A store keeps facts for flows that are not written yet. So values are kept as they were sent,
/// before the flow file's `events:` and `fields:` give them other names; tables of names are
/// larger than a report's; both ids are kept whatever the identity rule; and a few values of the
/// canonical context are kept though no flow asks for them. `StoredProjection` makes of it what a
/// run over the dump itself would have seen.
public struct StoredLayout: Sendable, Hashable, Codable {
  /// Where the event's time stands; here and below, each path is object keys from the root.
  public var timestamp: [[String]]
  /// Where the user's id stands.
  public var user: [[String]]
  /// Where the device's id stands.
  public var device: [[String]]
  /// Where the session's id stands.
  public var session: [[String]]
  /// Where another id of the event's user stands.
  public var otherUser: [[String]]
  /// Where the event's own id stands.
  public var message: [[String]]
  /// The zone whose clocks times without an offset were read from; UTC if not given.
  public var timeZone: String?
  /// Which number is the month in dates that end with the year, by its name in the flow file; each
  /// source's own times decide it if not given.
  public var dayOrder: String?
  /// Those of the paths above that the flow file names: formats of dumps leave them as they are.
  public var ownIdentifiers: [[String]]
  /// The first is the event's name.
  public var columns: [StoredColumn]

  /// Names that keep a place, of events and of other values, where a report keeps fewer.
  static let eventNames = 4096
  static let otherNames = 1000
  /// Kept though no flow asks for them.
  static let usualDimensions = ["app_version", "os", "locale", "device_model"]

  /// What these flows need, and the usual dimensions.
  public init(_ schema: FactSchema) {
    func paths(_ role: FieldRule.Role) -> [[String]] {
      schema.plan.fields.filter { $0.role == role && $0.constant == nil }.map(\.path)
    }
    timestamp = paths(.timestamp)
    user = paths(.user)
    device = paths(.device)
    session = paths(.session)
    otherUser = paths(.otherUser)
    message = paths(.message)
    timeZone = schema.plan.timeZone
    dayOrder = schema.plan.dayOrder?.rawValue
    let identifiers: [FieldRule.Role] = [
      .timestamp, .user, .device, .session, .otherUser, .message,
    ]
    ownIdentifiers = schema.plan.fields.filter { $0.isOwn && identifiers.contains($0.role) }
      .map(\.path)
    let eventSlot = schema.plan.eventSlot
    let eventRules = schema.plan.fields.filter { $0.role == .slot(eventSlot) }
    columns = [
      StoredLayout.column(
        schema, eventSlot, paths: paths(.slot(eventSlot)),
        isOwn: eventRules.contains(where: \.isOwn))
    ]
    for slot in schema.plan.slotTables.indices where slot != eventSlot {
      for rule in schema.plan.fields where rule.role == .slot(slot) && rule.constant == nil {
        add(StoredLayout.column(schema, slot, paths: [rule.path], isOwn: rule.isOwn))
      }
    }
    for name in StoredLayout.usualDimensions {
      add(
        StoredColumn(
          paths: [["context", name]], use: .context, declared: [],
          limit: StoredLayout.otherNames, tellsOthersApart: false))
    }
  }

  private static func column(
    _ schema: FactSchema, _ slot: Int, paths: [[String]], isOwn: Bool
  ) -> StoredColumn {
    let table = schema.plan.tables[schema.plan.slotTables[slot]]
    let rules = schema.plan.fields.filter { $0.role == .slot(slot) }
    let declared = Set(table.declared).union(rules.flatMap { $0.aliases.keys })
    var use: StoredColumn.Use = schema.actionSlots.contains(slot) ? .action : []
    if !schema.actionSlots.contains(slot) || schema.dimensionSlots.contains(slot) {
      use.insert(.context)
    }
    let least = slot == schema.plan.eventSlot ? eventNames : otherNames
    return StoredColumn(
      paths: paths, isOwn: isOwn, use: use, declared: declared.sorted(),
      limit: max(table.limit, least), tellsOthersApart: table.tellsOthersApart)
  }

  private mutating func add(_ column: StoredColumn) {
    let known = columns.firstIndex { $0.paths == column.paths && $0.isOwn == column.isOwn }
    if let known {
      columns[known] = columns[known].united(with: column)
    } else {
      columns.append(column)
    }
  }

  /// Whether ids and times are read from the same places, so that facts of both can be one
  /// person's.
  public func hasSameIdentifiers(as other: StoredLayout) -> Bool {
    timestamp == other.timestamp && timeZone == other.timeZone && dayOrder == other.dayOrder
      && user == other.user
      && device == other.device && session == other.session && otherUser == other.otherUser
      && message == other.message
      && ownIdentifiers == other.ownIdentifiers
      && columns.first?.paths == other.columns.first?.paths
      && columns.first?.isOwn == other.columns.first?.isOwn
  }

  /// What this layout asks for, and what an earlier one asked for: what was kept once stays kept.
  public func united(with earlier: StoredLayout) -> StoredLayout {
    var united = self
    guard hasSameIdentifiers(as: earlier) else { return united }
    for column in earlier.columns { united.add(column) }
    return united
  }

  /// The layout without values that are dropped while reading, from events of whatever format: what
  /// is not read was not kept. What the flows need is never dropped (`RedactedNeed`).
  public func without(_ redaction: Redaction) -> StoredLayout {
    let needed = Set(redaction.neededFields.map(\.path))
    var layout = self
    layout.columns = columns.enumerated().filter { place, column in
      place == 0
        || column.paths.allSatisfy { path in
          needed.contains(path)
            || !(column.isOwn
              ? redaction.paths.covers(path.joined(separator: "."))
              : redaction.paths.mayDrop(path))
        }
    }.map(\.element)
    return layout
  }

  /// The columns of actions, in the order of a stored action's values; of contexts likewise.
  func columns(of use: StoredColumn.Use) -> [Int] {
    columns.indices.filter { columns[$0].use.contains(use) }
  }
}

extension FactSchema {
  /// A schema that reads everything a store keeps, of every flow: for scanning only.
  ///
  /// - Parameter format: how all dumps are written; recognised from each dump if not given.
  public init(
    layout: StoredLayout, maximumLineBytes: Int = 1 << 20, format: EventFormat.Name? = nil
  ) {
    var fields: [FieldRule] = []
    for (paths, role) in [
      (layout.timestamp, FieldRule.Role.timestamp), (layout.user, .user),
      (layout.device, .device), (layout.session, .session), (layout.otherUser, .otherUser),
      (layout.message, .message),
    ] {
      fields += paths.map {
        FieldRule(path: $0, role: role, isOwn: layout.ownIdentifiers.contains($0))
      }
    }
    for (slot, column) in layout.columns.enumerated() {
      fields += column.paths.map {
        FieldRule(path: $0, role: .slot(slot), isOwn: column.isOwn)
      }
    }
    // One slot more, which no field fills: where a flow's schema has the flow and the version.
    let empty = layout.columns.count
    plan = ScanPlan(
      fields: fields,
      tables: layout.columns.map {
        NameTablePlan(
          declared: $0.declared, limit: $0.limit, tellsOthersApart: $0.tellsOthersApart)
      },
      slotTables: Array(layout.columns.indices) + [0], eventSlot: 0, identifiers: .any,
      maximumLineBytes: maximumLineBytes, format: format)
    plan.timeZone = layout.timeZone
    plan.dayOrder = layout.dayOrder.flatMap { DayOrder(rawValue: $0) }
    experiments = []
    identity = .stitched
    stitchWithinMilliseconds = Flow.defaultStitchWithinMilliseconds
    actionSlots = layout.columns(of: .action)
    dimensionSlots = layout.columns(of: .context)
    flowSlot = empty
    versionSlot = empty
    experimentSlot = empty
    variantSlot = empty
    experimentMapSlots = []
    slotOfField = [:]
    slotOfProperty = [:]
  }
}
