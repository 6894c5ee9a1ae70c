import CScanKernel

/// Why JSON text was refused.
enum LexerFailure: UInt8 {
  case none, malformed, tooDeep, invalidUTF8, notAnObject
}

/// What the lexer found out besides where things end.
struct LexerState {
  var failure = LexerFailure.none
  /// Where the failure was noticed.
  var position: UnsafePointer<UInt8>?
  /// Whether the string read last has a backslash in it.
  var hasEscapes = false
  /// Whether a text like an object stood where an object with values of the plan is looked for.
  var hasInnerText = false
}

/// The grammar of RFC 8259 within one line: line feeds are no white space here.
///
/// Every function takes the address where something begins and returns the address after it, or
/// nil with `state.failure` set.
///
/// Invariants of the text: it ends with a line feed, at which every function stops; 64 bytes may be
/// read beyond it. No function reads before the address it was given.
struct JSONLexer {
  typealias Address = UnsafePointer<UInt8>

  static let maximumDepth = 128

  let state: UnsafeMutablePointer<LexerState>

  @inline(never)
  func fail(_ failure: LexerFailure, at position: Address) -> Address? {
    state.pointee.failure = failure
    state.pointee.position = position
    return nil
  }

  @inline(__always)
  func skipSpace(_ start: Address) -> Address {
    var p = start
    // Compact JSON, the usual case, has none.
    while p.pointee <= 0x20 && (p.pointee == 0x20 || p.pointee == 0x09 || p.pointee == 0x0D) {
      p += 1
    }
    return p
  }

  /// Goes on with a string at a byte that is not plain ASCII; returns its closing quote.
  @inline(never)
  func stringEnd(_ start: Address) -> Address? {
    var p = start
    while true {
      let byte = p.pointee
      if byte == UInt8(ascii: "\"") { return p }
      if byte == UInt8(ascii: "\\") {
        state.pointee.hasEscapes = true
        guard let next = escapeEnd(p + 1) else { return nil }
        p = next
      } else if byte < 0x20 {
        return fail(.malformed, at: p)
      } else if byte >= 0x80 {
        guard let next = UTF8Text.characterEnd(p) else { return fail(.invalidUTF8, at: p) }
        p = next
      } else {
        p = scan_string_end(p)
      }
    }
  }

  /// After the backslash. Lone surrogates are allowed, as the RFC does.
  private func escapeEnd(_ p: Address) -> Address? {
    switch p.pointee {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return p + 1
    case UInt8(ascii: "u"):
      for offset in 1...4 where JSONText.hexDigit(p[offset]) == nil {
        return fail(.malformed, at: p + offset)
      }
      return p + 5
    default:
      return fail(.malformed, at: p)
    }
  }

  /// A number, `true`, `false` or `null`.
  func scalarEnd(_ p: Address) -> Address? {
    switch p.pointee {
    case UInt8(ascii: "t"): wordEnd(p, "true")
    case UInt8(ascii: "f"): wordEnd(p, "false")
    case UInt8(ascii: "n"): wordEnd(p, "null")
    default: numberEnd(p)
    }
  }

  private func wordEnd(_ p: Address, _ word: StaticString) -> Address? {
    for offset in 0..<word.utf8CodeUnitCount where p[offset] != word.utf8Start[offset] {
      return fail(.malformed, at: p + offset)
    }
    return p + word.utf8CodeUnitCount
  }

  @inline(__always)
  private func numberEnd(_ start: Address) -> Address? {
    var p = start
    if p.pointee == UInt8(ascii: "-") { p += 1 }
    if p.pointee == UInt8(ascii: "0") {
      p += 1
    } else {
      guard let next = digitsEnd(p) else { return nil }
      p = next
    }
    if p.pointee == UInt8(ascii: ".") {
      guard let next = digitsEnd(p + 1) else { return nil }
      p = next
    }
    if p.pointee | 0x20 == UInt8(ascii: "e") {
      p += 1
      if p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { p += 1 }
      guard let next = digitsEnd(p) else { return nil }
      p = next
    }
    return p
  }

  /// At least one digit.
  @inline(__always)
  private func digitsEnd(_ start: Address) -> Address? {
    var p = start
    while p.pointee &- UInt8(ascii: "0") < 10 { p += 1 }
    return p > start ? p : fail(.malformed, at: p)
  }

  /// Any value that nobody asked for; `depth` is that of the value itself, if it is a container.
  func valueEnd(_ p: Address, depth: Int) -> Address? {
    switch p.pointee {
    case UInt8(ascii: "\""):
      let end = scan_string_end(p + 1)
      if end.pointee == UInt8(ascii: "\"") { return end + 1 }
      return stringEnd(end).map { $0 + 1 }
    case UInt8(ascii: "{"), UInt8(ascii: "["): return containerEnd(p, depth: depth)
    default: return scalarEnd(p)
    }
  }

  /// An object or array at depth `depth`, without recursion: what encloses a place is a bit each.
  private func containerEnd(_ start: Address, depth startDepth: Int) -> Address? {
    var p = start
    var depth = startDepth - 1
    // Bit 0 is the innermost container: 1 for an object.
    var kinds: (low: UInt64, high: UInt64) = (0, 0)
    while true {
      // At a value.
      let byte = p.pointee
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        if depth > Self.maximumDepth { return fail(.tooDeep, at: p) }
        let isObject = byte == UInt8(ascii: "{")
        kinds.high = kinds.high << 1 | kinds.low >> 63
        kinds.low = kinds.low << 1 | (isObject ? 1 : 0)
        p = skipSpace(p + 1)
        if p.pointee != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject {
            guard let next = keyEnd(p) else { return nil }
            p = next
          }
          continue
        }
      } else {
        guard let next = valueEnd(p, depth: depth) else { return nil }
        p = skipSpace(next)
      }
      // After a value, or at the end of an empty container.
      while true {
        let isObject = kinds.low & 1 == 1
        if p.pointee == UInt8(ascii: ",") {
          p = skipSpace(p + 1)
          if isObject {
            guard let next = keyEnd(p) else { return nil }
            p = next
          }
          break
        }
        guard p.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          return fail(.malformed, at: p)
        }
        kinds.low = kinds.low >> 1 | kinds.high << 63
        kinds.high >>= 1
        depth -= 1
        p += 1
        if depth < startDepth { return p }
        p = skipSpace(p)
      }
    }
  }

  /// From a key's opening quote to its value.
  private func keyEnd(_ p: Address) -> Address? {
    guard p.pointee == UInt8(ascii: "\"") else { return fail(.malformed, at: p) }
    guard let end = valueEnd(p, depth: 0) else { return nil }
    let colon = skipSpace(end)
    guard colon.pointee == UInt8(ascii: ":") else { return fail(.malformed, at: colon) }
    return skipSpace(colon + 1)
  }

  /// Why a line that is no event is none: nil if it is a JSON object after all.
  ///
  /// `end` is the address of the line feed after the line.
  func fault(_ start: Address, _ end: Address) -> (LexerFailure, at: Int)? {
    if let bad = UTF8Text.firstInvalid(start, end) { return (.invalidUTF8, bad - start) }
    let first = skipSpace(start)
    guard let next = valueEnd(first, depth: 1) else {
      return (state.pointee.failure, (state.pointee.position ?? start) - start)
    }
    let rest = skipSpace(next)
    if rest != end { return (.malformed, rest - start) }
    return first.pointee == UInt8(ascii: "{") ? nil : (.notAnObject, 0)
  }
}
