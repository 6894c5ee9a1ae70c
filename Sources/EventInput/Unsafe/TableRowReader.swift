/// Cuts the bytes of a table into rows of values (RFC 4180), wherever the bytes are cut themselves.
struct TableRowReader {
  private enum State {
    /// Before a value.
    case start
    case plain
    case quoted
    /// Behind a quote in a quoted value: its end, or the first of two.
    case behindQuote
  }

  private let delimiter: UInt8
  private let hasQuotes: Bool
  private var state = State.start
  private(set) var row = TableRow()

  init(delimiter: UInt8, hasQuotes: Bool = true) {
    self.delimiter = delimiter
    self.hasQuotes = hasQuotes
  }

  var isInQuotes: Bool { state == .quoted }
  /// Whether a row was begun.
  var isInRow: Bool { row.count > 0 || !row.text.isEmpty || state != .start }

  /// Reads to the end of the row: the place behind it, or `nil` if the bytes end first.
  mutating func read(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var place = start
    let delimiter = delimiter
    while place < bytes.count {
      let byte = bytes[place]
      switch state {
      case .start:
        state = hasQuotes && byte == UInt8(ascii: "\"") ? .quoted : .plain
        if state == .quoted { place += 1 }
      case .plain:
        place = take(bytes, from: place) { $0 == delimiter || $0 == UInt8(ascii: "\n") }
        if place == bytes.count { return nil }
        if end(bytes[place]) { return place + 1 }
        place += 1
      case .quoted:
        place = take(bytes, from: place) { $0 == UInt8(ascii: "\"") }
        if place == bytes.count { return nil }
        state = .behindQuote
        place += 1
      case .behindQuote:
        if byte == UInt8(ascii: "\"") {
          row.append(byte)
          state = .quoted
        } else if byte == delimiter || byte == UInt8(ascii: "\n") {
          if end(byte) { return place + 1 }
        } else if byte != UInt8(ascii: "\r") {
          row.isBroken = true
          row.append(byte)
          state = .plain
        }
        place += 1
      }
    }
    return nil
  }

  /// Ends the last row of a file, which may lack its line feed.
  mutating func finish() {
    if isInRow { _ = end(UInt8(ascii: "\n")) }
  }

  mutating func next() {
    row.removeAll()
    state = .start
  }

  /// Takes bytes of a value up to one that may end it.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, from start: Int, until isEnd: (UInt8) -> Bool
  ) -> Int {
    var place = start
    while place < bytes.count, !isEnd(bytes[place]) { place += 1 }
    row.append(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
    return place
  }

  /// Ends a value; true if the row ends with it.
  private mutating func end(_ byte: UInt8) -> Bool {
    let isRowEnd = byte == UInt8(ascii: "\n")
    if isRowEnd && state == .plain { row.dropLastReturn() }
    row.endValue()
    state = .start
    return isRowEnd
  }
}
