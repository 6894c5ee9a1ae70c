/// The shortest decimal digits that mean a number, as 0.digits × 10^point.
///
/// At most 17 digits are ever needed (Steele and White 1990), so they fit in one word, and rounding
/// them is exact.
struct ShortestDecimal {
  /// The digits as one number that does not end in 0; 0 without digits.
  private var digits: UInt64 = 0
  /// How many digits there are.
  private(set) var count = 0
  private(set) var point = 0

  /// - Parameter magnitude: finite and not negative.
  init(_ magnitude: Double) {
    var digits: UInt64 = 0
    var count = 0
    var whole = 0
    var isFraction = false
    var exponent = 0
    var isExponent = false
    var exponentSign = 1
    // `0.0012`, `123.0`, `1.5e-07`: the standard library's shortest form.
    for byte in magnitude.description.utf8 {
      switch byte {
      case 0x2E: isFraction = true
      case 0x65, 0x45: isExponent = true
      case 0x2D: exponentSign = -1
      case 0x30...0x39 where isExponent: exponent = exponent * 10 + Int(byte - 0x30)
      case 0x30...0x39:
        if !isFraction { whole += 1 }
        if count == 0 && byte == 0x30 {
          // Zeros at the beginning are no digits, but they move the point.
          whole -= 1
        } else if count < 19 {
          digits = digits * 10 + UInt64(byte - 0x30)
          count += 1
        }
      default: break
      }
    }
    self.digits = digits
    self.count = count
    point = whole + exponentSign * exponent
    dropZeros()
    if digits == 0 { point = 0 }
  }

  /// Keeps `kept` digits, half to even.
  mutating func round(to kept: Int) {
    guard kept < count else { return }
    guard kept >= 0 else {
      digits = 0
      count = 0
      return
    }
    let divisor = Self.power(count - kept)
    let rest = digits % divisor
    digits /= divisor
    count = kept
    // `divisor` is even: its half is exact.
    if rest > divisor / 2 || (rest == divisor / 2 && digits % 2 == 1) {
      digits += 1
      if digits == Self.power(kept) {
        count += 1
        point += 1
      }
    }
    dropZeros()
  }

  /// Without an exponent: `0.00123`, `42`, `1200`.
  var plain: String {
    var text = TextBytes()
    writePlain(to: &text)
    return text.text
  }

  func writePlain(to text: inout TextBytes) {
    if count == 0 {
      text.add("0")
    } else if point <= 0 {
      text.add("0.")
      text.add(digitsOf: digits, filledTo: count - point)
    } else if point >= count {
      text.add(digitsOf: digits)
      text.addZeros(point - count)
    } else {
      let divisor = Self.power(count - point)
      text.add(digitsOf: digits / divisor)
      text.add(".")
      text.add(digitsOf: digits % divisor, filledTo: count - point)
    }
  }

  /// `1.5e-07`, with the exponent as it is: `1.5e-7`.
  var scientific: String {
    if count <= 1 { return "\(digits)e\(point - 1)" }
    let divisor = Self.power(count - 1)
    let fraction = String(digits % divisor)
    let zeros = String(repeating: "0", count: count - 1 - fraction.utf8.count)
    return "\(digits / divisor).\(zeros)\(fraction)e\(point - 1)"
  }

  private mutating func dropZeros() {
    if digits == 0 {
      count = 0
      return
    }
    while digits % 10 == 0 {
      digits /= 10
      count -= 1
    }
  }

  /// 10 to the power `exponent`, from 0 to 19.
  private static func power(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }
}
