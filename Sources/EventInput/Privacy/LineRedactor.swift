/// Takes redacted values out of lines that are kept as they came: rejected ones.
///
/// Slow and for any keys, since few lines are rejected. What may hold a redacted value in a shape
/// that is not understood goes as a whole: too much is dropped rather than too little.
struct LineRedactor: Sendable {
  private let paths: RedactedPaths
  /// Members of a line that go as a whole.
  private let columns: Set<String>
  static let replacement = Array("\"[redacted]\"".utf8)

  /// `nil` where nothing is redacted.
  init?(_ paths: RedactedPaths) {
    if paths.isEmpty { return nil }
    self.paths = paths.inAllFormats
    columns = paths.rawColumns
  }

  /// The line with `"[redacted]"` in the place of each redacted value; `nil` if it is no object.
  func redacted(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
    var walk = unsafe Walk(bytes: Array(line), paths: paths, columns: columns)
    return walk.redacted()
  }
}

/// One walk through a line.
private struct Walk {
  private var cursor: JSONCursor
  private let paths: RedactedPaths
  private let columns: Set<String>
  private var output: [UInt8] = []
  /// Up to where the line's bytes are in the output, or were replaced there.
  private var copied = 0

  private static let maximumDepth = JSONLexer.maximumDepth

  init(bytes: [UInt8], paths: RedactedPaths, columns: Set<String>) {
    cursor = JSONCursor(bytes)
    (self.paths, self.columns) = (paths, columns)
  }

  mutating func redacted() -> [UInt8]? {
    cursor.skipSpace()
    guard cursor.byte == UInt8(ascii: "{"), value(path: "", depth: 0, isEntry: false) else {
      return nil
    }
    cursor.skipSpace()
    guard cursor.place == cursor.bytes.count else { return nil }
    return output + cursor.bytes[copied...]
  }

  /// - Parameter isEntry: whether the value is an item of a list, which may name its own key.
  private mutating func value(path: String, depth: Int, isEntry: Bool) -> Bool {
    cursor.skipSpace()
    let start = cursor.place
    guard depth < Self.maximumDepth else { return false }
    switch cursor.byte {
    case UInt8(ascii: "{"):
      if isDropped(path, isContainer: true) || (isEntry && isDroppedEntry(path)) {
        return drop(from: start)
      }
      return members(path: path, depth: depth)
    case UInt8(ascii: "["):
      if isDropped(path, isContainer: true) { return drop(from: start) }
      return items(path: path, depth: depth)
    default:
      return isDropped(path, isContainer: false) ? drop(from: start) : cursor.pass()
    }
  }

  /// A text or number stands where something inside is redacted: it may be that object as text.
  private func isDropped(_ path: String, isContainer: Bool) -> Bool {
    if path.isEmpty { return false }
    if columns.contains(path) { return true }
    return isContainer ? paths.coversContent(path) : paths.reaches(path)
  }

  private mutating func members(path: String, depth: Int) -> Bool {
    cursor.place += 1
    if cursor.take(UInt8(ascii: "}")) { return true }
    repeat {
      guard let key = cursor.string(), cursor.take(UInt8(ascii: ":")),
        value(path: path.isEmpty ? key : "\(path).\(key)", depth: depth + 1, isEntry: false)
      else { return false }
    } while cursor.take(UInt8(ascii: ","))
    return cursor.take(UInt8(ascii: "}"))
  }

  private mutating func items(path: String, depth: Int) -> Bool {
    cursor.place += 1
    if cursor.take(UInt8(ascii: "]")) { return true }
    repeat {
      guard value(path: path, depth: depth + 1, isEntry: true) else { return false }
    } while cursor.take(UInt8(ascii: ","))
    return cursor.take(UInt8(ascii: "]"))
  }

  /// Whether an item is `{"key": K, "value": …}` and its K is redacted, wherever the key stands.
  private func isDroppedEntry(_ path: String) -> Bool {
    var ahead = cursor
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
    guard cursor.pass() else { return false }
    output += cursor.bytes[copied..<start] + LineRedactor.replacement
    copied = cursor.place
    return true
  }
}
