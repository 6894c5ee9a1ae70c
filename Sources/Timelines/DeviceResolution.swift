internal import EventInput

/// Whose a device-only fact is (SPEC 5, definitions 3): answers for all devices of a run.
///
/// Nearly every device has one user. Then no times matter in data that span less than
/// `stitch_within`, and in longer data only when the user was first and last seen there. For
/// devices with several users all moments at which each was seen are collected, from the facts that
/// carry both ids.
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
  /// For each device when its users were first and last seen; empty where the data are too short
  /// for that to matter.
  private var seen: [SeenSpan] = []
  private let limit: Int64
  /// Devices with more users than one person's device can have.
  private(set) var sharedDevices = 0
  /// Devices with two users or more that are stitched by time.
  private(set) var devicesWithSeveralUsers = 0

  /// From collectors, whose devices are known by number from here on.
  ///
  /// - Parameter limit: how far from a fact a user may be seen to be its owner.
  init(_ collectors: [FactCollector], united: UnitedUsers, within limit: Int64) {
    self.united = united
    self.limit = limit
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
    let earliest = collectors.map(\.state.earliestMilliseconds).min() ?? .max
    let latest = collectors.map(\.state.latestTakenMilliseconds).max() ?? .min
    if earliest < latest && latest - earliest > limit {
      seen = Array(repeating: SeenSpan(), count: devices.count)
    }
    if !several.isEmpty || !seen.isEmpty { collectSightings(several, collectors) }
  }

  /// The person a fact belongs to that names only this device, by its number here, and the time for
  /// which that holds.
  func owner(
    of device: UInt32, key: IdentifierHash, at time: Int64
  ) -> (owner: IdentifierHash, times: ClosedRange<Int64>) {
    if !sightings.isEmpty, let seen = sightings[device] {
      return (DeviceResolution.decide(seen, time, within: limit) ?? key, time...time)
    }
    let user = onlyUser[Int(device)]
    if user.isMissing || seen.isEmpty { return (user.isMissing ? key : user, .min ... .max) }
    let near = seen[Int(device)].near(limit)
    if near.contains(time) { return (user, near) }
    return (key, time < near.lowerBound ? .min...near.lowerBound - 1 : near.upperBound + 1 ... .max)
  }

  /// The number here of a worker's device.
  func device(worker: Int, number: Int) -> UInt32 {
    worker == 0 ? UInt32(truncatingIfNeeded: number) : numbersOfWorkers[worker][number]
  }

  /// The first user seen at or after the time if near enough, or the last user before it as well;
  /// else the last before it if near enough. `nil` where there is none, or two users tie.
  static func decide(
    _ seen: [Sighting], _ time: Int64, within limit: Int64
  ) -> IdentifierHash? {
    var low = 0
    var high = seen.count
    while low < high {
      let middle = (low + high) / 2
      if seen[middle].timeMilliseconds < time { low = middle + 1 } else { high = middle }
    }
    let before = low > 0 ? low - 1 : nil
    if low < seen.count {
      let next = onlyUser(seen, at: low)
      if seen[low].timeMilliseconds - time <= limit { return next }
      if let next, let before, onlyUser(seen, at: before) == next { return next }
    }
    guard let before, time - seen[before].timeMilliseconds <= limit else { return nil }
    return onlyUser(seen, at: before)
  }

  /// The user of all sightings at the moment of one; `nil` for several.
  private static func onlyUser(_ seen: [Sighting], at place: Int) -> IdentifierHash? {
    let (moment, user) = (seen[place].timeMilliseconds, seen[place].user)
    var index = place
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
        return !seen.isEmpty || several.contains(device) ? device : .max
      }
      let isSeveral = numbers.map { $0 != .max && several.contains($0) }
      let last = LastFacts()
      for partition in 0..<FactCollector.partitionCount {
        collector.state.arena.forEach(partition) { stored in
          let collected = last.collected(stored)
          guard collected.device != .max else { return }
          let device = numbers[Int(collected.device)]
          guard device != .max else { return }
          if !seen.isEmpty { seen[Int(device)].add(collected.fact.timeMilliseconds) }
          guard isSeveral[Int(collected.device)] else { return }
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
