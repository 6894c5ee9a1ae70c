/// Decimal numbers as whole millionths, so that sums do not depend on their order.
public enum DecimalAmount {
  /// The largest amount that is taken for one: a thousand million. The squares of ten thousand
  /// such amounts of one person still fit into 128 bits.
  private static let largestUnits: Int64 = 1_000_000_000

  /// An amount such as `29.99`, `-4` or `1.5e3`, rounded to millionths, halves away from zero.
  ///
  /// - Returns: `nil` for what is no number, or is larger than a thousand million.
  public static func millionths(_ text: String) -> Int64? {
    var digits = Substring(text)
    var exponent = 0
    if let mark = digits.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      guard let power = Int(digits[digits.index(after: mark)...]), (-30...30).contains(power) else {
        return nil
      }
      exponent = power
      digits = digits[..<mark]
    }
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits = digits.dropFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts.first ?? ""
    let fraction = parts.count == 2 ? parts[1] : ""
    guard !whole.isEmpty || !fraction.isEmpty,
      (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    guard let amount = rounded(whole + fraction, scale: fraction.count - exponent) else {
      return nil
    }
    return isNegative ? -amount : amount
  }

  /// An amount in millionths as a decimal number without superfluous digits: `29.99`, `-4`.
  public static func text(millionths: Int128) -> String {
    let size = millionths.magnitude
    var fraction = String(size % 1_000_000)
    fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let whole = (millionths < 0 ? "-" : "") + String(size / 1_000_000)
    return fraction.isEmpty ? whole : "\(whole).\(fraction)"
  }

  /// Digits of which the last `scale` stand behind the point, as millionths.
  private static func rounded(_ digits: Substring, scale: Int) -> Int64? {
    let largest = largestUnits * 1_000_000
    var kept = Array(digits.utf8.drop { $0 == 48 })
    let surplus = scale - 6
    if surplus < 0 {
      guard kept.isEmpty || kept.count - surplus <= 19 else { return nil }
      kept += Array(repeating: 48, count: -surplus)
    }
    let cut = max(0, surplus)
    let isUp = cut > 0 && cut <= kept.count && kept[kept.count - cut] >= 53
    kept.removeLast(min(cut, kept.count))
    guard kept.count <= 18 + 1 else { return nil }
    var amount: Int64 = 0
    for digit in kept {
      let (product, overflow) = amount.multipliedReportingOverflow(by: 10)
      let (sum, overflowed) = product.addingReportingOverflow(Int64(digit - 48))
      if overflow || overflowed || sum > largest { return nil }
      amount = sum
    }
    if isUp { amount += 1 }
    return amount <= largest ? amount : nil
  }
}
