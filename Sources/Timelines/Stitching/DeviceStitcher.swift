internal import EventInput

/// Gives facts that name only a device to their persons, one partition of devices at a time.
///
/// Facts of devices that several users have used wait: when those were seen there must be known
/// first. A list of which no device is anybody's stays as it is.
struct DeviceStitcher: PartitionPass {
  struct Output: Sendable {
    var share: StitchedShare
    /// Facts by partition of their device, with the codes of the run, for which the time decides.
    var waiting: FactLog
    /// The devices of what waits.
    var devicesOfWaiting = DeviceFilter()
  }

  /// What a slot of a log remembers.
  private struct Memory {
    var base = RecordBase()
    var owner = DeviceUsers.Owner.byTime
    var isWatched = false
  }

  private let stitching: Stitching
  private let sightings: [FactLog]
  private var stitched: StitchedFacts
  private var waiting: PassLog
  private var devicesOfWaiting = DeviceFilter()

  /// - Parameter sightings: what each sweep found.
  init(_ stitching: Stitching, sightings: [FactLog]) {
    self.stitching = stitching
    self.sightings = sightings
    stitched = StitchedFacts(stitching)
    waiting = PassLog("waiting.facts", stitching.budget)
  }

  mutating func take(partition: Int) throws(SpillError) {
    let seen = try SeenUser.all(in: sightings, partition: partition)
    let users = DeviceUsers(seen, united: stitching.united, within: stitching.limit)
    stitched.share.sharedDevices += users.sharedCount
    stitched.share.devicesWithSeveralUsers += users.severalCount
    stitched.share.devicesWithUsers += users.count
    for seen in seen where stitching.watchedDevices.contains(seen.device) {
      stitched.share.watchedPersons.insert(stitching.united.person(of: seen.user))
    }
    for source in stitching.devices {
      let list = try source.log.read(partition)
      guard isSomebodys(list, users) else { continue }
      give(list, source.codes, users, partition: partition)
      try stitched.giveUp(source.log, partition)
      try waiting.keepWithinBudget()
    }
  }

  mutating func finish() throws(SpillError) -> Output {
    Output(
      share: try stitched.finish(), waiting: try waiting.finish(),
      devicesOfWaiting: devicesOfWaiting)
  }

  /// Whether any device of a list has an owner; whose the facts are is asked of a watched device
  /// in any case.
  private func isSomebodys(_ list: FactList, _ users: DeviceUsers) -> Bool {
    var isFound = false
    let watched = stitching.watchedDevices
    list.forEach(remembering: ()) { _, record in
      guard !isFound, record.tellsKey else { return }
      if case .always(record.key) = users.owner(of: record.key) {
        isFound = watched.contains(record.key)
      } else {
        isFound = true
      }
    }
    return isFound
  }

  private mutating func give(
    _ list: FactList, _ codes: CodeMap, _ users: DeviceUsers, partition: Int
  ) {
    list.forEach(remembering: Memory()) { memory, record in
      memory.base.take(record)
      let device = memory.base.key
      if record.tellsKey {
        memory.owner = users.owner(of: device)
        memory.isWatched = stitching.watchedDevices.contains(device)
        if case .byTime = memory.owner { devicesOfWaiting.insert(device) }
      }
      let fact = codes(memory.base.fact(record))
      switch memory.owner {
      case .always(let owner):
        stitched.give(fact, of: device, to: owner, isWatched: memory.isWatched)
      case .near(let owner, let times):
        stitched.give(
          fact, of: device, to: times.contains(fact.timeMilliseconds) ? owner : device,
          isWatched: memory.isWatched)
      case .byTime:
        waiting.log.append(fact, key: device, device: nil, to: partition)
      }
    }
  }
}
