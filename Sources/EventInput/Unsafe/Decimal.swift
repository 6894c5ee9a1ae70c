/// A number's text taken apart without rounding: sign, significant digits, and where the point is.
///
///     -0.00120e5  =  - 0.12 × 10^3:  isNegative, digits "12", point 3
///
/// Invariants: `digits` points at `count` ASCII digits in the caller's memory, the first and the
/// last of them not 0; `count == 0` means zero.
@safe struct Decimal {
  typealias Address = UnsafePointer<UInt8>

  var isNegative = false
  let digits: UnsafeMutablePointer<UInt8>
  var count = 0
  /// The value is 0.digits × 10^point.
  var point = 0

  /// Reads `-digits.digits e±digits`; nil if the text is anything else. `scratch` must have room
  /// for `end - start` bytes.
  init?(_ start: Address, _ end: Address, scratch: UnsafeMutablePointer<UInt8>) {
    unsafe digits = scratch
    var p = unsafe start
    if unsafe p < end && p.pointee == UInt8(ascii: "-") {
      isNegative = true
      unsafe p += 1
    }
    var seen = unsafe take(&p, end, isFraction: false)
    guard seen > 0 else { return nil }
    if unsafe p < end && p.pointee == UInt8(ascii: ".") {
      unsafe p += 1
      seen = unsafe take(&p, end, isFraction: true)
      guard seen > 0 else { return nil }
    }
    if unsafe p < end && p.pointee | 0x20 == UInt8(ascii: "e") {
      unsafe p += 1
      guard let exponent = unsafe Self.exponent(&p, end) else { return nil }
      point += exponent
    }
    guard unsafe p == end else { return nil }
    while unsafe count > 0 && digits[count - 1] == UInt8(ascii: "0") { count -= 1 }
    if count == 0 { point = 0 }
  }

  private mutating func take(_ p: inout Address, _ end: Address, isFraction: Bool) -> Int {
    let start = unsafe p
    while unsafe p < end && p.pointee &- UInt8(ascii: "0") < 10 {
      if unsafe count > 0 || p.pointee != UInt8(ascii: "0") {
        unsafe digits[count] = p.pointee
        count += 1
        if !isFraction { point += 1 }
      } else if isFraction {
        point -= 1
      }
      unsafe p += 1
    }
    return unsafe p - start
  }

  /// Far beyond any use, an exponent's size makes no difference.
  private static func exponent(_ p: inout Address, _ end: Address) -> Int? {
    var isNegative = false
    if unsafe p < end && (p.pointee == UInt8(ascii: "-") || p.pointee == UInt8(ascii: "+")) {
      isNegative = unsafe p.pointee == UInt8(ascii: "-")
      unsafe p += 1
    }
    let start = unsafe p
    var value = 0
    while unsafe p < end && p.pointee &- UInt8(ascii: "0") < 10 {
      value = unsafe min(value * 10 + Int(p.pointee - UInt8(ascii: "0")), 100_000_000)
      unsafe p += 1
    }
    return unsafe p > start ? (isNegative ? -value : value) : nil
  }

  /// floor(|value| × 10^shift), or nil beyond 18 digits.
  func scaledDown(shift: Int) -> Int64? {
    let wanted = point + shift
    if count == 0 || wanted <= 0 { return 0 }
    if wanted > 18 { return nil }
    var result: Int64 = 0
    for index in 0..<wanted {
      result = unsafe result * 10 + (index < count ? Int64(digits[index] - UInt8(ascii: "0")) : 0)
    }
    return result
  }

  /// At most so many zeros are written out for an exponent.
  static let maximumZeros = 64

  /// The plain text of the number: `42` for 42.0 and 4.2e1, `0.5` for 5e-1. nil where that would
  /// take more than 64 zeros. `target` must have room for `count` + 67 bytes.
  func write(into target: UnsafeMutablePointer<UInt8>) -> Int? {
    var out = unsafe target
    func put(_ byte: UInt8) {
      unsafe out.pointee = byte
      unsafe out += 1
    }
    func putZeros(_ wanted: Int) {
      for _ in 0..<wanted { put(UInt8(ascii: "0")) }
    }
    func putDigits(_ range: Range<Int>) {
      for index in range { unsafe put(digits[index]) }
    }
    if count == 0 {
      put(UInt8(ascii: "0"))
      return 1
    }
    guard point - count <= Self.maximumZeros, -point <= Self.maximumZeros else { return nil }
    if isNegative { put(UInt8(ascii: "-")) }
    if point <= 0 {
      put(UInt8(ascii: "0"))
      put(UInt8(ascii: "."))
      putZeros(-point)
      putDigits(0..<count)
    } else if point >= count {
      putDigits(0..<count)
      putZeros(point - count)
    } else {
      putDigits(0..<point)
      put(UInt8(ascii: "."))
      putDigits(point..<count)
    }
    return unsafe out - target
  }
}

extension Decimal {
  /// The plain text of a number that has a point or an exponent; `nil` for any other text.
  static func plainText(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.contains(where: { ".eE".utf8.contains($0) }) else { return nil }
    var scratch = [UInt8](repeating: 0, count: 2 * text.count + 67)
    let written = unsafe text.withUnsafeBufferPointer { text in
      unsafe scratch.withUnsafeMutableBufferPointer { scratch in
        guard let start = text.baseAddress, let room = scratch.baseAddress,
          let decimal = unsafe Decimal(start, start + text.count, scratch: room)
        else { return nil as Int? }
        return unsafe decimal.write(into: room + text.count)
      }
    }
    return written.map { Array(scratch[text.count..<(text.count + $0)]) }
  }
}
