internal import EventInput

/// Events of a batch → facts: the values of actions and contexts become one code each.
struct FactEncoder {
  /// The facts of the batch encoded last, and behind them some without meaning.
  private(set) var facts: [Fact] = []
  private(set) var actions: TupleTable
  private(set) var contexts: TupleTable
  /// Facts that came back from a store and whose action found no place.
  private var storedWithoutPlace = 0
  private let actionSlots: [Int]
  /// Of flow, version, each experiment and the dimensions.
  private let contextSlots: [Int]
  private let experimentCount: Int
  private let experimentSlot: Int
  private let variantSlot: Int
  /// The events of a batch, action and context one after the other; reused, as are their codes.
  private var tuples: [UInt32] = []
  private var actionCodes: [UInt32] = []
  private var contextCodes: [UInt32] = []

  init(_ schema: FactSchema) {
    actions = .ofActions(width: schema.actionWidth)
    contexts = .ofContexts(width: schema.contextWidth)
    actionSlots = schema.actionSlots
    contextSlots =
      [schema.flowSlot, schema.versionSlot] + schema.experimentMapSlots + schema.dimensionSlots
    experimentCount = schema.experimentMapSlots.count
    experimentSlot = schema.experimentSlot
    variantSlot = schema.variantSlot
  }

  /// Facts whose combination of values found no place: kept as plain activity, or without
  /// circumstances.
  var factsWithoutPlace: Int { actions.misses + contexts.misses + storedWithoutPlace }

  /// The first half of encoding. The caller may prefetch memory between the two halves.
  ///
  /// - Parameter latest: what later events are and when they were sent is not looked at.
  mutating func encodeActions(_ batch: borrowing EventBatch, upTo latest: Int64) {
    let count = batch.count
    if tuples.count < count * stride {
      tuples = Array(repeating: 0, count: count * stride)
      actionCodes = Array(repeating: 0, count: count)
      contextCodes = actionCodes
    }
    layOut(batch)
    if latest < .max { clear(batch, after: latest) }
    Self.look(up: tuples, from: 0, stride: stride, in: &actions, count: count, into: &actionCodes)
  }

  /// The second half: from here on `facts` are those of the batch.
  mutating func encodeContexts(_ batch: borrowing EventBatch) {
    let count = batch.count
    Self.look(
      up: tuples, from: actions.rowWidth, stride: stride, in: &contexts, count: count,
      into: &contextCodes)
    let none = Fact(timeMilliseconds: 0, action: 0, context: 0, session: 0)
    if facts.count < count { facts = Array(repeating: none, count: count) }
    let (ownActions, ownContexts) = (actionCodes, contextCodes)
    unsafe facts.withUnsafeMutableBufferPointer { facts in
      for index in 0..<count {
        unsafe facts[index] = Fact(
          timeMilliseconds: batch.timesMilliseconds[index], action: ownActions[index],
          context: ownContexts[index], session: batch.sessions[index],
          message: batch.messages[index])
      }
    }
  }

  /// Leaves nothing of later events, so that no table knows what only they say.
  private mutating func clear(_ batch: borrowing EventBatch, after latest: Int64) {
    let stride = stride
    for index in 0..<batch.count where batch.timesMilliseconds[index] > latest {
      for place in (index * stride)..<((index + 1) * stride) { tuples[place] = 0 }
    }
  }

  /// How far one event's action is from the next one's: its row, and that of its context.
  private var stride: Int { actions.rowWidth + contexts.rowWidth }

  private static func look(
    up tuples: [UInt32], from first: Int, stride: Int, in table: inout TupleTable, count: Int,
    into codes: inout [UInt32]
  ) {
    if count == 0 { return }
    unsafe tuples.withUnsafeBufferPointer { tuples in
      guard let rows = tuples.baseAddress else { return }
      unsafe codes.withUnsafeMutableBufferPointer { codes in
        unsafe table.codes(
          ofRows: rows + first, stride: stride,
          into: UnsafeMutableBufferPointer(rebasing: codes[..<count]))
      }
    }
  }

  /// Writes every event's action, and its context behind it.
  private mutating func layOut(_ batch: borrowing EventBatch) {
    let (stride, rowWidth, slotCount) = (stride, actions.rowWidth, batch.slotCount)
    // A value of its own for now: its parts are written while those of `self` are read.
    var tuples: [UInt32] = []
    swap(&tuples, &self.tuples)
    defer { swap(&tuples, &self.tuples) }
    let count = batch.count
    unsafe tuples.withUnsafeMutableBufferPointer { tuples in
      unsafe batch.values.withUnsafeBufferPointer { values in
        guard var tuple = tuples.baseAddress, var row = values.baseAddress else { return }
        for _ in 0..<count {
          unsafe Self.gather(actionSlots, from: row, into: tuple)
          unsafe layOutContext(tuple + rowWidth, from: row)
          unsafe tuple += stride
          unsafe row += slotCount
        }
      }
    }
  }

  @inline(__always)
  private func layOutContext(
    _ tuple: UnsafeMutablePointer<UInt32>, from row: UnsafePointer<UInt32>
  ) {
    unsafe Self.gather(contextSlots, from: row, into: tuple)
    // An experiment that the event names beside its variant; codes of the flows' own begin at 1.
    let named = unsafe Int(row[experimentSlot])
    if named &- 1 < experimentCount, named > 0, unsafe tuple[named &+ 1] == 0 {
      unsafe tuple[named &+ 1] = row[variantSlot]
    }
  }

  @inline(__always)
  private static func gather(
    _ slots: [Int], from row: UnsafePointer<UInt32>, into tuple: UnsafeMutablePointer<UInt32>
  ) {
    unsafe slots.withUnsafeBufferPointer { slots in
      for place in 0..<slots.count { unsafe tuple[place] = row[slots[place]] }
    }
  }
}

// Facts that were encoded before, in a store: only their tuples are looked up here.
extension FactEncoder {
  /// The code of an action's values; `nil` where there is no place for one more.
  mutating func code(ofAction values: UnsafeBufferPointer<UInt32>) -> UInt32? {
    let misses = actions.misses
    let action = unsafe actions.code(of: values)
    return actions.misses == misses ? action : nil
  }

  mutating func code(ofContext values: UnsafeBufferPointer<UInt32>) -> UInt32 {
    unsafe contexts.code(of: values)
  }

  /// Notes facts that keep only their time, because their action found no place.
  mutating func noteWithoutPlace(_ count: Int) { storedWithoutPlace += count }
}
