/// Durations as flow files write them: one whole number and one unit, `500ms`, `15s`, `2m`,
/// `24h`, `7d`.
public enum DurationText {
  /// Units from the largest to the smallest, with their milliseconds.
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// Ten years: nothing a flow file says lasts longer, and sums of two can't overflow.
  public static let maximumMilliseconds: Int64 = 3650 * 86_400_000

  /// Milliseconds of a duration text, or `nil` where it is none (also where it is too long).
  public static func milliseconds(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count)
    guard let number = Int64(digits), let scale = units.first(where: { $0.name == unit }),
      number <= maximumMilliseconds / scale.milliseconds
    else { return nil }
    return number * scale.milliseconds
  }

  /// Whether a text is written as durations are but exceeds the maximum.
  static func isTooLong(_ text: String) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && units.contains { $0.name == text.dropFirst(digits.count) }
      && milliseconds(text) == nil
  }

  /// The shortest exact text, in the largest unit that divides the duration: `90m`, not `1h30m`.
  /// A whole number of days below two is written in hours, as people do: `24h`.
  public static func format(_ milliseconds: Int64) -> String {
    if milliseconds == 86_400_000 { return "24h" }
    for unit in units where milliseconds != 0 && milliseconds % unit.milliseconds == 0 {
      return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }
    return "0s"
  }

  /// What somebody who wrote `1h30m`, `1.5h`, `24 hours` or `2w` meant, in the right spelling.
  static func suggestion(for text: String) -> String? {
    let words: [String: Double] = [
      "ms": 1, "msec": 1, "s": 1000, "sec": 1000, "secs": 1000, "second": 1000, "seconds": 1000,
      "m": 60_000, "min": 60_000, "mins": 60_000, "minute": 60_000, "minutes": 60_000,
      "h": 3_600_000, "hr": 3_600_000, "hrs": 3_600_000, "hour": 3_600_000, "hours": 3_600_000,
      "d": 86_400_000, "day": 86_400_000, "days": 86_400_000, "w": 604_800_000,
      "week": 604_800_000, "weeks": 604_800_000,
    ]
    var rest = Substring(text.lowercased().filter { $0 != " " && $0 != "_" })
    var total = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let word = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(word.count)
      guard let number = Double(digits), let scale = words[String(word)] else { return nil }
      total += number * scale
    }
    guard total >= 1, total <= Double(maximumMilliseconds), total == total.rounded() else {
      return nil
    }
    return format(Int64(total))
  }
}
