/// Whole people out of a dump of any size: those with the smallest hashes of their ids, as many of
/// them as have so many events together.
///
/// Which people are in it depends on their ids alone. It begins with everybody, and each time there
/// are too many events it lets go of the people in the upper half of the hashes.
struct SampledPeople {
  private struct Kept {
    var person: UInt64
    var event: SampledEvent
  }

  /// What one person may have at most: a robot's events are no reason to let go of everyone else.
  private static let maximumEventsOfPerson = 2_000

  private let limit: Int
  private var bound = UInt64.max
  private var kept: [Kept] = []
  private var countOfPerson: [UInt64: Int] = [:]
  /// The device's hash of each user who was seen on one that is in the sample, so that what a
  /// server sends for that user comes in as well.
  private var deviceOfUser: [UInt64: UInt64] = [:]

  init(limit: Int) { self.limit = max(1, limit) }

  /// Who an event is of, if that is a person in the sample.
  mutating func person(_ ids: (device: IdentifierHash, user: IdentifierHash)) -> UInt64? {
    let (device, user) = ids
    let person = device.isMissing ? deviceOfUser[user.low] ?? user.low : device.low
    guard person <= bound, countOfPerson[person, default: 0] < Self.maximumEventsOfPerson else {
      return nil
    }
    if !device.isMissing, !user.isMissing, deviceOfUser[user.low] == nil {
      deviceOfUser[user.low] = person
    }
    return person
  }

  mutating func add(_ event: SampledEvent, of person: UInt64) {
    // Chosen in one go with an event that moved the bound.
    if person > bound { return }
    kept.append(Kept(person: person, event: event))
    countOfPerson[person, default: 0] += 1
    while kept.count > limit, countOfPerson.count > 1 { halve() }
  }

  private mutating func halve() {
    let people = countOfPerson.keys.sorted()
    bound = people[(people.count - 1) / 2]
    kept.removeAll { $0.person > bound }
    countOfPerson = countOfPerson.filter { $0.key <= bound }
    deviceOfUser = deviceOfUser.filter { $0.value <= bound }
  }

  /// The events in the order in which they came, each with the person who is behind its device.
  var events: [SampledEvent] { Self.united(kept.map(\.event)) }

  /// Gives what a device alone sent to its user, where the sample has one user of it only.
  static func united(_ events: [SampledEvent]) -> [SampledEvent] {
    var users: [String: Set<String>] = [:]
    for event in events where event.hasDevice {
      if let user = event.user, user != event.person {
        users[event.person, default: []].insert(user)
      }
    }
    if users.isEmpty { return events }
    return events.map { event in
      var event = event
      if let user = event.user {
        event.person = user
      } else if let found = users[event.person], found.count == 1, let user = found.first {
        event.person = user
      }
      return event
    }
  }
}
