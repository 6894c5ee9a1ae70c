internal import EventInput

/// Finds in the workers' logs when users were seen on devices for which that matters.
struct MomentSweep: PartitionPass {
  typealias Problem = Never

  private let collectors: [FactCollector]
  private let devices: DeviceFilter
  private let united: UnitedUsers
  private var found: [IdentifierHash: [Sighting]] = [:]

  init(_ collectors: [FactCollector], on devices: DeviceFilter, united: UnitedUsers) {
    self.collectors = collectors
    self.devices = devices
    self.united = united
  }

  mutating func take(partition: Int) {
    for collector in collectors {
      collector.state.arena.forEach(partition, remembering: RecordBase()) { base, record in
        base.take(record)
        if base.device.isMissing || !devices.mayContain(base.device) { return }
        found[base.device, default: []].append(
          Sighting(timeMilliseconds: record.timeMilliseconds, user: united.person(of: base.key)))
      }
    }
  }

  mutating func finish() -> [IdentifierHash: [Sighting]] { found }
}
