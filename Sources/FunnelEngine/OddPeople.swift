internal import Timelines

/// What shows that some of the persons are no people, or not those of one app.
public struct OddPeople: Sendable, Hashable {
  /// People who have events of one group of names only.
  public struct Group: Sendable, Hashable {
    public let people: Int
    /// Names that most of these people begin with; at most three.
    public let examples: [String]
  }

  /// So many events on one date (UTC) are more than a person has.
  public static let busyFacts = OddPersons.busyFacts

  public let persons: Int
  public let facts: Int
  /// Persons with ``busyFacts`` or more on one date.
  public let busyPersons: Int
  public let factsOfBusyPersons: Int
  /// The most facts that anybody has on one date.
  public let mostFactsOfDay: Int
  /// About how many persons have the timeline of at least four others.
  public let copiedPersons: Int
  /// People who share no event with the other groups, the largest group first; none or several.
  public let groups: [Group]

  init(_ odd: OddPersons) {
    persons = odd.persons
    facts = odd.facts
    busyPersons = odd.busyPersons
    factsOfBusyPersons = odd.factsOfBusyPersons
    mostFactsOfDay = odd.mostFactsOfDay
    copiedPersons = odd.copiedPersons
    groups = odd.groups.apart.map { Group(people: $0.people, examples: $0.examples) }
  }
}
