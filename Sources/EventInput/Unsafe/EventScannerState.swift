/// A slot's rule, made ready: which leaf, which table, which aliases.
struct SlotRule {
  var leaf: Int
  var slot: Int
  var table: Int
  var cache: ValueCache
  /// Values in the dump and the names they stand for.
  var aliases: [[UInt8]: [UInt8]]
  /// Whether the dump's values are texts that may be truth values.
  var isUntyped: Bool
}

/// What the event scanner keeps from line to line.
///
/// Invariants: the first `eventRuleCount` of `slotRules` are those of the event's name; where
/// several rules fill one slot, the one that comes first in the plan comes last here, so that it
/// overwrites the others.
struct EventScannerState {
  var tables: [NameTable]
  var slotCount: Int
  let slotTables: [Int]
  var eventSlot: Int
  var identifiers: RequiredIdentifiers
  var maximumLineBytes: Int
  let timestampLeaves: FixedList<Int>
  let userLeaves: FixedList<Int>
  let deviceLeaves: FixedList<Int>
  let sessionLeaves: FixedList<Int>
  /// Where another id of the same person may stand.
  let otherLeaves: FixedList<Int>
  /// Where the event's own id may stand.
  let messageLeaves: FixedList<Int>
  let slotRules: FixedList<SlotRule>
  let eventRuleCount: Int
  /// For each leaf a bit for each of its rules, with empty masks behind them up to a multiple of
  /// eight; nothing where there are more than 64 rules.
  let rulesOfLeaf: FixedList<UInt64>
  /// Of eight leaves each those that have rules, as the lowest bits of their kinds' bytes.
  let leavesWithRules: FixedList<(first: Int, mask: UInt64)>
  /// Where a row may be marked as deleted: leaves, and numbers of marks.
  let deletionLeaves: FixedList<(leaf: Int, mark: Int)>
  /// These leaves and those of other ids, of eight leaves each, as their kinds' bytes.
  let unusualLeaves: FixedList<(first: Int, mask: UInt64)>
  /// What the flow file maps; nothing where it maps nothing.
  let mapped: FixedList<MappedLeaves>
  /// How many lines were looked at for it.
  var linesWithMapping = 0
  /// Values that don't depend on the event: they win over every path.
  let constants: FixedList<(slot: Int, code: UInt32)>
  /// The slots that a value at a place may fill, in the plan's order.
  let slotFields: [(path: [String], slot: Int, aliases: [String: String])]
  /// What stands in the names of the source's folders, for slots that the event leaves empty.
  var folderValues = FixedList<(slot: Int, code: UInt32)>([])
  var timestamps = TimestampReader()
  /// What times without an offset, and numbers, are read by; nil for UTC.
  let clock: LocalClock?
  var timestampsWithoutOffset = 0
  /// Rows that a log says were changed after they came.
  var changedRows = 0
  /// Users who were said to be one, since they were last taken away.
  var links: [UserLink] = []
  /// Users whose ids are taken for no device's.
  let forgottenUsers: Set<IdentifierHash>
  /// How many events have a placeholder for an id, by its number.
  var placeholders = Array(repeating: 0, count: PlaceholderIdentifier.names.count)
  /// Where the line begins that the scanner could not use, and why.
  var reject: (reason: RejectReason, detail: String)?
  /// Whether that line is none that should be an event.
  var isNoEvent = false
  /// Whether properties that are a text of JSON are read.
  var readsTexts = false
  /// Whether the line has such a text, and is to be read again by a scanner that reads them.
  var needsTexts = false

  /// - Parameters:
  ///   - known: tables in use already; new ones if not given.
  ///   - isUntyped: whether values are texts that may mean numbers and truth values.
  init(plan: ScanPlan, tree: PathTree, known: [NameTable]?, isUntyped: Bool) {
    forgottenUsers = plan.forgottenUsers
    clock = plan.timeZone.map { LocalClock(timeZone: $0) }
    tables = known ?? plan.tables.map { NameTable(plan: $0) }
    slotCount = plan.slotTables.count
    eventSlot = plan.eventSlot
    identifiers = plan.identifiers
    maximumLineBytes = plan.maximumLineBytes
    var rules: [SlotRule] = []
    var constants: [(slot: Int, code: UInt32)] = []
    var leaves: [FieldRule.Role: [Int]] = [:]
    for field in plan.fields {
      if let constant = field.constant, case .slot(let slot) = field.role {
        constants.append((slot, tables[plan.slotTables[slot]].code(of: constant)))
        continue
      }
      guard let leaf = tree.leaf(of: field.path).map(Int.init) else { continue }
      switch field.role {
      case .timestamp, .user, .device, .session, .otherUser, .message:
        leaves[field.role, default: []].append(leaf)
      case .slot(let slot):
        let aliases = field.aliases.map {
          (NameTable.composed(Array($0.key.utf8)), Array($0.value.utf8))
        }
        rules.append(
          SlotRule(
            leaf: leaf, slot: slot, table: plan.slotTables[slot], cache: ValueCache(),
            aliases: Dictionary(aliases) { first, _ in first }, isUntyped: isUntyped))
      }
    }
    rules.reverse()
    let ordered =
      rules.filter { $0.slot == plan.eventSlot } + rules.filter { $0.slot != plan.eventSlot }
    eventRuleCount = rules.filter { $0.slot == plan.eventSlot }.count
    slotRules = FixedList(ordered)
    var masks = Array(repeating: 0 as UInt64, count: (Int(tree.leafCount) + 8) & ~7)
    for (index, rule) in ordered.enumerated() where index < 64 { masks[rule.leaf] |= 1 << index }
    rulesOfLeaf = FixedList(ordered.count <= 64 ? masks : [])
    leavesWithRules = FixedList(Self.words(of: ordered.map(\.leaf), bits: 1))
    let marks = Self.deletionMarks(in: tree)
    deletionLeaves = FixedList(marks)
    unusualLeaves = FixedList(
      Self.words(of: marks.map(\.leaf) + (leaves[.otherUser] ?? []), bits: 0xFF))
    self.constants = FixedList(constants)
    mapped = FixedList(plan.mapped.compactMap { MappedLeaves($0, tree) })
    slotFields = plan.fields.compactMap { field in
      guard case .slot(let slot) = field.role, field.constant == nil else { return nil }
      return (field.path, slot, field.aliases)
    }
    slotTables = plan.slotTables
    timestampLeaves = FixedList(leaves[.timestamp] ?? [])
    userLeaves = FixedList(leaves[.user] ?? [])
    deviceLeaves = FixedList(leaves[.device] ?? [])
    sessionLeaves = FixedList(leaves[.session] ?? [])
    otherLeaves = FixedList(leaves[.otherUser] ?? [])
    messageLeaves = FixedList(leaves[.message] ?? [])
  }

  private static func deletionMarks(in tree: PathTree) -> [(leaf: Int, mark: Int)] {
    DeletionMark.all.enumerated().compactMap { number, mark in
      tree.leaf(of: mark.path).map { (leaf: Int($0), mark: number) }
    }
  }

  private static func words(of leaves: [Int], bits: UInt64) -> [(first: Int, mask: UInt64)] {
    var masks: [Int: UInt64] = [:]
    for leaf in leaves { masks[leaf & ~7, default: 0] |= bits << UInt64(8 * (leaf & 7)) }
    return masks.sorted { $0.key < $1.key }.map { (first: $0.key, mask: $0.value) }
  }

  /// Takes the columns that the names of a source's folders hold.
  mutating func take(_ folders: FolderColumns) {
    if folders == .none && folderValues.count == 0 { return }
    var values: [(slot: Int, code: UInt32)] = []
    for field in slotFields where !values.contains(where: { $0.slot == field.slot }) {
      guard let value = folders.value(at: field.path) else { continue }
      var text = value
      let truth = text.withUTF8 { unsafe UntypedValue.plainTruth(UnsafeRawBufferPointer($0)) }
      let name = field.aliases[value] ?? truth.map { $0 ? "true" : "false" } ?? value
      if name.isEmpty { continue }
      values.append((field.slot, tables[slotTables[field.slot]].code(of: name)))
    }
    folderValues.deallocate()
    folderValues = FixedList(values)
  }

  func deallocate() {
    for index in 0..<slotRules.count { unsafe slotRules[index].pointee.cache.deallocate() }
    slotRules.deallocate()
    rulesOfLeaf.deallocate()
    leavesWithRules.deallocate()
    deletionLeaves.deallocate()
    unusualLeaves.deallocate()
    constants.deallocate()
    for index in 0..<mapped.count { unsafe mapped[index].pointee.deallocate() }
    mapped.deallocate()
    folderValues.deallocate()
    for list in [
      timestampLeaves, userLeaves, deviceLeaves, sessionLeaves, otherLeaves, messageLeaves,
    ] { list.deallocate() }
  }
}
