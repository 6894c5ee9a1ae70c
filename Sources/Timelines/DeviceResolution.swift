internal import EventInput

/// Whose a device-only fact is (SPEC 5, definitions 3): answers for all devices of a run.
///
/// Nearly every device has one user, and then no times matter. Only for devices with several users
/// the moments at which each was seen are collected, from the facts that carry both ids.
struct DeviceResolution: Sendable {
  static let maximumUsersPerDevice = 5

  /// A user seen on a device at a moment.
  struct Sighting: Sendable {
    var timeMilliseconds: Int64
    var user: IdentifierHash
  }

  /// To whom users belong: a device knows persons, not their ids.
  private let united: UnitedUsers
  private var devices = IdentifierTable()
  /// Each worker's devices as numbers in `devices`; none for the first, whose numbers they are.
  private var numbersOfWorkers: [[UInt32]] = []
  /// The device's only user; missing for none, or where `sightings` has to be asked.
  private var onlyUser: [IdentifierHash] = []
  /// For devices with several users, their sightings in order of time; empty for a shared device.
  private var sightings: [UInt32: [Sighting]] = [:]
  /// Devices with more users than one person's device can have.
  private(set) var sharedDevices = 0
  /// Devices with two users or more that are stitched by time.
  private(set) var devicesWithSeveralUsers = 0

  /// From collectors, whose devices are known by number from here on.
  init(_ collectors: [FactCollector], united: UnitedUsers) {
    self.united = united
    var several: Set<UInt32> = []
    if let first = collectors.first {
      devices = first.state.devices
      // Its own table from here on: otherwise it would be copied for the first new device.
      first.forgetDeviceNumbers()
    }
    onlyUser.reserveCapacity(devices.count + devices.count / 4)
    for (worker, collector) in collectors.enumerated() {
      let numbers = worker == 0 ? [] : devices.intern(all: collector.state.devices.keys)
      numbersOfWorkers.append(numbers)
      onlyUser += repeatElement(.missing, count: devices.count - onlyUser.count)
      let keys = collector.state.persons.keys
      for (number, userNumber) in collector.state.userOfDevice.enumerated()
      where userNumber != .max {
        let device = worker == 0 ? number : Int(numbers[number])
        let user = united.person(of: keys[Int(userNumber)])
        let known = onlyUser[device]
        if collector.state.hasSecondUser[number] || (!known.isMissing && known != user) {
          several.insert(UInt32(truncatingIfNeeded: device))
        }
        onlyUser[device] = user
      }
    }
    // From here on devices are asked for by number.
    devices.forgetNumbers()
    if !several.isEmpty { collectSightings(several, collectors) }
  }

  /// The person a fact belongs to that names only this device, by its number here.
  func owner(
    of device: UInt32, key: IdentifierHash, at timeMilliseconds: Int64
  ) -> IdentifierHash {
    if dependsOnTime(device), let seen = sightings[device] {
      return DeviceResolution.decide(seen, timeMilliseconds) ?? key
    }
    let user = onlyUser[Int(device)]
    return user.isMissing ? key : user
  }

  /// Whether the device's facts have different owners at different times.
  func dependsOnTime(_ device: UInt32) -> Bool {
    !sightings.isEmpty && sightings[device] != nil
  }

  /// The number here of a worker's device.
  func device(worker: Int, number: Int) -> UInt32 {
    worker == 0 ? UInt32(truncatingIfNeeded: number) : numbersOfWorkers[worker][number]
  }

  /// The first user seen at or after the time, else the last before it; `nil` where two users tie.
  static func decide(_ seen: [Sighting], _ timeMilliseconds: Int64) -> IdentifierHash? {
    var low = 0
    var high = seen.count
    while low < high {
      let middle = (low + high) / 2
      if seen[middle].timeMilliseconds < timeMilliseconds {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let deciding = low < seen.count ? low : low - 1
    guard deciding >= 0 else { return nil }
    let moment = seen[deciding].timeMilliseconds
    let user = seen[deciding].user
    var index = deciding
    while index > 0 && seen[index - 1].timeMilliseconds == moment { index -= 1 }
    while index < seen.count && seen[index].timeMilliseconds == moment {
      if seen[index].user != user { return nil }
      index += 1
    }
    return user
  }

  private mutating func collectSightings(_ several: Set<UInt32>, _ collectors: [FactCollector]) {
    var found: [UInt32: [Sighting]] = [:]
    for (worker, collector) in collectors.enumerated() {
      let numbers = (0..<collector.state.devices.count).map { number -> UInt32 in
        let device = device(worker: worker, number: number)
        return several.contains(device) ? device : .max
      }
      let last = LastFacts()
      for partition in 0..<FactCollector.partitionCount {
        collector.state.arena.forEach(partition) { stored in
          let collected = last.collected(stored)
          guard collected.device != .max else { return }
          let device = numbers[Int(collected.device)]
          guard device != .max else { return }
          found[device, default: []].append(
            Sighting(
              timeMilliseconds: collected.fact.timeMilliseconds,
              user: united.person(of: collector.state.persons.keys[Int(collected.person)])))
        }
      }
    }
    for (device, seen) in found {
      let users = Set(seen.map(\.user))
      // Several ids of one person.
      if users.count == 1 { continue }
      if users.count > DeviceResolution.maximumUsersPerDevice {
        sharedDevices += 1
        sightings[device] = []
      } else {
        devicesWithSeveralUsers += 1
        sightings[device] = seen.sorted { $0.timeMilliseconds < $1.timeMilliseconds }
      }
    }
  }
}
