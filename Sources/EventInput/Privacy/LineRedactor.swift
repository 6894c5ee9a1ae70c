/// Takes redacted values out of lines that are kept as they came: rejected ones.
///
/// Slow and for any keys, since few lines are rejected. What may hold a redacted value in a shape
/// that is not understood goes as a whole: too much is dropped rather than too little.
struct LineRedactor: Sendable {
  private let paths: RedactedPaths
  static let replacement = Array("\"[redacted]\"".utf8)

  /// `nil` where nothing is redacted.
  init?(_ paths: RedactedPaths) {
    if paths.isEmpty { return nil }
    self.paths = paths.inAllFormats
  }

  /// The line with `"[redacted]"` in the place of each redacted value; `nil` if it is no object.
  func redacted(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
    var walk = Walk(bytes: Array(line), paths: paths)
    return walk.redacted()
  }
}

/// One walk through a line.
private struct Walk {
  let bytes: [UInt8]
  let paths: RedactedPaths
  private var place = 0
  private var output: [UInt8] = []
  /// Up to where the line's bytes are in the output, or were replaced there.
  private var copied = 0

  private static let maximumDepth = JSONLexer.maximumDepth

  init(bytes: [UInt8], paths: RedactedPaths) {
    self.bytes = bytes
    self.paths = paths
  }

  mutating func redacted() -> [UInt8]? {
    skipSpace()
    guard byte == UInt8(ascii: "{"), value(path: "", depth: 0, isEntry: false) else { return nil }
    skipSpace()
    guard place == bytes.count else { return nil }
    return output + bytes[copied...]
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || (0x09...0x0D).contains(byte) { place += 1 }
  }

  private mutating func take(_ wanted: UInt8) -> Bool {
    skipSpace()
    guard byte == wanted else { return false }
    place += 1
    return true
  }

  /// - Parameter isEntry: whether the value is an item of a list, which may name its own key.
  private mutating func value(path: String, depth: Int, isEntry: Bool) -> Bool {
    skipSpace()
    let start = place
    guard depth < Self.maximumDepth else { return false }
    switch byte {
    case UInt8(ascii: "{"):
      if isDropped(path, isContainer: true) || (isEntry && isDroppedEntry(path)) {
        return drop(from: start)
      }
      return members(path: path, depth: depth)
    case UInt8(ascii: "["):
      if isDropped(path, isContainer: true) { return drop(from: start) }
      return items(path: path, depth: depth)
    default:
      return isDropped(path, isContainer: false) ? drop(from: start) : pass()
    }
  }

  /// A text or number stands where something inside is redacted: it may be that object as text.
  private func isDropped(_ path: String, isContainer: Bool) -> Bool {
    if path.isEmpty { return false }
    return isContainer ? paths.coversContent(path) : paths.reaches(path)
  }

  private mutating func members(path: String, depth: Int) -> Bool {
    place += 1
    if take(UInt8(ascii: "}")) { return true }
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")),
        value(path: path.isEmpty ? key : "\(path).\(key)", depth: depth + 1, isEntry: false)
      else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  private mutating func items(path: String, depth: Int) -> Bool {
    place += 1
    if take(UInt8(ascii: "]")) { return true }
    repeat {
      guard value(path: path, depth: depth + 1, isEntry: true) else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]"))
  }

  /// Whether an item is `{"key": K, "value": …}` and its K is redacted, wherever the key stands.
  private func isDroppedEntry(_ path: String) -> Bool {
    var ahead = self
    ahead.place += 1
    repeat {
      guard let name = ahead.string(), ahead.take(UInt8(ascii: ":")) else { return false }
      ahead.skipSpace()
      if name == "key", ahead.byte == UInt8(ascii: "\""), let key = ahead.string() {
        if paths.reaches("\(path).\(key)") { return true }
      } else if !ahead.pass() {
        return false
      }
    } while ahead.take(UInt8(ascii: ","))
    return false
  }

  private mutating func drop(from start: Int) -> Bool {
    guard pass() else { return false }
    output += bytes[copied..<start] + LineRedactor.replacement
    copied = place
    return true
  }

  /// Goes behind the value that begins here.
  private mutating func pass() -> Bool {
    var open = 0
    repeat {
      skipSpace()
      switch byte {
      case nil: return false
      case UInt8(ascii: "\""): if !passString() { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        open -= 1
        place += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if open == 0 { return false }
        place += 1
      default: passWord()
      }
    } while open > 0
    return open == 0
  }

  /// Goes behind a number, `true`, `false` or `null`.
  private mutating func passWord() {
    let ends = Array(",:{}[]\" \t\r\n".utf8)
    repeat { place += 1 } while place < bytes.count && !ends.contains(bytes[place])
  }

  private mutating func passString() -> Bool {
    place += 1
    while let byte, byte != UInt8(ascii: "\"") { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
    guard place < bytes.count else { return false }
    place += 1
    return true
  }

  private mutating func string() -> String? {
    skipSpace()
    let start = place + 1
    guard byte == UInt8(ascii: "\""), passString() else { return nil }
    return JSONText.unescaped(Array(bytes[start..<(place - 1)]))
  }
}
