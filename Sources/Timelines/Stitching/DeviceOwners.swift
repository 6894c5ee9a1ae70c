internal import EventInput

/// Whose the facts are that name only a device, for all devices whose facts stand in memory.
///
///     logs by user ──► devices and their users, by partition of the device   (`SightingSweep`)
///                  ──► devices that are somebody's                           (`OwnerPass`)
///     devices of several users ──► when each was seen there                  (`MomentSweep`)
///
/// Few devices have several users, so the last mostly has nothing to do.
struct DeviceOwners: Sendable {
  private var partitions = [OwnedDevices](
    repeating: OwnedDevices(), count: FactCollector.partitionCount)
  private var sightings: [IdentifierHash: [Sighting]] = [:]
  private let limit: Int64
  /// Devices with more users than one person's device can have.
  private(set) var sharedDevices = 0
  /// Devices with two users or more that are stitched by time.
  private(set) var devicesWithSeveralUsers = 0
  /// The users seen on watched devices.
  private(set) var watchedPersons: Set<IdentifierHash> = []

  /// - Parameter limit: how far from a fact a user may be seen to be its owner.
  init(
    _ collectors: [FactCollector], united: UnitedUsers, within limit: Int64,
    watchedDevices: Set<IdentifierHash>, threads: Int
  ) async {
    self.limit = limit
    let workers = max(1, min(threads, FactCollector.partitionCount))
    // Nothing fails that reads no disk: so it is with all passes here.
    let found = await SightingSweep.run(workers: workers) { SightingSweep(collectors) }
    let shares = await OwnerPass.run(workers: workers) {
      OwnerPass(
        collectors, found: found, united: united, limit: limit, watchedDevices: watchedDevices)
    }
    var byTime = DeviceFilter()
    for share in shares {
      for (partition, devices) in share.owned { partitions[partition] = devices }
      byTime.formUnion(share.byTime)
      sharedDevices += share.sharedDevices
      devicesWithSeveralUsers += share.devicesWithSeveralUsers
      watchedPersons.formUnion(share.watchedPersons)
    }
    if byTime.isEmpty { return }
    let devices = byTime
    let moments = await MomentSweep.run(workers: workers) {
      MomentSweep(collectors, on: devices, united: united)
    }
    for share in moments { sightings.merge(share) { $0 + $1 } }
    for device in sightings.keys {
      sightings[device]?.sort { $0.timeMilliseconds < $1.timeMilliseconds }
    }
  }

  /// Whether any device of a partition is somebody's.
  func hasOwners(partition: Int) -> Bool { !partitions[partition].isEmpty }

  /// To whom the facts of a device go.
  func owner(of device: IdentifierHash, partition: Int) -> DeviceUsers.Owner {
    partitions[partition].owner(of: device)
  }

  /// The person a device's fact belongs to, the device itself for nobody.
  func person(
    of owner: DeviceUsers.Owner, device: IdentifierHash, at time: Int64
  ) -> IdentifierHash {
    switch owner {
    case .always(let person): person
    case .near(let person, let times): times.contains(time) ? person : device
    case .byTime: Sighting.owner(of: time, seen: sightings[device] ?? [], within: limit) ?? device
    }
  }
}
