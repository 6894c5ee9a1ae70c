internal import EventInput
internal import FlowDefinition

/// Gives the facts of one partition to the people they belong to: facts of a device alone to its
/// users, facts of users who are one person to that person, in whichever partition they are.
///
/// Only the sightings on the partition's devices are in memory, and the groups of users who are one
/// person; never all people.
public struct PartitionStitcher {
  private let content: PartitionContent
  private let rule: StitchingRule
  private let identity: IdentityRule
  private let united: IdentityGraph
  private let latest: Int64
  private let within: Int64
  private var sorter: PackSorter?
  private var record: StitchingRecord
  /// Sightings on devices where the time decides.
  private var moments: [IdentifierHash: [Sighting]] = [:]

  /// - Parameters:
  ///   - paths: files of segments, of all tasks.
  ///   - partition: need not be given where there is only one.
  public init(
    _ paths: [String], partition: Int?, schema: FactSchema, latestMilliseconds: Int64
  ) throws {
    content = try PartitionContent.load(
      paths, partition: partition, kinds: [.facts, .sightings, .stitching])
    if content.stitching != nil {
      throw SegmentError.twice(
        "partition \(content.partition) is stitched already by what was named: name only the "
          + "files that `firstmile partition` wrote")
    }
    rule = StitchingRule(schema, latestMilliseconds: latestMilliseconds)
    identity = schema.identity
    latest = latestMilliseconds
    within = schema.stitchWithinMilliseconds
    united = IdentityGraph(
      identity == .stitched
        ? content.links.filter { $0.timeMilliseconds <= latestMilliseconds } : [])
    record = StitchingRecord(
      origin: SegmentOrigin(
        key: content.key, task: PartitionStitcher.name(of: content.partition)),
      partition: content.partition, rule: rule,
      sent: Array(repeating: 0, count: content.partitionCount), facts: [:], pairs: [:],
      heads: content.heads)
    for facts in content.facts {
      record.facts[facts.header.origin.task] = facts.header.facts
    }
    for sightings in content.sightings {
      record.pairs[sightings.header.origin.task] = sightings.header.pairs
    }
    if let layout = content.facts.first?.header.layout {
      sorter = PackSorter(layout, partitionCount: content.partitionCount)
    }
  }

  /// What stitching a partition is called, in the place of a task.
  public static func name(of partition: Int) -> String { "stitched-\(partition)" }

  /// What the segments name as their origin, where others name a task.
  public var name: String { PartitionStitcher.name(of: content.partition) }
  /// Facts of a device alone that were given to a user.
  public var stitchedFacts: Int { record.stitchedFacts }

  /// The segments for all partitions, the head of this one first.
  ///
  /// - Throws: `SegmentError` where segments don't fit each other, `StoredDamage` where bytes make
  ///   no sense.
  public mutating func run() throws -> [PortableSegment] {
    let users = try deviceUsers()
    if let users { try collectMoments(users) }
    for facts in content.facts {
      guard facts.header.layout == sorter?.layout else {
        throw SegmentError.differing(
          "the tasks '\(facts.header.origin.task)' and "
            + "'\(content.facts[0].header.origin.task)' kept other values: run all with the same "
            + "--flow")
      }
      sorter?.begin(facts.reading.tables)
      try facts.bytes.forEachRun { user, device, run in
        try give(run, user: user, device: device, users)
      }
    }
    var segments: [PortableSegment] = []
    if var sorter {
      for part in sorter.finish() {
        record.sent[part.partition] = part.segment.factCount
        segments.append(
          try PortableSegment(
            part, sorter.layout, .stitched, record.origin, rule: rule,
            of: content.partitionCount))
      }
    }
    let head = PortableSegment(
      kind: .stitching, partition: content.partition, partitionCount: content.partitionCount,
      header: try OrderedJSON.bytes(record), body: [])
    return [head] + segments
  }

  /// Who was seen on the partition's devices; `nil` where no device is stitched.
  private mutating func deviceUsers() throws -> DeviceUsers? {
    guard identity == .stitched else { return nil }
    var seen: [SeenUser] = []
    let latest = latest
    for sightings in content.sightings {
      var pairs = 0
      try SightingList.forEach(in: sightings.bytes) { device, user, moments in
        pairs += 1
        var own = SeenUser(device: device, user: user)
        var isSeen = false
        for moment in moments where moment <= latest {
          own.span.add(moment)
          isSeen = true
        }
        if isSeen { seen.append(own) }
      }
      guard pairs == sightings.header.pairs else { throw StoredDamage() }
    }
    let users = DeviceUsers(seen, united: united, within: within)
    record.sharedDevices = users.sharedCount
    record.devicesWithSeveralUsers = users.severalCount
    record.devicesWithUsers = users.count
    return users
  }

  /// Collects when users were seen on devices of several, as far as such devices have facts alone.
  private mutating func collectMoments(_ users: DeviceUsers) throws {
    var devices: Set<IdentifierHash> = []
    for facts in content.facts {
      try facts.bytes.forEachRun { user, device, _ in
        guard user.isMissing, case .byTime = users.owner(of: device) else { return }
        devices.insert(device)
      }
    }
    if devices.isEmpty { return }
    let (united, latest) = (united, latest)
    for sightings in content.sightings {
      try SightingList.forEach(in: sightings.bytes) { device, user, moments in
        guard devices.contains(device) else { return }
        let person = united.person(of: user)
        for moment in moments where moment <= latest {
          self.moments[device, default: []].append(
            Sighting(timeMilliseconds: moment, user: person))
        }
      }
    }
    for device in moments.keys {
      moments[device]?.sort { $0.timeMilliseconds < $1.timeMilliseconds }
    }
  }

  private mutating func give(
    _ run: [StoredFact], user: IdentifierHash, device: IdentifierHash, _ users: DeviceUsers?
  ) throws(StoredDamage) {
    switch identity {
    case .user: return
    case .device:
      if !user.isMissing && !device.isMissing { try send(run[...], to: device) }
    case .stitched:
      if user.isMissing {
        if let users { try give(run, of: device, users.owner(of: device)) }
        return
      }
      let person = united.person(of: user)
      if person != user { try send(run[...], to: person) }
    }
  }

  /// Gives the facts of a device alone to its users, stretch by stretch.
  private mutating func give(
    _ run: [StoredFact], of device: IdentifierHash, _ owner: DeviceUsers.Owner
  ) throws(StoredDamage) {
    var start = 0
    var current: IdentifierHash?
    for (index, stored) in run.enumerated() {
      let time = stored.fact.timeMilliseconds
      // Facts after `--as-of` need no owner: they are counted and left out when they are read.
      let person = time > latest ? device : person(of: owner, device, at: time)
      if person != device { record.stitchedFacts += 1 }
      if let known = current, known != person {
        try send(run[start..<index], to: known)
        start = index
      }
      current = person
    }
    if let current { try send(run[start...], to: current) }
  }

  private func person(
    of owner: DeviceUsers.Owner, _ device: IdentifierHash, at time: Int64
  ) -> IdentifierHash {
    switch owner {
    case .always(let person): person
    case .near(let person, let times): times.contains(time) ? person : device
    case .byTime:
      Sighting.owner(of: time, seen: moments[device] ?? [], within: within) ?? device
    }
  }

  private mutating func send(
    _ run: ArraySlice<StoredFact>, to person: IdentifierHash
  ) throws(StoredDamage) {
    // A device of nobody may be known as somebody's other id, where both are of one space.
    let person = united.person(of: person)
    try sorter?.append(
      user: person, device: .missing, run,
      to: PersonPartition.number(of: person, of: content.partitionCount))
  }
}
