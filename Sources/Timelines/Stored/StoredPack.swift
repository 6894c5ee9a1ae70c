public import EventInput

/// The facts of one partition of a pack, as bytes; see `StoredCoding`.
public struct StoredSegment: Sendable, Equatable {
  public var partition: Int
  /// Repetitions too.
  public var factCount: Int
  public var bytes: [UInt8]
  public var checksum: UInt64

  public init(partition: Int, factCount: Int, bytes: [UInt8], checksum: UInt64) {
    self.partition = partition
    self.factCount = factCount
    self.bytes = bytes
    self.checksum = checksum
  }
}

/// Facts as a store keeps them: segments by partition, and the tables that explain their codes.
///
/// A partition holds the facts of the users whose hash begins with its number, and the facts of
/// devices alone by the device's hash.
public struct StoredPack: Sendable {
  public var layout: StoredLayout
  public var tables: StoredTables
  public var segments: [StoredSegment]
  public var factCount: Int
  /// The first and the last moment; `nil` without facts.
  public var milliseconds: ClosedRange<Int64>?
  /// Users who are one person, each pair once, with the earliest moment that said so.
  public var links: [UserLink]
  /// Facts that were left out because their person is to be forgotten.
  public var forgottenCount: Int
}
