internal import FunnelEngine

/// The instants that `InstantText` writes.
enum InstantReader {
  /// Milliseconds since 1970 of `2026-07-03T23:59:00Z`, fractions left out; `nil` for other text.
  static func milliseconds(_ text: String) -> Int64? {
    let halves = text.split(separator: "T", maxSplits: 1)
    guard halves.count == 2, text.hasSuffix("Z") else { return nil }
    let date = halves[0].split(separator: "-").map { Int($0) }
    let time = halves[1].dropLast().prefix { $0 != "." }.split(separator: ":").map { Int($0) }
    guard date.count == 3, time.count == 3, let year = date[0], let month = date[1],
      let day = date[2], let hour = time[0], let minute = time[1], let second = time[2],
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = CivilCalendar.dayNumber(year: year, month: month, day: day)
    return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
  }
}
