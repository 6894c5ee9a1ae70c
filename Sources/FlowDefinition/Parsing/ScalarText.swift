internal import Yams

/// What a YAML scalar says, by the rules of YAML 1.2's core schema: only `true` and `false` are
/// booleans, so that a country code NO or a property value `on` stays the text it is.
enum ScalarText {
  static func isPlain(_ scalar: Node.Scalar) -> Bool {
    scalar.style == .plain || scalar.style == .any
  }

  static func isNull(_ scalar: Node.Scalar) -> Bool {
    isPlain(scalar) && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  static func boolean(_ scalar: Node.Scalar) -> Bool? {
    guard isPlain(scalar) else { return nil }
    switch scalar.string {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default: return nil
    }
  }

  /// A decimal number without exponent tricks, hexadecimal, infinity or NaN.
  static func number(_ text: String) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    let allowed = digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard allowed, let first = digits.first, first.isNumber, let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  /// A decimal number that may have an exponent, as small bounds print: `1e-05`.
  static func exponentNumber(_ text: String) -> Double? {
    let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = number(String(parts[0])) else { return nil }
    if parts.count == 1 { return mantissa }
    guard Int(parts[1]) != nil, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// The text a property value is compared with: booleans as JSON writes them, numbers in their
  /// shortest form, everything else (and everything in quotes) as it stands.
  static func canonical(_ scalar: Node.Scalar) -> String {
    if let boolean = boolean(scalar) { return boolean ? "true" : "false" }
    if isPlain(scalar), let number = number(scalar.string) { return format(number) }
    return scalar.string
  }

  /// A number in its shortest exact form; whole numbers without a fraction.
  static func format(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 9_007_199_254_740_992 {
      return String(Int64(number))
    }
    return "\(number)"
  }

  /// A percentage such as `80%` or `33.3 %`, as a fraction of 1.
  static func percent(_ text: String) -> Double? {
    guard text.hasSuffix("%") else { return nil }
    var digits = text.dropLast()
    while digits.hasSuffix(" ") { digits = digits.dropLast() }
    return number(String(digits)).map { $0 / 100 }
  }

  /// A fraction as a percentage that reads back as the same fraction.
  static func percentText(_ fraction: Double) -> String {
    "\(format((fraction * 1e14).rounded() / 1e12))%"
  }

  /// What someone who wrote a bare number meant: `0.5` is 50%, `50` is 50%.
  static func percentSuggestion(for text: String) -> String? {
    number(text).map { $0 > 0 && $0 <= 1 ? percentText($0) : "\(text)%" }
  }
}
