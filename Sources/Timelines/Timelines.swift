public import EventInput

/// All timelines of a run: partitions of persons, and what the codes in their facts mean.
public struct Timelines: Sendable {
  public let tables: FactTables
  public let partitions: [TimelinePartition]
  public let counts: TimelineCounts
  /// The persons who own facts of the device that was watched (see `TimelineReader`).
  public let watchedPersons: Set<IdentifierHash>
}

/// What bringing the facts together showed; for the quality report.
public struct TimelineCounts: Sendable, Hashable {
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
  /// Facts kept as plain activity because their combination of values found no place.
  public var actionsWithoutPlace = 0
  /// Facts later than the moment that was asked for, set aside before anything else.
  public var factsTooLate = 0

  public init() {}
}
