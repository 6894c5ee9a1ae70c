/// Whose numbers a gate judges, by the day on which people began.
public enum GatePeriod: Sendable, Hashable {
  /// Everyone in the data, the baseline's own people too.
  case everyone
  /// Every complete day after the baseline's last one.
  case sinceBaseline
  /// The last so many complete days, of those after the baseline's last one.
  case lastCompleteDays(Int)
  /// Named days, as days since 1970, both ends included.
  case days(ClosedRange<Int>)

  /// The spellings that messages show.
  public static let allowed = [
    "last complete day", "last 7 complete days", "since baseline", "2026-03-01 to 2026-03-07",
    "everyone",
  ]

  /// The period in a text such as `last 7 complete days`; `nil` for other text.
  public init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    switch words {
    case ["everyone"]: self = .everyone
    case ["since", "baseline"]: self = .sinceBaseline
    case ["last", "complete", "day"]: self = .lastCompleteDays(1)
    default:
      if let days = GatePeriod.lastDays(words) ?? GatePeriod.days(words) {
        self = days
      } else {
        return nil
      }
    }
  }

  private static func lastDays(_ words: [String]) -> GatePeriod? {
    guard words.count == 4, words[0] == "last", words[2] == "complete",
      ["day", "days"].contains(words[3]), let count = Int(words[1]), (1...3660).contains(count)
    else { return nil }
    return .lastCompleteDays(count)
  }

  private static func days(_ words: [String]) -> GatePeriod? {
    guard words.count == 1 || words.count == 3 && words[1] == "to",
      let first = words.first.flatMap(day), let last = words.last.flatMap(day), first <= last
    else { return nil }
    return .days(first...last)
  }

  private static func day(_ text: String) -> Int? {
    CivilDate(text).map { Int($0.startMilliseconds(in: "UTC") / 86_400_000) }
  }
}
