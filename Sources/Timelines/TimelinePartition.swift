public import EventInput

/// The timelines of some persons: every fact once, sorted by time within a person.
///
/// `starts` has one element more than `keys`: person i owns `facts[starts[i]..<starts[i + 1]]`,
/// which is never empty. The order of persons means nothing.
public struct TimelinePartition: Sendable {
  public internal(set) var keys: [IdentifierHash]
  public internal(set) var starts: [Int]
  public internal(set) var facts: [Fact]

  public var personCount: Int { keys.count }
}
