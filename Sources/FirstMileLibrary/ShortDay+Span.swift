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
