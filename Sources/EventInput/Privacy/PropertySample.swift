/// What sampled events look like: samples of parts of the events add up to that of all of them.
///
/// It holds no values: of each property its path, what the value looks like, and a digest by which
/// equal values are found, too short for the value to be found from it. What the values of a
/// property have in common is judged once all parts are together (`findings`).
public struct PropertySample: Sendable, Hashable {
  /// How many events are kept.
  package let limit: Int
  /// In the order of the sample, each once.
  package private(set) var events: [SampledEventLooks]

  /// - Parameter events: in the order of the sample.
  package init(limit: Int, events: [SampledEventLooks] = []) {
    self.limit = limit
    self.events = events
  }

  /// How long digests are: a few more bits than number the events, so that of as many different
  /// values 0.4 % fall together.
  static func digestBits(of limit: Int) -> Int {
    7 + Int.bitWidth - (limit - 1).leadingZeroBitCount
  }

  /// Adds what was sampled elsewhere; an event of both is there once.
  public mutating func add(_ other: PropertySample) {
    var merged: [SampledEventLooks] = []
    merged.reserveCapacity(min(limit, events.count + other.events.count))
    var (own, added) = (events[...], other.events[...])
    while merged.count < limit {
      guard let next = own.first else {
        merged += added.prefix(limit - merged.count)
        break
      }
      guard let more = added.first else {
        merged += own.prefix(limit - merged.count)
        break
      }
      if !more.precedes(next) {
        merged.append(own.removeFirst())
        if !next.precedes(more) { added.removeFirst() }
      } else {
        merged.append(added.removeFirst())
      }
    }
    events = merged
  }

  /// What is personal text or a crawler's.
  ///
  /// - Parameter plan: of the flows that the reports are of.
  public func findings(_ plan: ScanPlan) -> SampleFindings {
    var survey = PropertySurvey(plan)
    for event in events { survey.add(event) }
    return survey.findings
  }
}
