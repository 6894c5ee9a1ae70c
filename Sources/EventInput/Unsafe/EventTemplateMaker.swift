import CScanKernel

/// Finds the roles of a template's values.
struct EventTemplateMaker {
  private(set) var event = EventTemplates.Event()
  private(set) var wanted: [scan_wanted] = []
  private(set) var scalars: [EventTemplates.Scalar] = []
  private let state: EventScannerState
  private var quoteOfLeaf: [Int: Int16] = [:]
  private var scalarOfLeaf: [Int: TemplateScalar] = [:]
  private var containers: Set<Int> = []
  /// Scalars where a time or an id may stand: others than null are not simple.
  private var mustBeNull: Set<Int> = []

  init(
    _ template: LineTemplate, _ templates: LineTemplates, _ state: EventScannerState, leafCount: Int
  ) {
    self.state = state
    func isThere(_ leaf: Int32) -> Bool {
      templates.kinds[Int(template.firstKind) + Int(leaf)] != ValueKind.missing
    }
    for index in 0..<Int(template.valueCount) {
      let value = templates.values[Int(template.firstValue) + index]
      if isThere(value.leaf) { quoteOfLeaf[Int(value.leaf)] = Int16(value.quote) }
    }
    for index in 0..<Int(template.scalarCount) {
      let scalar = templates.scalars[Int(template.firstScalar) + index]
      if Int(scalar.leaf) < leafCount {
        scalarOfLeaf[Int(scalar.leaf)] = scalar
      } else {
        scalars.append(EventTemplates.Scalar(scalar: scalar, rule: -1))
      }
    }
    for index in 0..<Int(template.containerCount) {
      let leaf = templates.containers[Int(template.firstContainer) + index].leaf
      if isThere(leaf) { containers.insert(Int(leaf)) }
    }
  }

  mutating func make() -> Bool {
    guard state.clock == nil, !isThere(state.otherLeaves), let time = only(state.timestampLeaves),
      time >= 0, let user = only(state.userLeaves), let device = only(state.deviceLeaves),
      let session = only(state.sessionLeaves), let message = only(state.messageLeaves), makeSlots()
    else { return false }
    event.message = message
    (event.time, event.user, event.device, event.session) = (time, user, device, session)
    for (leaf, scalar) in scalarOfLeaf.sorted(by: { $0.key < $1.key })
    where mustBeNull.contains(leaf) || !scalars.contains(where: { Int($0.scalar.leaf) == leaf }) {
      scalars.append(EventTemplates.Scalar(scalar: scalar, rule: -1))
    }
    return true
  }

  private func isThere(_ leaves: FixedList<Int>) -> Bool {
    (0..<leaves.count).contains { index in
      let leaf = leaves[index].pointee
      return quoteOfLeaf[leaf] != nil || scalarOfLeaf[leaf] != nil || containers.contains(leaf)
    }
  }

  /// The quote before the only string among the leaves, -1 if there is none; nil if there are
  /// several, or what is no string.
  private mutating func only(_ leaves: FixedList<Int>) -> Int16? {
    var found: Int16 = -1
    for index in 0..<leaves.count {
      let leaf = leaves[index].pointee
      if containers.contains(leaf) { return nil }
      if scalarOfLeaf[leaf] != nil { mustBeNull.insert(leaf) }
      guard let quote = quoteOfLeaf[leaf] else { continue }
      if found >= 0 { return nil }
      found = quote
    }
    return found
  }

  private mutating func makeSlots() -> Bool {
    var filled: Set<Int> = []
    for index in 0..<state.slotRules.count {
      let rule = state.slotRules[index].pointee
      let quote = quoteOfLeaf[rule.leaf]
      let scalar = scalarOfLeaf[rule.leaf]
      if quote == nil && scalar == nil { continue }
      guard filled.insert(rule.slot).inserted else { return false }
      // Whether there is a name must be known before other values get codes.
      if rule.slot == state.eventSlot && quote == nil { return false }
      if let quote {
        wanted.append(
          scan_wanted(
            known: rule.cache.ofTemplates, quote: UInt16(quote), slot: UInt16(rule.slot),
            rule: UInt32(index)))
      } else if let scalar {
        scalars.append(EventTemplates.Scalar(scalar: scalar, rule: index))
      }
    }
    return filled.contains(state.eventSlot)
  }
}
