/// Numbers as files hold them: six significant digits, a point, nothing that depends on a locale.
public enum NumberText {
  /// A number of six significant digits without trailing zeros; an exponent only from 10^15 up
  /// and below 10^−6. Rounding is half to even on the shortest decimal form. `nil` for what is
  /// not finite.
  public static func format(_ value: Double) -> String? { format(value, digits: 6) }

  /// A number of so many significant digits.
  package static func format(_ value: Double, digits: Int) -> String? {
    guard value.isFinite else { return nil }
    var text = TextBytes()
    write(value, digits: digits, to: &text)
    return text.text
  }

  /// Writes a number at the end of a text; nothing for what is not finite.
  package static func write(_ value: Double, digits: Int = 6, to text: inout TextBytes) {
    guard value.isFinite else { return }
    if value == 0 { return text.add("0") }
    var decimal = ShortestDecimal(value.magnitude)
    decimal.round(to: digits)
    if value < 0 { text.add("-") }
    if decimal.point > 15 || decimal.point < -5 {
      text.add(decimal.scientific)
    } else {
      decimal.writePlain(to: &text)
    }
  }

  /// A number with a fixed count of digits after the point, as people read it in a column.
  public static func fixed(_ value: Double, decimals: Int) -> String? {
    guard value.isFinite else { return nil }
    var decimal = ShortestDecimal(value.magnitude)
    decimal.round(to: decimal.point + decimals)
    var text = decimal.plain
    let places = text.split(separator: ".", maxSplits: 1)
    let have = places.count == 2 ? places[1].count : 0
    if decimals > have {
      text += (have == 0 ? "." : "") + String(repeating: "0", count: decimals - have)
    }
    return value < 0 && decimal.count > 0 ? "-" + text : text
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
}
