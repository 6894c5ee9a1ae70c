// The values of slots, as codes.
extension EventScanner {
  @inline(__always)
  func hasEventName() -> Bool {
    let rules = unsafe state.pointee.slotRules
    if unsafe state.pointee.eventRuleCount > 0 {
      let leaf = unsafe rules[0].pointee.leaf
      if unsafe lines.kinds[leaf] == ValueKind.string && lines.starts[leaf] != lines.ends[leaf] {
        return true
      }
    }
    return hasAnyEventName()
  }

  @inline(never)
  private func hasAnyEventName() -> Bool {
    let rules = unsafe state.pointee.slotRules
    for index in unsafe 0..<state.pointee.eventRuleCount {
      let leaf = unsafe rules[index].pointee.leaf
      let kind = unsafe lines.kinds[leaf]
      if unsafe kind != ValueKind.missing && kind != ValueKind.container
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
    let rules = unsafe state.pointee.slotRules
    for index in unsafe 0..<state.pointee.eventRuleCount {
      let kind = unsafe lines.kinds[rules[index].pointee.leaf]
      if kind == ValueKind.missing || kind == ValueKind.container { continue }
      guard let text = unsafe scalarText(rules[index].pointee.leaf), unsafe !text.isEmpty else {
        continue
      }
      let alias = unsafe rules[index].pointee.aliases[NameTable.composed(Array(text))]
      if alias?.isEmpty != true { return true }
    }
    return hasConstantName()
  }

  private func hasConstantName() -> Bool {
    let eventSlot = unsafe state.pointee.eventSlot
    let constants = unsafe state.pointee.constants
    for index in 0..<constants.count {
      if unsafe constants[index].pointee.slot == eventSlot && constants[index].pointee.code != 0 {
        return true
      }
    }
    let folders = unsafe state.pointee.folderValues
    for index in 0..<folders.count where unsafe folders[index].pointee.slot == eventSlot {
      return true
    }
    return false
  }

  @inline(__always)
  func fillSlots(_ values: UnsafeMutablePointer<UInt32>) -> Bool {
    let rules = unsafe state.pointee.slotRules
    if unsafe state.pointee.rulesOfLeaf.count > 0 {
      var found = rulesWithValues()
      while found != 0 {
        unsafe fillSlot(rules[found.trailingZeroBitCount], values)
        found &= found &- 1
      }
    } else {
      for index in 0..<rules.count where unsafe lines.kinds[rules[index].pointee.leaf] & 1 == 1 {
        unsafe fillSlot(rules[index], values)
      }
    }
    if unsafe state.pointee.constants.count + state.pointee.folderValues.count > 0 {
      unsafe fillFixedSlots(values)
    }
    return unsafe values[state.pointee.eventSlot] != 0 || reject(.missingEvent)
  }

  /// Fills slots with what doesn't depend on the event.
  @inline(never)
  private func fillFixedSlots(_ values: UnsafeMutablePointer<UInt32>) {
    let constants = unsafe state.pointee.constants
    for index in 0..<constants.count {
      let constant = unsafe constants[index].pointee
      if constant.code != 0 { unsafe values[constant.slot] = constant.code }
    }
    let folders = unsafe state.pointee.folderValues
    for index in 0..<folders.count {
      let folder = unsafe folders[index].pointee
      if unsafe values[folder.slot] == 0 { unsafe values[folder.slot] = folder.code }
    }
  }

  @inline(__always)
  private func fillSlot(
    _ rule: UnsafeMutablePointer<SlotRule>, _ values: UnsafeMutablePointer<UInt32>
  ) {
    let leaf = unsafe rule.pointee.leaf
    let kind = unsafe lines.kinds[leaf]
    var start = unsafe lines.starts[leaf]
    var count = unsafe lines.ends[leaf] - start
    if kind != ValueKind.string {
      guard let text = plainText(leaf) else { return }
      unsafe (start, count) = (text.start, text.count)
    }
    let code = unsafe code(rule, start, count)
    if code != 0 { unsafe values[rule.pointee.slot] = code }
  }

  /// The text of a leaf that holds no plain string; nil for none.
  @inline(never)
  private func plainText(_ leaf: Int) -> IdentifierText? {
    unsafe scalarText(leaf).flatMap { unsafe IdentifierText($0) }
  }

  /// The rules whose leaves hold what may be a name, a bit each: of eight leaves at a time those
  /// whose kinds are odd. So nothing is asked about the many that hold nothing.
  @inline(__always)
  private func rulesWithValues() -> UInt64 {
    let masks = unsafe state.pointee.rulesOfLeaf
    let words = unsafe state.pointee.leavesWithRules
    var rules: UInt64 = 0
    var word = 0
    while word < words.count {
      let (first, mask) = unsafe words[word].pointee
      var leaves = kinds(from: first) & mask
      while leaves != 0 {
        unsafe rules |= masks[first &+ leaves.trailingZeroBitCount &>> 3].pointee
        leaves &= leaves &- 1
      }
      word &+= 1
    }
    return rules
  }

  /// The code of a text under a rule; 0 for none.
  @inline(__always)
  private func code(
    _ rule: UnsafeMutablePointer<SlotRule>, _ start: Address, _ count: Int
  ) -> UInt32 {
    guard UInt(bitPattern: count &- 1) < ValueCache.maximumBytes else {
      return unsafe count == 0 ? 0 : newCode(rule, start, count)
    }
    let value = unsafe ValueCache.known(start, count, 0)
    let place = unsafe rule.pointee.cache.place(of: value)
    if unsafe ValueCache.isHit(place, value) { return unsafe place.pointee.code }
    let code = unsafe newCode(rule, start, count)
    unsafe place.pointee = value
    unsafe place.pointee.code = code
    return code
  }

  @inline(never)
  private func newCode(
    _ rule: UnsafeMutablePointer<SlotRule>, _ start: Address, _ count: Int
  ) -> UInt32 {
    let text = unsafe UnsafeRawBufferPointer(start: start, count: count)
    let table = unsafe rule.pointee.table
    if unsafe !rule.pointee.aliases.isEmpty,
      let name = unsafe rule.pointee.aliases[NameTable.composed(Array(text))]
    {
      return unsafe name.withUnsafeBytes { unsafe state.pointee.tables[table].code(of: $0) }
    }
    if unsafe rule.pointee.isUntyped, let truth = unsafe UntypedValue.plainTruth(text) {
      return unsafe state.pointee.tables[table].code(of: truth ? "true" : "false")
    }
    return unsafe state.pointee.tables[table].code(of: text)
  }
}
