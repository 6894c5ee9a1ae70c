internal import EventInput

/// Decides to whom the devices belong that have facts of their own, one partition of devices at a
/// time.
struct OwnerPass: PartitionPass {
  typealias Problem = Never

  /// What is known of some partitions' devices.
  struct Output: Sendable {
    var owned: [(partition: Int, devices: OwnedDevices)] = []
    /// Those of several users, where the time decides.
    var byTime = DeviceFilter()
    var sharedDevices = 0
    var devicesWithSeveralUsers = 0
    /// The users seen on the watched devices.
    var watchedPersons: Set<IdentifierHash> = []
  }

  private let collectors: [FactCollector]
  private let found: [[[SeenUser]]]
  private let united: UnitedUsers
  private let limit: Int64
  private let watchedDevices: Set<IdentifierHash>
  private var output = Output()

  /// - Parameters:
  ///   - found: what each sweep found, by partition.
  ///   - limit: how far from a fact a user may be seen to be its owner.
  init(
    _ collectors: [FactCollector], found: [[[SeenUser]]], united: UnitedUsers, limit: Int64,
    watchedDevices: Set<IdentifierHash>
  ) {
    self.collectors = collectors
    self.found = found
    self.united = united
    self.limit = limit
    self.watchedDevices = watchedDevices
  }

  mutating func take(partition: Int) {
    let users = DeviceUsers(
      found.lazy.flatMap { $0[partition] }, united: united, within: limit)
    output.sharedDevices += users.sharedCount
    output.devicesWithSeveralUsers += users.severalCount
    if !watchedDevices.isEmpty { watch(partition: partition) }
    var owned = OwnedDevices()
    for collector in collectors {
      collector.state.anonymous.forEach(partition, remembering: 0) { _, record in
        guard record.tellsKey else { return }
        let device = record.key
        let owner = users.owner(of: device)
        switch owner {
        // Whose facts it would be is asked of every one where somebody watches.
        case .always(device) where !watchedDevices.contains(device): return
        case .byTime: output.byTime.insert(device)
        case .always, .near: break
        }
        owned.add(device, owner)
      }
    }
    if !owned.isEmpty { output.owned.append((partition, owned)) }
  }

  mutating func finish() -> Output { output }

  private mutating func watch(partition: Int) {
    for seen in found.lazy.flatMap({ $0[partition] }) where watchedDevices.contains(seen.device) {
      output.watchedPersons.insert(united.person(of: seen.user))
    }
  }
}
