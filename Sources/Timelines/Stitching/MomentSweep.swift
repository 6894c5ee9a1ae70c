internal import EventInput

/// Finds in the facts of users when these were seen on devices for which that matters.
struct MomentSweep: PartitionPass {
  private let users: [FactSource]
  private let devices: DeviceFilter
  private var found: PassLog

  /// - Parameter found: takes a record of the device and the user for each moment.
  init(_ users: [FactSource], on devices: DeviceFilter, _ found: PassLog) {
    self.users = users
    self.devices = devices
    self.found = found
  }

  mutating func take(partition: Int) throws(SpillError) {
    let (devices, log) = (devices, found.log)
    for source in users {
      try source.log.read(partition).forEach(remembering: RecordBase()) { base, record in
        base.take(record)
        if base.device.isMissing || !devices.mayContain(base.device) { return }
        log.append(
          SeenUser.fact(at: record.timeMilliseconds), key: base.device, device: base.key,
          to: FactCollector.partition(of: base.device))
      }
      try found.keepWithinBudget()
    }
  }

  mutating func finish() throws(SpillError) -> FactLog { try found.finish() }
}
