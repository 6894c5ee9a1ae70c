public import EventInput

/// All timelines of a run: partitions of persons, and what the codes in their facts mean.
///
/// Partitions stand in memory, or on disk beyond the memory limit, or are gathered when they are
/// visited, from either: then each visit gathers or reads one, so visit them one by one and let go
/// of each.
public struct Timelines: Sendable {
  public let tables: FactTables
  /// What is known without the partitions that are gathered later.
  var ownCounts: TimelineCounts
  /// The persons who own facts of the device that was watched (see `TimelineReader`).
  public let watchedPersons: Set<IdentifierHash>
  /// Which users are one person.
  public let united: UnitedUsers
  private(set) var store: PartitionStore
  /// Persons by date, of these facts or of all facts that these are a part of.
  let census: DayCensus
  /// From when to when the facts are complete; `nil` without facts.
  public let span: DataSpan?

  init(
    tables: FactTables, ownCounts: TimelineCounts, watchedPersons: Set<IdentifierHash>,
    united: UnitedUsers, store: PartitionStore, census: DayCensus
  ) {
    self.tables = tables
    self.ownCounts = ownCounts
    self.watchedPersons = watchedPersons
    self.united = united
    self.store = store
    self.census = census
    span = DataSpan(census)
  }

  /// What bringing the facts together showed.
  ///
  /// - Throws: what reading a partition that nobody visited yet back from disk met.
  public var counts: TimelineCounts {
    get throws(SpillError) {
      guard case .collected(let facts) = store else { return ownCounts }
      return try facts.counts(beside: ownCounts)
    }
  }

  /// Gives the memory of all facts back: from here on there are no partitions, only counts.
  ///
  /// - Throws: what `counts` throws.
  public mutating func letGo() throws(SpillError) {
    ownCounts = try counts
    store = .memory([])
  }

  public var partitionCount: Int {
    switch store {
    case .memory(let partitions): partitions.count
    case .collected: FactCollector.partitionCount
    case .segments(let partitions): partitions.count
    }
  }

  /// One partition; its persons are in no other.
  ///
  /// - Parameter index: from 0 up to `partitionCount`.
  /// - Throws: what reading it back from disk met.
  public func partition(_ index: Int) throws(SpillError) -> TimelinePartition {
    switch store {
    case .memory(let partitions): partitions[index]
    case .collected(let facts): try facts.partition(index)
    case .segments(let partitions): try partitions[index].load()
    }
  }
}

/// Where partitions stand, or what they are made from.
enum PartitionStore: Sendable {
  case memory([TimelinePartition])
  case collected(CollectedFacts)
  case segments([StoredPartition])
}

/// What bringing the facts together showed; for the quality report.
public struct TimelineCounts: Sendable, Hashable, Codable {
  /// Facts that stood in the input more than once, counting each repetition.
  public var repeatedFacts = 0
  /// Distinct facts.
  public var facts = 0
  public var persons = 0
  /// Facts with a device only that were given to a user.
  public var stitchedFacts = 0
  /// Devices with more users than one person's device can have; not stitched.
  public var sharedDevices = 0
  public var devicesWithSeveralUsers = 0
  /// Users who are one person with others, by events that say so, and the persons they are.
  public var unitedUsers = 0
  public var unitedPersons = 0
  /// Groups of more such users than one person has; not united.
  public var aliasGroupsTooLarge = 0
  /// Facts that lost their values, or their circumstances, because these found no place.
  public var factsWithoutPlace = 0
  /// Facts later than the moment that was asked for, set aside before anything else.
  public var factsTooLate = 0

  public init() {}

  /// Adds what other facts showed.
  public mutating func add(_ other: TimelineCounts) {
    repeatedFacts += other.repeatedFacts
    facts += other.facts
    persons += other.persons
    stitchedFacts += other.stitchedFacts
    sharedDevices += other.sharedDevices
    devicesWithSeveralUsers += other.devicesWithSeveralUsers
    unitedUsers += other.unitedUsers
    unitedPersons += other.unitedPersons
    aliasGroupsTooLarge += other.aliasGroupsTooLarge
    factsWithoutPlace += other.factsWithoutPlace
    factsTooLate += other.factsTooLate
  }
}
