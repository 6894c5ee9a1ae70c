public import EventInput

/// The facts of one partition of a pack, as bytes; see `StoredCoding`.
public struct StoredSegment: Sendable, Equatable {
  /// The partition's number in the pack.
  public var partition: Int
  /// Repetitions too.
  public var factCount: Int
  /// The facts, person by person, in the written form.
  public var bytes: [UInt8]
  /// The checksum of ``bytes``, by which damage is noticed.
  public var checksum: UInt64
}

/// Facts as a store keeps them: segments by partition, and the tables that explain their codes.
///
/// A partition holds the facts of the users whose hash begins with its number, and the facts of
/// devices alone by the device's hash.
public struct StoredPack: Sendable {
  /// Which values were kept, read from where in the events.
  public var layout: StoredLayout
  /// What the codes in the facts mean.
  public var tables: StoredTables
  /// One for each partition that has facts, in the order of their numbers.
  public var segments: [StoredSegment]
  /// Facts of all segments, repetitions too.
  public var factCount: Int
  /// The first and the last moment; `nil` without facts.
  public var milliseconds: ClosedRange<Int64>?
  /// Users who are one person, each pair once, with the earliest moment that said so.
  public var links: [UserLink]
  /// Facts that were left out because their person is to be forgotten.
  public var forgottenCount: Int
  /// Users who are kept, and are said to be one person with somebody who is to be forgotten.
  public var usersOfForgotten: Set<IdentifierHash> = []
}
