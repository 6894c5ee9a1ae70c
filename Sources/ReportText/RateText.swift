package import ExperimentStatistics

/// Rates, intervals and durations as people read them.
package enum RateText {
  /// An amount of money, or of what else a goal's values are in.
  public static func amount(_ value: Double) -> String {
    let text = NumberText.fixed(value.magnitude, decimals: 2) ?? "–"
    return value < 0 ? "−" + text : text
  }

  /// A rate as a percentage with the digits that matter: `84.1 %`, `0.03 %`, `0.0021 %`, `100 %`.
  package static func percent(_ rate: Double) -> String { number(rate) + " %" }

  /// With more digits for the smallest: `0.18 %`.
  package static func finePercent(_ rate: Double) -> String {
    let value = rate * 100
    guard value > 0, value < 1 else { return percent(rate) }
    return value < 0.01 ? "<0.01 %" : (NumberText.fixed(value, decimals: 2) ?? "–") + " %"
  }

  /// Without its sign: `84.1`.
  package static func number(_ rate: Double) -> String {
    let value = rate * 100
    if value == 0 || value == 100 { return value == 0 ? "0" : "100" }
    // A rate that is not 0 or 1, and a bound that leaves out 0, must not look like it.
    let isNear = value.magnitude < 0.1 || (value > 99.95 && value < 100)
    guard isNear else { return NumberText.fixed(value, decimals: 1) ?? "–" }
    let texts = (2...mostDecimals).lazy.map { NumberText.fixed(value, decimals: $0) ?? "–" }
    return texts.first { !isRound($0) } ?? NumberText.fixed(value, decimals: 2) ?? "–"
  }

  /// Of one in a hundred million; what is nearer to 0 comes from rounding.
  private static let mostDecimals = 6

  /// `0.00`, `100.00`
  private static func isRound(_ text: String) -> Bool {
    text.drop { $0 == "-" || $0 == "1" }.allSatisfy { $0 == "0" || $0 == "." }
  }

  /// As in a column, where whole numbers have a digit after the point, too: `0.0`, `100.0`.
  package static func column(_ rate: Double) -> String {
    rate == 0 || rate == 1 ? NumberText.fixed(rate * 100, decimals: 1) ?? "–" : number(rate)
  }

  /// `73.2–91.1 %`
  package static func interval(_ low: Double, _ high: Double) -> String {
    if low < 0 { return "\(signedNumber(low)) to \(signedNumber(high)) %" }
    return "\(number(low))–\(number(high)) %"
  }

  /// A difference in percentage points: `+3.4 points, 95 % CI +0.9 to +5.9`.
  package static func points(_ value: EstimateWithInterval) -> String {
    "\(signedNumber(value.estimate)) points, 95 % CI \(signedNumber(value.interval.lower)) to "
      + signedNumber(value.interval.upper)
  }

  package static func signedNumber(_ rate: Double) -> String {
    let text = number(rate.magnitude)
    if isRound(text), !text.hasPrefix("1") { return "0" }
    return (rate < 0 ? "−" : "+") + text
  }

  /// `+5.4 %`
  package static func signedPercent(_ rate: Double) -> String { signedNumber(rate) + " %" }

  /// Seconds in the two largest units that matter: `0.8 s`, `42 s`, `2 min 5 s`, `3 h 10 min`.
  package static func duration(_ seconds: Double) -> String {
    // A margin of some milliseconds is not none.
    if seconds > 0, seconds < 0.05 {
      return (NumberText.format((seconds * 1000).rounded(.up)) ?? "–") + " ms"
    }
    if seconds < 10 { return (NumberText.fixed(seconds, decimals: 1) ?? "–") + " s" }
    // A bound that somebody wrote may be more than any count of days.
    guard seconds < 1e15 else { return (NumberText.format(seconds) ?? "–") + " s" }
    let whole = Int(seconds.rounded(.toNearestOrEven))
    let units = [(86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")]
    for (size, name, smaller, smallerName) in units where whole >= size {
      let rest = whole % size / smaller
      return "\(whole / size) \(name)" + (rest > 0 ? " \(rest) \(smallerName)" : "")
    }
    return "\(whole) s"
  }

  /// A difference of durations, given in milliseconds: `+12 s, 95 % CI +8 s to +1 min 3 s`.
  package static func seconds(_ value: EstimateWithInterval) -> String {
    "\(signedDuration(value.estimate / 1000)), 95 % CI "
      + "\(signedDuration(value.interval.lower / 1000)) to "
      + signedDuration(value.interval.upper / 1000)
  }

  /// A difference of durations: `+12 s`, `−1 min 3 s`.
  package static func signedDuration(_ seconds: Double) -> String {
    // Less than what is shown has no sign.
    seconds.magnitude < 0.05 ? "0 s" : (seconds < 0 ? "−" : "+") + duration(seconds.magnitude)
  }

  /// A p-value: `p = 0.031`, `p < 0.0001`.
  package static func p(_ value: Double) -> String {
    if value < 0.0001 { return "p < 0.0001" }
    if value >= 0.9995 { return "p > 0.999" }
    return "p = " + (NumberText.fixed(value, decimals: value < 0.01 ? 4 : 3) ?? "–")
  }
}

extension RateText {
  /// `90 s`, `2 min–3 min`: what the design means something to take.
  package static func expected(_ range: ClosedRange<Int64>, isDashed: Bool = false) -> String {
    let low = duration(Double(range.lowerBound) / 1000)
    let high = duration(Double(range.upperBound) / 1000)
    if low == high { return low }
    let (lowWords, highWords) = (low.split(separator: " "), high.split(separator: " "))
    // `2 to 3 min`: one unit is enough where both have it.
    if lowWords.count == 2, highWords.count == 2, lowWords[1] == highWords[1] {
      return "\(lowWords[0])\(isDashed ? "–" : " to ")\(high)"
    }
    return "\(low) \(isDashed ? "–" : "to") \(high)"
  }

  /// A confidence level: `95 %`, `99.4 %`.
  package static func level(_ level: Double) -> String {
    let rounded = (level * 1000).rounded() / 1000
    return rounded < 1 ? bound(rounded) : percent(level)
  }

  /// A share that is planned: `50 %`, and of a third `33.33 %`.
  package static func planned(_ share: Double) -> String {
    bound((share * 10_000).rounded() / 10_000)
  }

  /// A percentage that somebody wrote, with the digits that they wrote: `5 %`, `33.3 %`.
  package static func bound(_ rate: Double) -> String {
    (NumberText.format(rate * 100) ?? "–") + " %"
  }
}
