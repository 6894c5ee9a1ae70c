extension LineBlock {
  private static let firstRowBytes = 1 << 16

  /// The columns of a table's first row, which is a line of JSON like all of its rows, as places in
  /// an event; `nil` where the line is none, or very long.
  var columnsOfFirstRow: [[String]]? {
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    let line = unsafe bytes.prefix(Self.firstRowBytes).prefix { $0 != UInt8(ascii: "\n") }
    var cursor = unsafe JSONCursor(Array(line))
    return cursor.places(under: [])
  }
}

extension JSONCursor {
  /// The places of all values of the object at the position, in their order; `nil` if it isn't
  /// whole.
  mutating func places(under parents: [String]) -> [[String]]? {
    guard parents.count < 16, take(UInt8(ascii: "{")) else { return nil }
    if take(UInt8(ascii: "}")) { return [] }
    var places: [[String]] = []
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      if byte == UInt8(ascii: "{") {
        guard let inner = self.places(under: parents + [key]) else { return nil }
        places += inner
      } else {
        guard pass() else { return nil }
        places.append(parents + [key])
      }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? places : nil
  }
}
