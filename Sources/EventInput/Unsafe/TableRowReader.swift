/// Cuts the bytes of a table into rows of values, wherever the bytes are cut themselves.
struct TableRowReader {
  private enum State {
    /// Before a value.
    case start
    case plain
    case quoted
    /// Behind a quote in a quoted value: its end, or the first of two.
    case behindQuote
    /// Behind a backslash that may change what the next byte means.
    case escapedPlain, escapedQuoted
  }

  /// Where reading stopped.
  enum Step {
    /// Behind a row.
    case row(end: Int)
    /// Behind a line feed inside of quotes.
    case line(end: Int)
    /// The bytes ended first.
    case open

    var isRow: Bool { if case .row = self { true } else { false } }

    var end: Int? {
      switch self {
      case .row(let end), .line(let end): end
      case .open: nil
      }
    }

    /// This step, where as many bytes stand before those that were read.
    func moved(by count: Int) -> Step {
      switch self {
      case .row(let end): .row(end: end + count)
      case .line(let end): .line(end: end + count)
      case .open: .open
      }
    }
  }

  let delimiter: UInt8
  let quoting: TableQuoting
  /// Whether a blank before a value belongs to the delimiter.
  private let skipsBlanks: Bool
  private var state = State.start
  private(set) var row = TableRow()

  init(delimiter: UInt8, quoting: TableQuoting, skipsBlanks: Bool = false) {
    self.delimiter = delimiter
    self.quoting = quoting
    self.skipsBlanks = skipsBlanks
  }

  var isInQuotes: Bool { state == .quoted || state == .escapedQuoted }
  /// Whether a row was begun.
  var isInRow: Bool { row.count > 0 || !row.text.isEmpty || state != .start }

  /// Reads on to the end of a row, or to a line feed inside of its quotes.
  mutating func read(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Step {
    var place = start
    let (delimiter, quoting) = (delimiter, quoting)
    while place < bytes.count {
      let byte = unsafe bytes[place]
      switch state {
      case .start where skipsBlanks && byte == UInt8(ascii: " ") && row.count > 0: place += 1
      case .start:
        let isQuoted = quoting.hasQuotes && byte == UInt8(ascii: "\"")
        state = isQuoted ? .quoted : .plain
        if isQuoted {
          row.beginQuotes()
          place += 1
        }
      case .plain:
        place = unsafe take(bytes, from: place) {
          $0 == delimiter || $0 == UInt8(ascii: "\n")
            || ($0 == UInt8(ascii: "\\") && quoting.hasBackslashes)
        }
        if place == bytes.count { return .open }
        if unsafe bytes[place] == UInt8(ascii: "\\") && quoting.hasBackslashes {
          state = .escapedPlain
        } else if unsafe end(bytes[place]) {
          return .row(end: place + 1)
        }
        place += 1
      case .quoted:
        place = unsafe take(bytes, from: place) {
          $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n")
            || ($0 == UInt8(ascii: "\\") && quoting == .backslash)
        }
        if place == bytes.count { return .open }
        place += 1
        switch unsafe bytes[place - 1] {
        case UInt8(ascii: "\""): state = .behindQuote
        case UInt8(ascii: "\\"): state = .escapedQuoted
        default:
          row.appendLineFeed()
          return .line(end: place)
        }
      case .behindQuote:
        if byte == UInt8(ascii: "\"") && quoting == .doubled {
          row.appendQuote()
          state = .quoted
        } else if byte == delimiter || byte == UInt8(ascii: "\n") {
          if end(byte) { return .row(end: place + 1) }
        } else if byte != UInt8(ascii: "\r") {
          row.isBroken = true
          row.append(byte)
          state = .plain
        }
        place += 1
      case .escapedPlain, .escapedQuoted:
        take(escaped: byte)
        place += 1
      }
    }
    return .open
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
    while place < bytes.count, unsafe !isEnd(bytes[place]) { place += 1 }
    unsafe row.append(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
    return place
  }

  /// Takes the byte behind a backslash: before others than those that it changes, the backslash is
  /// one itself.
  private mutating func take(escaped byte: UInt8) {
    let isQuoted = state == .escapedQuoted
    let isMeant =
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      || quoting == .escaped && (byte == delimiter || byte == UInt8(ascii: "\n"))
    if !isMeant { row.append(UInt8(ascii: "\\")) }
    row.append(byte)
    state = isQuoted ? .quoted : .plain
  }

  /// Ends a value; true if the row ends with it.
  private mutating func end(_ byte: UInt8) -> Bool {
    let isRowEnd = byte == UInt8(ascii: "\n")
    if isRowEnd && state == .plain { row.dropLastReturns() }
    row.endValue()
    state = .start
    return isRowEnd
  }
}

extension TableRow {
  /// The one row that some bytes are in a way of quoting; `nil` where they are none, or several.
  static func whole(
    _ bytes: UnsafeRawBufferPointer, delimiter: UInt8, quoting: TableQuoting
  ) -> TableRow? {
    var reader = TableRowReader(delimiter: delimiter, quoting: quoting)
    var place = 0
    while true {
      switch unsafe reader.read(bytes, from: place) {
      case .row(let end): return end == bytes.count && !reader.row.isBroken ? reader.row : nil
      case .line(let end): place = end
      case .open:
        if reader.isInQuotes { return nil }
        reader.finish()
        return reader.row.isBroken ? nil : reader.row
      }
    }
  }

  /// The row that a line is by itself: quotes around a value count where they are closed right
  /// before the next value or the line's end, and are text elsewhere.
  static func line(_ bytes: UnsafeRawBufferPointer, delimiter: UInt8) -> TableRow {
    var row = TableRow()
    var start = bytes.startIndex
    var end = bytes.endIndex
    if end > start, unsafe bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    while end > start, unsafe bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    while true {
      let next =
        unsafe row.appendQuoted(bytes, start..<end, delimiter)
        ?? row.appendPlain(
          bytes, start..<end, delimiter)
      row.endValue()
      if next == end { return row }
      start = next + 1
    }
  }

  private mutating func appendPlain(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ delimiter: UInt8
  ) -> Int {
    let next = unsafe bytes[range].firstIndex(of: delimiter) ?? range.upperBound
    unsafe append(UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound..<next]))
    return next
  }

  /// Takes a value in quotes; `nil` if none stands there.
  private mutating func appendQuoted(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ delimiter: UInt8
  ) -> Int? {
    guard !range.isEmpty, unsafe bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    var value: [UInt8] = []
    var place = range.lowerBound + 1
    while place < range.upperBound {
      let next = place + 1
      guard unsafe bytes[place] == UInt8(ascii: "\"") else {
        unsafe value.append(bytes[place])
        place = next
        continue
      }
      if unsafe next == range.upperBound || bytes[next] == delimiter {
        unsafe value.withUnsafeBytes { unsafe append($0) }
        return next
      }
      guard unsafe bytes[next] == UInt8(ascii: "\"") else { return nil }
      unsafe value.append(bytes[next])
      place = next + 1
    }
    return nil
  }
}
