internal import EventInput

/// Finds in the facts of users who was seen on which device.
///
/// Facts are by user, and devices are resolved by device: what is found is a log by partition of
/// the device, whose records have the user where a fact has its device. Mostly a user has one
/// device, and all of a user's facts give one finding.
struct SightingSweep: PartitionPass {
  /// What a slot of a log remembers.
  private struct Memory {
    var user = 0
    var hasDevice = false
  }

  private let sources: [FactSource]
  private var found: PassLog
  private var users = IdentifierTable()
  /// By user: the device of the fact that was met last.
  private var latest: [SeenUser] = []

  init(_ users: [FactSource], _ found: PassLog) {
    sources = users
    self.found = found
  }

  /// Takes in the facts of one partition's users.
  mutating func take(partition: Int) throws(SpillError) {
    users.removeAll()
    latest.removeAll(keepingCapacity: true)
    for source in sources {
      try source.log.read(partition).forEach(remembering: Memory()) { memory, record in
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
    try found.keepWithinBudget()
  }

  mutating func finish() throws(SpillError) -> FactLog { try found.finish() }

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
    if !seen.device.isMissing { seen.add(to: found.log) }
  }
}
