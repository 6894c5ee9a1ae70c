internal import EventInput

/// Finds in the workers' logs which users were seen on which devices.
///
/// Logs are by user, and devices are resolved by device: what is found is sorted by partition of
/// the device. Mostly a user has one device, and all of a user's facts give one finding.
struct SightingSweep: PartitionPass {
  typealias Problem = Never

  /// What a slot of a log remembers.
  private struct Memory {
    var user = 0
    var hasDevice = false
  }

  private let collectors: [FactCollector]
  private var found = [[SeenUser]](repeating: [], count: FactCollector.partitionCount)
  private var users = IdentifierTable()
  /// By user: the device of the fact that was met last.
  private var latest: [SeenUser] = []

  init(_ collectors: [FactCollector]) { self.collectors = collectors }

  /// Takes in the facts of one partition's users.
  mutating func take(partition: Int) {
    users.removeAll()
    latest.removeAll(keepingCapacity: true)
    for collector in collectors {
      collector.state.arena.forEach(partition, remembering: Memory()) { memory, record in
        if record.tellsKey { memory.user = begin(record.key) }
        if record.tellsDevice {
          change(memory.user, to: record.device)
          memory.hasDevice = !record.device.isMissing
        } else if record.tellsKey {
          change(memory.user, to: .missing)
          memory.hasDevice = false
        }
        if memory.hasDevice { latest[memory.user].span.add(record.timeMilliseconds) }
      }
    }
    for seen in latest { note(seen) }
  }

  /// By partition of the device.
  mutating func finish() -> [[SeenUser]] { found }

  private mutating func begin(_ user: IdentifierHash) -> Int {
    let number = Int(users.intern(user))
    if number == latest.count { latest.append(SeenUser(device: .missing, user: user)) }
    return number
  }

  private mutating func change(_ user: Int, to device: IdentifierHash) {
    if latest[user].device == device { return }
    note(latest[user])
    latest[user].device = device
    latest[user].span = SeenSpan()
  }

  private mutating func note(_ seen: SeenUser) {
    if seen.device.isMissing { return }
    found[FactCollector.partition(of: seen.device)].append(seen)
  }
}
