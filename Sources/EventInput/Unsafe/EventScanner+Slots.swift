// The values of slots, as codes.
extension EventScanner {
  func hasEventName() -> Bool {
    let rules = state.pointee.slotRules
    for index in 0..<state.pointee.eventRuleCount {
      let leaf = rules[index].pointee.leaf
      let kind = lines.kinds[leaf]
      if kind != ValueKind.missing && kind != ValueKind.container
        && lines.starts[leaf] != lines.ends[leaf]
      {
        return true
      }
    }
    return hasConstantName()
  }

  /// Why a line without the ids that the flow needs can't be used, which is `reject`'s already: its
  /// name comes first, as in a run in parts, which reads before it knows the flow's needs. What the
  /// name would be is looked at without giving it a place in a table.
  @inline(never)
  func rejectUnidentified() -> Bool { hasUsableName() ? false : reject(.missingEvent) }

  private func hasUsableName() -> Bool {
    let rules = state.pointee.slotRules
    for index in 0..<state.pointee.eventRuleCount {
      let kind = lines.kinds[rules[index].pointee.leaf]
      if kind == ValueKind.missing || kind == ValueKind.container { continue }
      guard let text = scalarText(rules[index].pointee.leaf), !text.isEmpty else { continue }
      let alias = rules[index].pointee.aliases[NameTable.composed(Array(text))]
      if alias?.isEmpty != true { return true }
    }
    return hasConstantName()
  }

  private func hasConstantName() -> Bool {
    let eventSlot = state.pointee.eventSlot
    let constants = state.pointee.constants
    for index in 0..<constants.count {
      if constants[index].pointee.slot == eventSlot && constants[index].pointee.code != 0 {
        return true
      }
    }
    return false
  }

  @inline(__always)
  func fillSlots(_ values: UnsafeMutablePointer<UInt32>) -> Bool {
    let rules = state.pointee.slotRules
    if state.pointee.rulesOfLeaf.count > 0 {
      var found = rulesWithValues()
      while found != 0 {
        fillSlot(rules[found.trailingZeroBitCount], values)
        found &= found &- 1
      }
    } else {
      for index in 0..<rules.count { fillSlot(rules[index], values) }
    }
    let constants = state.pointee.constants
    for index in 0..<constants.count {
      let constant = constants[index].pointee
      if constant.code != 0 { values[constant.slot] = constant.code }
    }
    return values[state.pointee.eventSlot] != 0 || reject(.missingEvent)
  }

  @inline(__always)
  private func fillSlot(
    _ rule: UnsafeMutablePointer<SlotRule>, _ values: UnsafeMutablePointer<UInt32>
  ) {
    let leaf = rule.pointee.leaf
    let kind = lines.kinds[leaf]
    if kind == ValueKind.missing || kind == ValueKind.container { return }
    let code = code(rule, leaf, kind)
    if code != 0 { values[rule.pointee.slot] = code }
  }

  /// The rules whose leaves hold something, a bit each: of eight leaves at a time those that are
  /// not `ValueKind.missing`, which is 0. So nothing is asked about the many that are.
  @inline(__always)
  private func rulesWithValues() -> UInt64 {
    let masks = state.pointee.rulesOfLeaf
    let kinds = UnsafeRawPointer(lines.kinds)
    var rules: UInt64 = 0
    var first = 0
    while first < masks.count {
      let word = UInt64(littleEndian: kinds.loadUnaligned(fromByteOffset: first, as: UInt64.self))
      // Kinds are below 8.
      var leaves = (word | word &>> 1 | word &>> 2) & 0x0101_0101_0101_0101
      while leaves != 0 {
        rules |= masks[first &+ leaves.trailingZeroBitCount &>> 3].pointee
        leaves &= leaves &- 1
      }
      first &+= 8
    }
    return rules
  }

  @inline(__always)
  func code(_ rule: UnsafeMutablePointer<SlotRule>, _ leaf: Int, _ kind: UInt8) -> UInt32 {
    var start = lines.starts[leaf]
    var count = lines.ends[leaf] - start
    if kind != ValueKind.string {
      guard let text = scalarText(leaf), let base = text.baseAddress else { return 0 }
      start = base.assumingMemoryBound(to: UInt8.self)
      count = text.count
    }
    return code(rule, start, count)
  }

  /// The code of a text under a rule; 0 for none.
  @inline(__always)
  func code(_ rule: UnsafeMutablePointer<SlotRule>, _ start: Address, _ count: Int) -> UInt32 {
    if count == 0 { return 0 }
    guard count <= ValueCache.maximumBytes else { return newCode(rule, start, count) }
    let value = ValueCache.known(start, count, 0)
    let place = rule.pointee.cache.place(of: value)
    if ValueCache.isHit(place, value) { return place.pointee.code }
    let code = newCode(rule, start, count)
    place.pointee = value
    place.pointee.code = code
    return code
  }

  @inline(never)
  func newCode(_ rule: UnsafeMutablePointer<SlotRule>, _ start: Address, _ count: Int)
    -> UInt32
  {
    let text = UnsafeRawBufferPointer(start: start, count: count)
    let table = rule.pointee.table
    if !rule.pointee.aliases.isEmpty,
      let name = rule.pointee.aliases[NameTable.composed(Array(text))]
    {
      return name.withUnsafeBytes { state.pointee.tables[table].code(of: $0) }
    }
    if rule.pointee.isUntyped, let truth = UntypedValue.plainTruth(text) {
      return state.pointee.tables[table].code(of: truth ? "true" : "false")
    }
    return state.pointee.tables[table].code(of: text)
  }
}
