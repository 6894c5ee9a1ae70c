/// Whole people out of a dump of any size: those with the smallest hashes of their ids, as many of
/// them as have so many events together.
///
/// It begins with everybody, and each time there are too many events the bound of the hashes falls
/// by half. So who is in it depends on the ids and the number of events, and not on their order.
struct SampledPeople {
  /// Whose an event is.
  struct Person {
    /// The hash of the device, or of a user who was seen on none.
    var hash: UInt64
    var isUserWithoutDevice: Bool
  }

  private struct Kept {
    var person: Person
    var ids: (device: IdentifierHash, user: IdentifierHash)
    var line: KeptLine
  }

  /// What one person may have at most: a robot's events must not push everyone else out.
  private static let maximumEventsOfPerson = 2_000

  /// Lines of any length must not fill the memory.
  private static let maximumBytes = 128 << 20

  private let limit: Int
  private var bound = UInt64.max
  private var kept: [Kept] = []
  private var keptBytes = 0
  private var countOfPerson: [UInt64: Int] = [:]
  /// The device's hash of each user who was seen on one that is in the sample, so that what a
  /// server sends for that user comes in as well.
  private var deviceOfUser: [UInt64: UInt64] = [:]
  /// Users below the bound who were seen on any device: alone they are no whole people.
  private var usersOfDevices: Set<UInt64> = []

  init(limit: Int) { self.limit = max(1, limit) }

  /// Who an event is of, if that is a person in the sample.
  mutating func person(_ ids: (device: IdentifierHash, user: IdentifierHash)) -> Person? {
    let (device, user) = ids
    var person = Person(hash: device.low, isUserWithoutDevice: false)
    if device.isMissing {
      let known = deviceOfUser[user.low]
      person = Person(hash: known ?? user.low, isUserWithoutDevice: known == nil)
    } else if !user.isMissing, user.low <= bound {
      usersOfDevices.insert(user.low)
    }
    guard person.hash <= bound,
      countOfPerson[person.hash, default: 0] < Self.maximumEventsOfPerson
    else { return nil }
    if !device.isMissing, !user.isMissing, deviceOfUser[user.low] == nil {
      deviceOfUser[user.low] = person.hash
    }
    countOfPerson[person.hash, default: 0] += 1
    return person
  }

  mutating func add(
    _ line: KeptLine, of person: Person, _ ids: (device: IdentifierHash, user: IdentifierHash)
  ) {
    // Chosen in one go with an event that moved the bound.
    if person.hash > bound { return }
    kept.append(Kept(person: person, ids: ids, line: line))
    keptBytes += line.bytes.count
    while kept.count > limit || keptBytes > Self.maximumBytes, countOfPerson.count > 1 { halve() }
  }

  private mutating func halve() {
    bound /= 2
    kept.removeAll { $0.person.hash > bound }
    keptBytes = kept.indices.reduce(0) { $0 + kept[$1].line.bytes.count }
    countOfPerson = countOfPerson.filter { $0.key <= bound }
    deviceOfUser = deviceOfUser.filter { $0.value <= bound }
    usersOfDevices = usersOfDevices.filter { $0 <= bound }
  }

  /// The events in the order in which they came, each with the person who is behind its device.
  func events(threads: Int) -> [SampledEvent] {
    let whole = kept.filter { kept in
      guard kept.person.isUserWithoutDevice, usersOfDevices.contains(kept.person.hash) else {
        return true
      }
      // Sent before the user was seen on a device of the sample.
      return deviceOfUser[kept.person.hash] != nil
    }
    let events = KeptLine.events(whole.map(\.line), threads: threads)
    return Self.united(zip(whole, events).compactMap { kept, event in event.map { (kept, $0) } })
  }

  /// Gives what a device alone sent to its user, where the sample has one user of it only. Who is
  /// meant is known by what reports go by: an event may name its user anywhere.
  private static func united(_ events: [(kept: Kept, event: SampledEvent)]) -> [SampledEvent] {
    var users: [UInt64: Set<UInt64>] = [:]
    for (kept, _) in events where !kept.ids.device.isMissing && !kept.ids.user.isMissing {
      users[kept.ids.device.low, default: []].insert(kept.ids.user.low)
    }
    func owner(_ kept: Kept) -> UInt64 {
      if !kept.ids.user.isMissing { return kept.ids.user.low }
      let found = users[kept.ids.device.low] ?? []
      return found.count == 1 ? found.first ?? kept.ids.device.low : kept.ids.device.low
    }
    // The first by its bytes of the texts that a person has, a user's before all others.
    var texts: [UInt64: (isDevice: Bool, text: String)] = [:]
    for (kept, event) in events {
      let own = (isDevice: event.user == nil, text: event.user ?? event.person)
      let known = texts[owner(kept)]
      if known.map({ precedes(own, $0) }) ?? true { texts[owner(kept)] = own }
    }
    return events.map { kept, event in
      var event = event
      event.person = texts[owner(kept)]?.text ?? event.person
      return event
    }
  }

  private static func precedes(
    _ one: (isDevice: Bool, text: String), _ other: (isDevice: Bool, text: String)
  ) -> Bool {
    one.isDevice == other.isDevice
      ? one.text.utf8.lexicographicallyPrecedes(other.text.utf8) : !one.isDevice
  }
}
