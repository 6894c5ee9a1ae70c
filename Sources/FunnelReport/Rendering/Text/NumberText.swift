/// Numbers as files hold them: six significant digits, a point, nothing that depends on a locale.
public enum NumberText {
  /// A number of six significant digits without trailing zeros; an exponent only from 10^15 up
  /// and below 10^−6. Rounding is half to even on the shortest decimal form. `nil` for what is
  /// not finite.
  public static func format(_ value: Double) -> String? {
    guard value.isFinite else { return nil }
    if value == 0 { return "0" }
    var (digits, point) = decimal(value.magnitude)
    round(&digits, &point, to: 6)
    let sign = value < 0 ? "-" : ""
    // `point` is where the decimal point stands: 0.digits × 10^point.
    if point > 15 || point < -5 { return sign + scientific(digits, point) }
    return sign + plain(digits, point)
  }

  /// A number with a fixed count of digits after the point, as people read it in a column.
  public static func fixed(_ value: Double, decimals: Int) -> String? {
    guard value.isFinite else { return nil }
    var (digits, point) = decimal(value.magnitude)
    round(&digits, &point, to: point + decimals)
    var text = plain(digits, point)
    let places = text.split(separator: ".", maxSplits: 1)
    let have = places.count == 2 ? places[1].count : 0
    if decimals > have {
      text += (have == 0 ? "." : "") + String(repeating: "0", count: decimals - have)
    }
    return value < 0 && digits.contains { $0 != 0 } ? "-" + text : text
  }

  /// A count with commas between thousands.
  public static func grouped(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The shortest decimal digits that mean the number, as 0.digits × 10^point.
  private static func decimal(_ magnitude: Double) -> (digits: [UInt8], point: Int) {
    let parts = magnitude.description.lowercased().split(separator: "e", maxSplits: 1)
    let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
    let whole = mantissa[0].utf8.map { $0 - 48 }
    let fraction = mantissa.count == 2 ? mantissa[1].utf8.map { $0 - 48 } : []
    var digits = whole + fraction
    var point = whole.count + exponent
    while digits.count > 1, digits.first == 0 {
      digits.removeFirst()
      point -= 1
    }
    while digits.count > 1, digits.last == 0 { digits.removeLast() }
    return digits == [0] ? ([], 0) : (digits, point)
  }

  private static func round(_ digits: inout [UInt8], _ point: inout Int, to kept: Int) {
    guard kept < digits.count else { return }
    guard kept >= 0 else {
      digits = []
      return
    }
    let rest = digits[kept...]
    let previous = kept > 0 ? digits[kept - 1] : 0
    let isTie = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
    let up = isTie ? previous % 2 == 1 : (rest.first ?? 0) >= 5
    digits = Array(digits[..<kept])
    if up {
      var index = kept - 1
      while index >= 0 && digits[index] == 9 {
        digits[index] = 0
        index -= 1
      }
      if index >= 0 {
        digits[index] += 1
      } else {
        digits.insert(1, at: 0)
        point += 1
      }
    }
    while digits.last == 0 { digits.removeLast() }
  }

  private static func text(_ digits: some Sequence<UInt8>) -> String {
    String(decoding: digits.map { $0 + 48 }, as: UTF8.self)
  }

  private static func plain(_ digits: [UInt8], _ point: Int) -> String {
    if digits.isEmpty { return "0" }
    if point <= 0 { return "0." + String(repeating: "0", count: -point) + text(digits) }
    if point >= digits.count {
      return text(digits) + String(repeating: "0", count: point - digits.count)
    }
    return text(digits[..<point]) + "." + text(digits[point...])
  }

  private static func scientific(_ digits: [UInt8], _ point: Int) -> String {
    let rest = text(digits.dropFirst())
    return text(digits.prefix(1)) + (rest.isEmpty ? "" : "." + rest) + "e\(point - 1)"
  }
}
