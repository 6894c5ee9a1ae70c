internal import EventInput

/// One pack's codes as one collector's codes, each worked out when a fact first needs it: names
/// that only facts outside the question use don't count among those that find a place.
struct StoredTranslation {
  private let projection: StoredProjection
  /// Its slots of contexts, which take time to list.
  private let contextSlots: [StoredProjection.Slot]
  private let tables: StoredTables
  private let plan: ScanPlan
  private var actions: [UInt32]
  private var contexts: [UInt32]
  /// For each slot, actions' before contexts', and for each choice of it, names by stored code.
  private var known: [[[UInt32]]]
  private static let unknown = UInt32.max - 1
  /// Stands for an action that has no place.
  static let withoutPlace = UInt32.max - 2

  init(_ projection: StoredProjection, _ tables: StoredTables, _ plan: ScanPlan) {
    self.projection = projection
    contextSlots = projection.contexts
    self.tables = tables
    self.plan = plan
    actions = Array(repeating: StoredTranslation.unknown, count: tables.actionCount)
    contexts = Array(repeating: StoredTranslation.unknown, count: tables.contextCount)
    known = (projection.actions + contextSlots).map { slot in
      slot.choices.map { choice in
        Array(repeating: StoredTranslation.unknown, count: tables.names[choice.column].count + 1)
      }
    }
  }

  /// - Throws: `StoredDamage` for a code that the pack does not have.
  @inline(__always)
  mutating func action(
    _ code: UInt32, _ encoder: inout FactEncoder, _ names: inout [NameTable]
  ) throws(StoredDamage) -> UInt32 {
    guard Int(code) < actions.count else { throw StoredDamage() }
    let given = actions[Int(code)]
    if given != StoredTranslation.unknown { return given }
    return newAction(Int(code), &encoder, &names)
  }

  /// - Throws: `StoredDamage` for a code that the pack does not have.
  @inline(__always)
  mutating func context(
    _ code: UInt32, _ encoder: inout FactEncoder, _ names: inout [NameTable]
  ) throws(StoredDamage) -> UInt32 {
    guard Int(code) < contexts.count else { throw StoredDamage() }
    let given = contexts[Int(code)]
    if given != StoredTranslation.unknown { return given }
    return newContext(Int(code), &encoder, &names)
  }

  @inline(never)
  private mutating func newAction(
    _ code: Int, _ encoder: inout FactEncoder, _ names: inout [NameTable]
  ) -> UInt32 {
    let width = tables.actionWidth
    let stored = tables.actions[(code * width)..<(code * width + width)]
    var values: [UInt32] = []
    for (index, slot) in projection.actions.enumerated() {
      values.append(value(slot, index, stored, &names))
    }
    let given =
      unsafe values.withUnsafeBufferPointer { unsafe encoder.code(ofAction: $0) }
      ?? StoredTranslation.withoutPlace
    actions[code] = given
    return given
  }

  @inline(never)
  private mutating func newContext(
    _ code: Int, _ encoder: inout FactEncoder, _ names: inout [NameTable]
  ) -> UInt32 {
    let width = tables.contextWidth
    let stored = tables.contexts[(code * width)..<(code * width + width)]
    var slots: [UInt32] = []
    for (index, slot) in contextSlots.enumerated() {
      slots.append(value(slot, projection.actions.count + index, stored, &names))
    }
    // Flow, version, experiment, variant, then the experiments' map, then dimensions.
    var values = [slots[0], slots[1]]
    for index in projection.experimentMaps.indices {
      let own = slots[4 + index]
      let isNamed = own == 0 && slots[2] == UInt32(truncatingIfNeeded: index + 1)
      values.append(isNamed ? slots[3] : own)
    }
    values += slots[(4 + projection.experimentMaps.count)...]
    let given = unsafe values.withUnsafeBufferPointer { unsafe encoder.code(ofContext: $0) }
    contexts[code] = given
    return given
  }

  private mutating func value(
    _ slot: StoredProjection.Slot, _ number: Int, _ stored: ArraySlice<UInt32>,
    _ names: inout [NameTable]
  ) -> UInt32 {
    if let constant = slot.constant { return names[slot.table].code(of: constant) }
    for (index, choice) in slot.choices.enumerated() {
      let code = stored[stored.startIndex + choice.place]
      if code == 0 { continue }
      if StoredTables.isOther(code) {
        return plan.tables[slot.table].tellsOthersApart ? code : NameTable.other
      }
      // Codes beyond the names were never written by a store; they read as missing.
      guard Int(code) < known[number][index].count else { return 0 }
      let given = known[number][index][Int(code)]
      if given != StoredTranslation.unknown { return given }
      let name = tables.name(code, column: choice.column) ?? ""
      let new = names[slot.table].code(of: choice.aliases[name] ?? name)
      known[number][index][Int(code)] = new
      return new
    }
    return 0
  }
}
