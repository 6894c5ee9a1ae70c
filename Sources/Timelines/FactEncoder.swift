internal import EventInput

/// Events of a batch → facts: the values of actions and contexts become one code each.
struct FactEncoder {
  private(set) var facts: [Fact] = []
  private(set) var actions: TupleTable
  private(set) var contexts: TupleTable
  /// Facts whose combination of values found no place (SPEC 14); kept as plain activity.
  private(set) var actionsWithoutPlace = 0
  private let actionSlots: [Int]
  private let experimentSlots: [Int]
  private let dimensionSlots: [Int]
  private let flowSlot: Int
  private let versionSlot: Int
  private let experimentSlot: Int
  private let variantSlot: Int
  private let tuple: [UInt32]

  init(_ schema: FactSchema) {
    actions = TupleTable(width: schema.actionWidth)
    contexts = TupleTable(width: schema.contextWidth)
    actionSlots = schema.actionSlots
    experimentSlots = schema.experimentMapSlots
    dimensionSlots = schema.dimensionSlots
    flowSlot = schema.flowSlot
    versionSlot = schema.versionSlot
    experimentSlot = schema.experimentSlot
    variantSlot = schema.variantSlot
    tuple = Array(repeating: 0, count: max(schema.actionWidth, schema.contextWidth))
  }

  mutating func encode(_ batch: borrowing EventBatch) {
    facts.removeAll(keepingCapacity: true)
    let slotCount = batch.slotCount
    let count = batch.count
    var tuple = tuple
    batch.values.withUnsafeBufferPointer { values in
      tuple.withUnsafeMutableBufferPointer { tuple in
        for index in 0..<count {
          let row = UnsafeBufferPointer(
            rebasing: values[(index * slotCount)..<(index * slotCount + slotCount)])
          for place in 0..<actionSlots.count { tuple[place] = row[actionSlots[place]] }
          var action = actions.code(of: UnsafeBufferPointer(rebasing: tuple[..<actionSlots.count]))
          if Int(action) >= Fact.maximumActions {
            actionsWithoutPlace += 1
            action = 0
          }
          let width = fill(tuple, from: row)
          let context = contexts.code(of: UnsafeBufferPointer(rebasing: tuple[..<width]))
          facts.append(
            Fact(
              timeMilliseconds: batch.timesMilliseconds[index], action: action, context: context,
              session: batch.sessions[index]))
        }
      }
    }
  }

  /// Lays a context's values out; returns how many there are.
  private func fill(
    _ tuple: UnsafeMutableBufferPointer<UInt32>, from row: UnsafeBufferPointer<UInt32>
  ) -> Int {
    tuple[0] = row[flowSlot]
    tuple[1] = row[versionSlot]
    var place = 2
    for index in 0..<experimentSlots.count {
      let own = row[experimentSlots[index]]
      let isNamed = own == 0 && row[experimentSlot] == UInt32(truncatingIfNeeded: index + 1)
      tuple[place] = isNamed ? row[variantSlot] : own
      place += 1
    }
    for index in 0..<dimensionSlots.count {
      tuple[place] = row[dimensionSlots[index]]
      place += 1
    }
    return place
  }
}

// Facts that were encoded before, in a store: only their tuples are looked up here.
extension FactEncoder {
  /// The code of an action's values; `nil` where there is no place for one more.
  mutating func code(ofAction values: UnsafeBufferPointer<UInt32>) -> UInt32? {
    let action = actions.code(of: values)
    return Int(action) < Fact.maximumActions ? action : nil
  }

  mutating func code(ofContext values: UnsafeBufferPointer<UInt32>) -> UInt32 {
    contexts.code(of: values)
  }

  /// Notes facts that keep only their time, because their action found no place.
  mutating func noteWithoutPlace(_ count: Int) { actionsWithoutPlace += count }
}
