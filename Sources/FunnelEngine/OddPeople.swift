internal import Timelines

/// What shows that some of a run's persons are no people, or not those of one app: ids with more
/// events on a day than anybody has, timelines that are copies of one another, and groups of people
/// who share no event.
///
/// It counts what each thread sees, and the counts of two threads add up.
public struct OddPeople: Sendable {
  /// People who have events of one group of names only.
  public struct Group: Sendable, Hashable {
    /// How many people there are in the group.
    public let people: Int
    /// Names that most of these people begin with; at most three.
    public let examples: [String]
  }

  /// So many events on one date (UTC) are more than a person has.
  public static let busyFacts = 1_000
  /// So many facts of one person are a crowd's if they are a hundredth of all or more, and so many
  /// times what people have on average.
  private static let crowdFacts = 1_000
  private static let crowdShare = 100
  private static let crowdTimes = 20
  /// A copy has so many facts or more, and so many gaps between them that are no whole minutes:
  /// data by the minute or by the day agree by chance.
  private static let leastFacts = 6
  private static let leastGaps = 5
  /// Who is in a dump twice has so many gaps of a second or more as well: what a server stamps on
  /// arrival is often all of one second, and many people arrive in it.
  private static let leastPauses = 3
  private static let minute: Int64 = 60_000
  private static let second: Int64 = 1_000
  private static let buckets = 1 << 16
  /// So many people with one timeline are no accident.
  static let leastCopies = 5
  /// How many of all people have to be copies before it matters: one in so many.
  private static let copiedShare = 100

  /// Persons with a fact that was looked at.
  public private(set) var persons = 0
  /// Distinct facts of all of these persons.
  public private(set) var facts = 0
  /// Persons with ``busyFacts`` or more on one date.
  public private(set) var busyPersons = 0
  /// Facts of these busy persons, on all of their dates.
  public private(set) var factsOfBusyPersons = 0
  /// The most facts that anybody has.
  private var mostFacts = 0
  /// The most facts that anybody has on one date.
  public private(set) var mostFactsOfDay = 0
  private var eventGroups: EventGroups
  /// How many timelines fall into each bucket by the hash of their names and distances: a sketch,
  /// so that neither the number of people nor their order matters to its size.
  private var copies: [UInt32]
  private var doubles = DoubledTimelines()
  private let eventOfAction: [UInt32]
  private let hashes: [UInt64]

  /// What is written down: of the buckets those that have people.
  struct Record: Codable {
    var persons: Int
    var facts: Int
    var busyPersons: Int
    var factsOfBusyPersons: Int
    var mostFacts: Int
    var mostFactsOfDay: Int
    /// A bucket, its count, and so on.
    var copies: [UInt32]
    var doubles: DoubledTimelines.Record
    var groups: EventGroups.Record

    /// Whether all counts are such that many records can be added up.
    var isSound: Bool {
      WrittenNumbers.areSound(
        [persons, facts, busyPersons, factsOfBusyPersons, mostFacts, mostFactsOfDay]
          + doubles.counts)
        && groups.isSound
    }
  }

  init(_ tables: FactTables) {
    let place = tables.schema.actionIndex(ofField: "event")
    var names = [""]
    // A name that the table has no room for is known by its code only: those with one code count
    // as one name.
    var keys = [""]
    var codes: [UInt32: UInt32] = [:]
    var events = [UInt32](repeating: 0, count: tables.actionCount)
    if let place {
      for action in events.indices {
        let value = tables.actionValue(action, at: place)
        if value == 0 { continue }
        let code = codes[value] ?? UInt32(names.count)
        if codes.updateValue(code, forKey: value) == nil {
          let isOther = tables.isOther(actionValue: value, at: place)
          keys.append(isOther ? "\u{0}\(value)" : tables.name(ofActionValue: value, at: place))
          names.append(tables.name(ofActionValue: value, at: place))
        }
        events[action] = code
      }
    }
    eventOfAction = events
    hashes = names.map { name in
      name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    eventGroups = EventGroups(names: names, keys: keys)
    copies = Array(repeating: 0, count: Self.buckets)
  }

  init(_ record: Record) {
    (eventOfAction, hashes) = ([], [])
    (persons, facts) = (record.persons, record.facts)
    (busyPersons, factsOfBusyPersons) = (record.busyPersons, record.factsOfBusyPersons)
    mostFacts = record.mostFacts
    mostFactsOfDay = record.mostFactsOfDay
    eventGroups = EventGroups(record.groups)
    doubles = DoubledTimelines(record.doubles)
    copies = Array(repeating: 0, count: Self.buckets)
    for place in stride(from: 0, to: record.copies.count - 1, by: 2) {
      let bucket = Int(record.copies[place])
      if bucket < Self.buckets { copies[bucket] = record.copies[place + 1] }
    }
  }

  var record: Record {
    Record(
      persons: persons, facts: facts, busyPersons: busyPersons,
      factsOfBusyPersons: factsOfBusyPersons, mostFacts: mostFacts, mostFactsOfDay: mostFactsOfDay,
      copies: copies.enumerated().flatMap { $1 == 0 ? [] : [UInt32($0), $1] },
      doubles: doubles.record, groups: eventGroups.record)
  }

  /// Counts one person of a partition.
  mutating func add(_ partition: TimelinePartition, person: Int) {
    let range = partition.starts[person]..<partition.starts[person + 1]
    var first = EventGroups.First()
    var (day, ofDay, most) = (Int64.min, 0, 0)
    var (before, gaps, pauses) = (partition.facts[range.lowerBound].timeMilliseconds, 0, 0)
    var hash: UInt64 = 0
    // The events of one moment, and of one second, may stand in any order.
    var (ofMoment, gapBefore): (UInt64, Int64) = (0, 0)
    var ofSeconds: UInt64 = 0
    for index in range {
      let fact = partition.facts[index]
      let time = fact.timeMilliseconds
      let event = Int(eventOfAction[Int(fact.action)])
      if event > 0 { eventGroups.add(event, at: time, first: &first) }
      let gap = time - before
      before = time
      if gap % Self.minute != 0 {
        gaps += 1
        if gap >= Self.second { pauses += 1 }
      }
      if gap == 0 {
        ofMoment &+= hashes[event]
      } else {
        hash = Self.mix(hash ^ ofMoment, gapBefore)
        (ofMoment, gapBefore) = (hashes[event], gap)
      }
      let seconds = UInt64(bitPattern: time / Self.second)
      let mixed = (hashes[event] ^ seconds) &* 0xD6E8_FEB8_6659_FD93
      ofSeconds &+= mixed ^ (mixed >> 32)
      let date = time / AttemptEvaluator.dayMilliseconds
      ofDay = date == day ? ofDay + 1 : 1
      day = date
      most = max(most, ofDay)
    }
    hash = Self.mix(hash ^ ofMoment, gapBefore)
    persons += 1
    facts += range.count
    mostFacts = max(mostFacts, range.count)
    mostFactsOfDay = max(mostFactsOfDay, most)
    if most >= Self.busyFacts {
      busyPersons += 1
      factsOfBusyPersons += range.count
    }
    if range.count >= Self.leastFacts && gaps >= Self.leastGaps {
      copies[Int(hash >> 48)] += 1
    }
    if range.count >= Self.leastFacts && gaps >= Self.leastGaps && pauses >= Self.leastPauses {
      ofSeconds ^= ofSeconds >> 32
      doubles.add(ofSeconds &* 0xD6E8_FEB8_6659_FD93)
    }
  }

  private static func mix(_ hash: UInt64, _ gap: Int64) -> UInt64 {
    let product = (hash ^ UInt64(bitPattern: gap)) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 29)
  }

  /// Adds other persons of the same run.
  mutating func merge(_ other: OddPeople) {
    persons += other.persons
    facts += other.facts
    busyPersons += other.busyPersons
    factsOfBusyPersons += other.factsOfBusyPersons
    mostFacts = max(mostFacts, other.mostFacts)
    mostFactsOfDay = max(mostFactsOfDay, other.mostFactsOfDay)
    eventGroups.merge(other.eventGroups)
    for bucket in copies.indices { copies[bucket] &+= other.copies[bucket] }
    doubles.merge(other.doubles)
  }

  /// About how many persons have the events of another person, to the second; 0 where they are
  /// fewer than a hundredth of all.
  public var doubledPersons: Int {
    let doubled = doubles.doubled
    return doubled * Self.copiedShare >= persons ? doubled : 0
  }

  /// The facts of the person with the most, where they are more than one person has: of an id that
  /// many people share.
  public var factsOfCrowd: Int? {
    mostFacts >= Self.crowdFacts && mostFacts * Self.crowdShare >= facts
      && mostFacts * persons >= facts * Self.crowdTimes ? mostFacts : nil
  }

  /// People who share no event with the other groups, the largest group first; none or several.
  public var groups: [Group] {
    eventGroups.apart.map { Group(people: $0.people, examples: $0.examples) }
  }

  /// About how many persons have the timeline of at least four others: the same events at the same
  /// distances. 0 where they are fewer than a hundredth of all.
  public var copiedPersons: Int {
    let all = copies.reduce(0) { $0 + Int($1) }
    let usual = all / Self.buckets
    // What falls into a bucket by accident is left out.
    let least = Self.leastCopies + 8 * usual
    let copied = copies.reduce(0) { $0 + (Int($1) >= least ? Int($1) - usual : 0) }
    return copied * Self.copiedShare >= persons ? copied : 0
  }
}
