package import FunnelMetrics
import OnboardingEvents
package import Timelines

extension Provenance.ShortDay {
  /// `nil` where the data end evenly.
  package init?(_ day: DataSpan.ShortDay?) {
    guard let day else { return nil }
    self.init(
      date: String(EventTime(milliseconds: day.startMilliseconds).description.prefix(10)),
      persons: day.persons,
      leastPersons: day.leastPersons)
  }
}

extension Provenance.ShortDay {
  /// As it stands in a tally.
  init(_ day: WrittenTally.Day) {
    self.init(date: day.date, persons: day.people, leastPersons: day.leastPeople)
  }
}

extension WrittenTally.Day {
  /// For a tally that is written.
  package init(_ day: Provenance.ShortDay) {
    self.init(date: day.date, people: day.persons, leastPeople: day.leastPersons)
  }
}
