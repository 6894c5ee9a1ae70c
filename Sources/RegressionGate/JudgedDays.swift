package import FlowDefinition
package import FunnelEngine
package import FunnelMetrics

/// Resolves a gate's period to days, for numbers that are settled some time after people began.
///
/// A day is complete when it is over and everyone who began on it has had that time. So a metric of
/// a longer window is judged over earlier days than one of a shorter window.
package struct JudgedDays: Sendable {
  /// Days, or why there is none yet.
  package enum Resolved: Sendable, Hashable {
    case days(DaySpan)
    case nothing(String)
  }

  private let calendar: CivilCalendar
  private let horizonMilliseconds: Int64
  /// When the baseline's people began; `nil` without a baseline.
  private let baseline: DaySpan?

  package init(calendar: CivilCalendar, horizonMilliseconds: Int64, baseline: DaySpan?) {
    self.calendar = calendar
    self.horizonMilliseconds = horizonMilliseconds
    self.baseline = baseline
  }

  /// The last day that is over and whose people have all had their time.
  package func lastComplete(_ settling: Settling) -> Int {
    var last = calendar.day(of: horizonMilliseconds - settling.milliseconds + 1) - 1
    guard let dates = settling.dates else { return last }
    // Dates have 23 hours at least. A calendar ends somewhere, and from there on no day is earlier.
    let anchorDays = Int(dates.anchorMilliseconds / (23 * 3_600_000)) + 1
    for _ in 0...(dates.count + anchorDays) where horizonMilliseconds + 1 < end(of: last, dates) {
      last -= 1
    }
    return last
  }

  /// When the dates are over for everyone who began on a day.
  private func end(of day: Int, _ dates: Settling.Dates) -> Int64 {
    let latest = calendar.start(ofDay: day + 1) - 1 + dates.anchorMilliseconds
    return calendar.start(ofDay: calendar.day(of: latest) + dates.count)
  }

  /// - Returns: `nil` for a period that is everyone.
  package func resolve(_ period: GatePeriod, _ settling: Settling) -> Resolved? {
    let last = lastComplete(settling)
    let earliest = baseline.map { $0.last + 1 } ?? .min
    switch period {
    case .everyone:
      return nil
    case .sinceBaseline:
      guard baseline != nil, earliest <= last else { return .nothing(notYet(last)) }
      return .days(DaySpan(first: earliest, last: last))
    case .lastCompleteDays(let count):
      guard earliest <= last else { return .nothing(notYet(last)) }
      return .days(DaySpan(first: max(earliest, last - count + 1), last: last))
    case .days(let days):
      guard days.lowerBound <= last else {
        return .nothing(
          "\(DaySpan.text(days.lowerBound)) is not complete yet: \(windows) up to "
            + DaySpan.text(last))
      }
      return .days(DaySpan(first: days.lowerBound, last: min(days.upperBound, last)))
    }
  }

  private var windows: String { "everyone's window is over only for those who began" }

  private func notYet(_ last: Int) -> String {
    let day = baseline.map { "no day after the baseline's last day, \(DaySpan.text($0.last))," }
    return "\(day ?? "no day") is complete yet: \(windows) up to \(DaySpan.text(last))"
  }

  /// How far before their first day judged people are looked back on, in days, where the data know
  /// them for longer than the baseline's people: at most as long, on average, as those, whose
  /// knowledge of existing users grows by a day a day. `nil` where the look-backs are alike as they
  /// are, or the judged people's is the shorter one.
  package static func lookBack(
    of days: DaySpan, known: LookBack?, like baseline: Baseline
  ) -> Int? {
    guard let known, let own = baseline.lookBack, let began = baseline.began,
      !known.isAlike(own), known.days > own.days
    else { return nil }
    return min(known.days, max(0, own.days + (began.count - days.count) / 2))
  }
}
