public import EventInput
internal import FlowDefinition

/// One worker's share of the facts: takes batches of events, keeps 24 bytes of each.
///
/// Ids, actions and contexts become numbers of this worker's own; `TimelineBuilder` unites the
/// workers afterwards.
public final class FactCollector: @unchecked Sendable {
  /// Partitions by person: small enough that one partition sorts inside the caches.
  static let partitionCount = 64

  let schema: FactSchema
  private(set) var persons = IdentifierTable()
  private(set) var devices = IdentifierTable()
  /// For each device the first user seen there, as a number in `persons`; `.max` for none.
  private(set) var userOfDevice: [UInt32] = []
  /// Devices on which this worker has seen a second user.
  private(set) var hasSecondUser: [Bool] = []
  private(set) var actions: TupleTable
  private(set) var contexts: TupleTable
  /// Facts whose person is known, by partition.
  let arena = FactArena(lists: FactCollector.partitionCount)
  /// Facts with a device only; their `person` is the device's number.
  let anonymous = FactArena(lists: 1)
  /// Facts whose combination of values found no place (SPEC 14); kept as plain activity.
  private(set) var actionsWithoutPlace = 0
  private var actionValues: [UInt32]
  private var contextValues: [UInt32]

  /// Facts later than this are not taken in, as if they had not been read.
  private let latestMilliseconds: Int64
  /// Facts that were later.
  private(set) var factsTooLate = 0

  public init(schema: FactSchema, latestMilliseconds: Int64 = .max) {
    self.schema = schema
    self.latestMilliseconds = latestMilliseconds
    actions = TupleTable(width: schema.actionWidth)
    contexts = TupleTable(width: schema.contextWidth)
    actionValues = Array(repeating: 0, count: schema.actionWidth)
    contextValues = Array(repeating: 0, count: schema.contextWidth)
  }

  static func partition(of key: IdentifierHash) -> Int {
    Int(truncatingIfNeeded: key.high >> 58)
  }

  /// Keeps the facts of a batch.
  public func add(_ batch: borrowing EventBatch) {
    let stitched = schema.identity == .stitched
    let byDevice = schema.identity == .device
    for index in 0..<batch.count {
      if batch.timesMilliseconds[index] > latestMilliseconds {
        factsTooLate += 1
        continue
      }
      let fact = encode(batch, index)
      let user = byDevice ? .missing : batch.users[index]
      let device = schema.identity == .user ? .missing : batch.devices[index]
      if user.isMissing && stitched {
        let number = internDevice(device)
        anonymous.append(CollectedFact(fact: fact, person: number, device: number), to: 0)
        continue
      }
      let key = user.isMissing ? device : user
      let person = persons.intern(key)
      var deviceNumber = UInt32.max
      if stitched && !device.isMissing {
        deviceNumber = internDevice(device)
        see(user: person, on: Int(deviceNumber))
      }
      arena.append(
        CollectedFact(fact: fact, person: person, device: deviceNumber),
        to: FactCollector.partition(of: key))
    }
  }

  /// Gives device-only facts to the persons they belong to, by `owner` for each device number.
  func adopt(_ owner: (_ device: Int, _ timeMilliseconds: Int64) -> IdentifierHash) {
    anonymous.forEach(0) { collected in
      let key = owner(Int(collected.person), collected.fact.timeMilliseconds)
      arena.append(
        CollectedFact(fact: collected.fact, person: persons.intern(key), device: .max),
        to: FactCollector.partition(of: key))
    }
    anonymous.release(0)
  }

  private func internDevice(_ device: IdentifierHash) -> UInt32 {
    let number = devices.intern(device)
    if Int(number) == userOfDevice.count {
      userOfDevice.append(.max)
      hasSecondUser.append(false)
    }
    return number
  }

  private func see(user: UInt32, on device: Int) {
    if userOfDevice[device] == .max {
      userOfDevice[device] = user
    } else if userOfDevice[device] != user {
      hasSecondUser[device] = true
    }
  }

  private func encode(_ batch: borrowing EventBatch, _ index: Int) -> Fact {
    let row = index * batch.slotCount
    for (place, slot) in schema.actionSlots.enumerated() {
      actionValues[place] = batch.values[row + slot]
    }
    contextValues[0] = batch.values[row + schema.flowSlot]
    contextValues[1] = batch.values[row + schema.versionSlot]
    let experiment = batch.values[row + schema.experimentSlot]
    for (place, slot) in schema.experimentMapSlots.enumerated() {
      var variant = batch.values[row + slot]
      if variant == 0 && experiment == UInt32(place + 1) {
        variant = batch.values[row + schema.variantSlot]
      }
      contextValues[2 + place] = variant
    }
    let firstDimension = 2 + schema.experimentMapSlots.count
    for (place, slot) in schema.dimensionSlots.enumerated() {
      contextValues[firstDimension + place] = batch.values[row + slot]
    }
    return Fact(
      timeMilliseconds: batch.timesMilliseconds[index], action: actionCode(),
      context: contextValues.withUnsafeBufferPointer { contexts.code(of: $0) },
      session: batch.sessions[index])
  }

  private func actionCode() -> UInt32 {
    let code = actionValues.withUnsafeBufferPointer { actions.code(of: $0) }
    if Int(code) < Fact.maximumActions { return code }
    actionsWithoutPlace += 1
    return 0
  }
}
