internal import FunnelEngine

/// The dates and instants that `InstantText` writes.
package enum InstantReader {
  /// Days since 1970 of `2026-07-03`; `nil` for other text.
  package static func day(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: "-").map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return CivilCalendar.dayNumber(year: year, month: month, day: day)
  }

  /// Milliseconds since 1970 of `2026-07-03T23:59:00Z`, fractions left out; `nil` for other text.
  package static func milliseconds(_ text: String) -> Int64? {
    let halves = text.split(separator: "T", maxSplits: 1)
    guard halves.count == 2, text.hasSuffix("Z"), let days = day(halves[0]) else { return nil }
    let time = halves[1].dropLast().prefix { $0 != "." }.split(separator: ":").map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
  }
}
