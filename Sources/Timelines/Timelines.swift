public import EventInput

/// All timelines of a run: partitions of persons, and what the codes in their facts mean.
///
/// A partition is gathered whenever it is visited, from memory, or from disk beyond the memory
/// limit: so visit them one by one and release each.
public struct Timelines: Sendable {
  /// What the codes in all facts mean.
  public let tables: FactTables
  /// What is known without the partitions that are gathered later.
  var ownCounts: TimelineCounts
  /// The persons who own facts of the device that was watched (see `TimelineLoader`).
  public let watchedPersons: Set<IdentifierHash>
  /// Which users are one person.
  public internal(set) var united: IdentityGraph
  /// What partitions are gathered from; `nil` once it was released.
  private var facts: PartitionSequence?
  /// Persons by date, of these facts or of all facts that these are a part of.
  let census: DayCensus
  /// From when to when the facts are complete; `nil` without facts.
  public let span: DataSpan?

  init(
    tables: FactTables, ownCounts: TimelineCounts, watchedPersons: Set<IdentifierHash>,
    united: IdentityGraph, facts: PartitionSequence, census: DayCensus
  ) {
    self.tables = tables
    self.ownCounts = ownCounts
    self.watchedPersons = watchedPersons
    self.united = united
    self.facts = facts
    self.census = census
    span = DataSpan(census)
  }

  /// What bringing the facts together showed.
  ///
  /// - Throws: what reading a partition that nobody visited yet back from disk met.
  public var counts: TimelineCounts {
    get throws(SpillError) { try facts?.counts(beside: ownCounts) ?? ownCounts }
  }

  /// Gives the memory of all facts back: from here on there are no partitions, only counts.
  ///
  /// - Throws: what `counts` throws.
  public mutating func letGo() throws(SpillError) {
    ownCounts = try counts
    facts = nil
  }

  /// How many partitions there are to visit; 0 after ``letGo()``.
  public var partitionCount: Int { facts == nil ? 0 : FactCollector.partitionCount }

  /// What gathers partitions; `nil` after ``letGo()``.
  var assembler: PartitionAssembler? { facts?.assembler }

  /// One partition; its persons are in no other.
  ///
  /// - Parameter index: from 0 up to `partitionCount`.
  /// - Throws: what reading it back from disk met.
  public func partition(_ index: Int) throws(SpillError) -> TimelinePartition {
    try assemble(index).partition
  }

  /// A partition, and what gathering it showed; nothing where all was released.
  func assemble(_ index: Int) throws(SpillError) -> AssembledPartition {
    try facts?.assemble(index) ?? AssembledPartition(keys: [], starts: [0], facts: [])
  }
}

/// What bringing the facts together showed; for the quality report.
public struct TimelineCounts: Sendable, Hashable, Codable {
  /// Facts that stood in the input more than once, counting each repetition.
  public var repeatedFacts = 0
  /// Facts that have the moment and the own id of another fact of their person and yet differ from
  /// it: each counts (definitions, rule 1.2).
  public var factsWithSameId = 0
  /// Distinct facts.
  public var facts = 0
  /// Persons with at least one fact, after stitching and uniting.
  public var persons = 0
  /// Facts with a device only that were given to a user.
  public var stitchedFacts = 0
  /// Devices with more users than one person's device can have; not stitched.
  public var sharedDevices = 0
  /// Devices with several users, few enough for facts to be given to them by time.
  public var devicesWithSeveralUsers = 0
  /// Devices on which a user was seen.
  public var devicesWithUsers = 0
  /// Users who are one person with others, by events that say so.
  public var unitedUsers = 0
  /// Persons who have several users, by events that say so.
  public var unitedPersons = 0
  /// Groups of more such users than one person has; not united.
  public var aliasGroupsTooLarge = 0
  /// Facts that lost their values, or their circumstances, because these found no place.
  public var factsWithoutPlace = 0
  /// Facts later than the moment that was asked for, set aside before anything else.
  public var factsTooLate = 0

  /// What no facts showed.
  public init() {}

  /// Adds what other facts showed.
  public mutating func add(_ other: TimelineCounts) {
    repeatedFacts += other.repeatedFacts
    factsWithSameId += other.factsWithSameId
    facts += other.facts
    persons += other.persons
    stitchedFacts += other.stitchedFacts
    sharedDevices += other.sharedDevices
    devicesWithSeveralUsers += other.devicesWithSeveralUsers
    devicesWithUsers += other.devicesWithUsers
    unitedUsers += other.unitedUsers
    unitedPersons += other.unitedPersons
    aliasGroupsTooLarge += other.aliasGroupsTooLarge
    factsWithoutPlace += other.factsWithoutPlace
    factsTooLate += other.factsTooLate
  }
}
