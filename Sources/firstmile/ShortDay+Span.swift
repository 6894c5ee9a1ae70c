import FunnelReport
import Timelines

extension Provenance.ShortDay {
  /// `nil` where the data end evenly.
  init?(_ day: DataSpan.ShortDay?) {
    guard let day else { return nil }
    self.init(
      date: String(Moment.text(day.startMilliseconds).prefix(10)), persons: day.persons,
      leastPersons: day.leastPersons)
  }
}
