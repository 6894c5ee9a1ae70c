public import EventInput

/// The timelines of some persons: every fact once, sorted by time within a person.
///
/// `starts` has one element more than `keys`: person i owns `facts[starts[i]..<starts[i + 1]]`,
/// which is never empty. The order of persons means nothing.
public struct TimelinePartition: Sendable {
  /// For each person the hash that their facts are gathered under.
  public internal(set) var keys: [IdentifierHash]
  /// For each person the index of their first fact, and behind the last one how many there are.
  public internal(set) var starts: [Int]
  /// The facts of all persons, one person after the other.
  public internal(set) var facts: [Fact]

  /// How many persons the partition has.
  public var personCount: Int { keys.count }

  /// The persons' indices in the order of their hashes, for what must be the same for the same
  /// facts whatever the threads. A partition has the persons whose hashes begin with its number, so
  /// one partition after the other this is the order of all.
  public var personsByHash: [Int] { keys.indices.sorted { keys[$0] < keys[$1] } }
}
