import CScanKernel

/// Why JSON text was refused.
enum LexerFailure: UInt8 {
  case none, malformed, tooDeep, invalidUTF8, notAnObject
}

/// What the lexer found out besides where things end.
@safe struct LexerState {
  var failure = LexerFailure.none
  /// Where the failure was noticed.
  var position: UnsafePointer<UInt8>?
  /// Whether the string read last has a backslash in it.
  var hasEscapes = false
  /// Whether a text like an object stood where an object with values of the plan is looked for.
  var hasInnerText = false
  /// Whether a list of anything but one object stood where an event's properties are looked for.
  var hasOtherList = false
}

/// The grammar of RFC 8259 within one line: line feeds are no white space here.
///
/// Every function takes the address where something begins and returns the address after it, or
/// nil with `state.failure` set.
///
/// Invariants of the text: it ends with a line feed, at which every function stops; 64 bytes may be
/// read beyond it. No function reads before the address it was given.
@safe struct JSONLexer {
  typealias Address = UnsafePointer<UInt8>

  static let maximumDepth = 128

  let state: UnsafeMutablePointer<LexerState>

  @inline(never)
  func fail(_ failure: LexerFailure, at position: Address) -> Address? {
    unsafe state.pointee.failure = failure
    unsafe state.pointee.position = position
    return nil
  }

  @inline(__always)
  func skipSpace(_ start: Address) -> Address {
    var p = unsafe start
    // Compact JSON, the usual case, has none.
    while unsafe p.pointee <= 0x20 && (p.pointee == 0x20 || p.pointee == 0x09 || p.pointee == 0x0D)
    {
      unsafe p += 1
    }
    return unsafe p
  }

  /// Goes on with a string at a byte that is not plain ASCII; returns its closing quote.
  @inline(never)
  func stringEnd(_ start: Address) -> Address? {
    var p = unsafe start
    while true {
      let byte = unsafe p.pointee
      if byte == UInt8(ascii: "\"") { return unsafe p }
      if byte == UInt8(ascii: "\\") {
        unsafe state.pointee.hasEscapes = true
        guard let next = unsafe escapeEnd(p + 1) else { return nil }
        unsafe p = next
      } else if byte < 0x20 {
        return unsafe fail(.malformed, at: p)
      } else if byte >= 0x80 {
        guard let next = unsafe UTF8Text.characterEnd(p) else {
          return unsafe fail(.invalidUTF8, at: p)
        }
        unsafe p = next
      } else {
        unsafe p = scan_string_end(p)
      }
    }
  }

  /// After the backslash. Lone surrogates are allowed, as the RFC does.
  private func escapeEnd(_ p: Address) -> Address? {
    switch unsafe p.pointee {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return unsafe p + 1
    case UInt8(ascii: "u"):
      for offset in 1...4 where unsafe JSONText.hexDigit(p[offset]) == nil {
        return unsafe fail(.malformed, at: p + offset)
      }
      return unsafe p + 5
    default:
      return unsafe fail(.malformed, at: p)
    }
  }

  /// A number, `true`, `false` or `null`.
  func scalarEnd(_ p: Address) -> Address? {
    switch unsafe p.pointee {
    case UInt8(ascii: "t"): unsafe wordEnd(p, "true")
    case UInt8(ascii: "f"): unsafe wordEnd(p, "false")
    case UInt8(ascii: "n"): unsafe wordEnd(p, "null")
    default: unsafe numberEnd(p)
    }
  }

  private func wordEnd(_ p: Address, _ word: StaticString) -> Address? {
    for offset in 0..<word.utf8CodeUnitCount where unsafe p[offset] != word.utf8Start[offset] {
      return unsafe fail(.malformed, at: p + offset)
    }
    return unsafe p + word.utf8CodeUnitCount
  }

  @inline(__always)
  private func numberEnd(_ start: Address) -> Address? {
    var p = unsafe start
    if unsafe p.pointee == UInt8(ascii: "-") { unsafe p += 1 }
    if unsafe p.pointee == UInt8(ascii: "0") {
      unsafe p += 1
    } else {
      guard let next = unsafe digitsEnd(p) else { return nil }
      unsafe p = next
    }
    if unsafe p.pointee == UInt8(ascii: ".") {
      guard let next = unsafe digitsEnd(p + 1) else { return nil }
      unsafe p = next
    }
    if unsafe p.pointee | 0x20 == UInt8(ascii: "e") {
      unsafe p += 1
      if unsafe p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { unsafe p += 1 }
      guard let next = unsafe digitsEnd(p) else { return nil }
      unsafe p = next
    }
    return unsafe p
  }

  /// At least one digit.
  @inline(__always)
  private func digitsEnd(_ start: Address) -> Address? {
    var p = unsafe start
    while unsafe p.pointee &- UInt8(ascii: "0") < 10 { unsafe p += 1 }
    return unsafe p > start ? p : fail(.malformed, at: p)
  }

  /// Any value that nobody asked for; `depth` is that of the value itself, if it is a container.
  func valueEnd(_ p: Address, depth: Int) -> Address? {
    switch unsafe p.pointee {
    case UInt8(ascii: "\""):
      let end = unsafe scan_string_end(p + 1)
      if unsafe end.pointee == UInt8(ascii: "\"") { return unsafe end + 1 }
      return unsafe stringEnd(end).map { unsafe $0 + 1 }
    case UInt8(ascii: "{"), UInt8(ascii: "["): return unsafe containerEnd(p, depth: depth)
    default: return unsafe scalarEnd(p)
    }
  }

  /// An object or array at depth `depth`, without recursion: what encloses a place is a bit each.
  private func containerEnd(_ start: Address, depth startDepth: Int) -> Address? {
    var p = unsafe start
    var depth = startDepth - 1
    // Bit 0 is the innermost container: 1 for an object.
    var kinds: (low: UInt64, high: UInt64) = (0, 0)
    while true {
      // At a value.
      let byte = unsafe p.pointee
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        if depth > Self.maximumDepth { return unsafe fail(.tooDeep, at: p) }
        let isObject = byte == UInt8(ascii: "{")
        kinds.high = kinds.high << 1 | kinds.low >> 63
        kinds.low = kinds.low << 1 | (isObject ? 1 : 0)
        unsafe p = skipSpace(p + 1)
        if unsafe p.pointee != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject {
            guard let next = unsafe keyEnd(p) else { return nil }
            unsafe p = next
          }
          continue
        }
      } else {
        guard let next = unsafe valueEnd(p, depth: depth) else { return nil }
        unsafe p = skipSpace(next)
      }
      // After a value, or at the end of an empty container.
      while true {
        let isObject = kinds.low & 1 == 1
        if unsafe p.pointee == UInt8(ascii: ",") {
          unsafe p = skipSpace(p + 1)
          if isObject {
            guard let next = unsafe keyEnd(p) else { return nil }
            unsafe p = next
          }
          break
        }
        guard unsafe p.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          return unsafe fail(.malformed, at: p)
        }
        kinds.low = kinds.low >> 1 | kinds.high << 63
        kinds.high >>= 1
        depth -= 1
        unsafe p += 1
        if depth < startDepth { return unsafe p }
        unsafe p = skipSpace(p)
      }
    }
  }

  /// From a key's opening quote to its value.
  private func keyEnd(_ p: Address) -> Address? {
    guard unsafe p.pointee == UInt8(ascii: "\"") else { return unsafe fail(.malformed, at: p) }
    guard let end = unsafe valueEnd(p, depth: 0) else { return nil }
    let colon = unsafe skipSpace(end)
    guard unsafe colon.pointee == UInt8(ascii: ":") else {
      return unsafe fail(.malformed, at: colon)
    }
    return unsafe skipSpace(colon + 1)
  }

  /// Why a line that is no event is none: nil if it is a JSON object after all.
  ///
  /// `end` is the address of the line feed after the line.
  func fault(_ start: Address, _ end: Address) -> (LexerFailure, at: Int)? {
    if let bad = unsafe UTF8Text.firstInvalid(start, end) {
      return unsafe (.invalidUTF8, bad - start)
    }
    let first = unsafe skipSpace(start)
    guard let next = unsafe valueEnd(first, depth: 1) else {
      return unsafe (state.pointee.failure, (state.pointee.position ?? start) - start)
    }
    let rest = unsafe skipSpace(next)
    if unsafe rest != end { return unsafe (.malformed, rest - start) }
    return unsafe first.pointee == UInt8(ascii: "{") ? nil : (.notAnObject, 0)
  }
}
