/// The rows of a table as objects of JSON, one a line.
///
/// Every row is written alike, so that it is read as fast as lines of JSON are. A row that doesn't
/// fit the header is looked at in other ways of quoting; one that fits in none is written as an
/// array of its values, which is rejected as what it is.
///
/// Invariant: `earlier` has the bytes of the row at hand that came before those at hand, unless
/// there are too many of them.
final class TableStream: UnpackingStream {
  /// A row with more bytes is not looked at again.
  private static let maximumKeptBytes = 1 << 20
  /// Tables with these delimiters are often written without any quotes.
  private static let delimitersWithoutQuotes = Array("\t|".utf8)

  private var layout: TableLayout
  private var quoting: TableQuoting
  private var text: TableRowText
  private var reader: TableRowReader
  private var search: StrayQuoteSearch
  private var rowNumber = 0
  private var earlier: [UInt8] = []
  private var isTooLong = false
  /// Where the line at hand begins in the row at hand.
  private var lineStart = 0
  /// Whether the writer has put a value in quotes because it holds the delimiter: one that does
  /// leaves no stray quotes.
  private var writesQuotes = false
  /// Whether the writer has written a quote inside of quotes twice.
  private var doublesQuotes = false
  /// How many bytes may be looked at again, so that no file makes that take long; some for each
  /// byte that is read.
  private var againBytes = 1 << 24
  private static let againBytesPerByte = 8
  private var hasUnclosedQuotes = false
  private var backslashes: BackslashText?

  /// - Parameters:
  ///   - inner: the rest of the table's bytes, after those that were looked at.
  ///   - beginning: the bytes that were looked at.
  ///   - result: what `inner` returned after them, if it was read further.
  init(
    _ inner: ByteStream, after beginning: UnsafeRawBufferPointer, then result: ReadResult?,
    _ layout: TableLayout, log: DamageLog, offset: @escaping () -> Int
  ) {
    self.layout = layout
    quoting = layout.quoting
    text = TableRowText(layout)
    reader = TableRowReader(
      delimiter: layout.delimiter, quoting: layout.quoting, skipsBlanks: layout.hasBlanks)
    search = StrayQuoteSearch(layout)
    let mayHaveBackslashes = Self.delimitersWithoutQuotes.contains(layout.delimiter)
    backslashes = mayHaveBackslashes && layout.quoting == .doubled ? BackslashText() : nil
    super.init(inner, then: result, log: log, offset: offset)
    unsafe take(UnsafeRawBufferPointer(rebasing: beginning[TableSurvey.start(beginning)...]))
  }

  override func take(_ bytes: UnsafeRawBufferPointer) {
    againBytes += Self.againBytesPerByte * bytes.count
    unsafe read(bytes, then: nil)
  }

  override func finish() {
    while reader.isInRow {
      let row = earlier
      earlier = []
      let next = unsafe row.withUnsafeBytes { bytes in
        unsafe reader.isInQuotes ? endUnclosed(bytes) : endLast(bytes)
      }
      guard let next else { return }
      unsafe row[next...].withUnsafeBytes { unsafe read($0, then: nil) }
    }
  }

  /// Bytes are lost here: the row that was begun is cut off.
  override func cutOff() {
    if reader.isInRow {
      reader.finish()
      TableRowText.appendArray(reader.row, to: &output, isClosed: false)
      isCut = true
    }
    beginRow()
  }

  /// Reads rows, on from the row at hand.
  ///
  /// - Parameter first: a step that was taken already.
  private func read(_ bytes: UnsafeRawBufferPointer, then first: TableRowReader.Step?) {
    var (place, rowStart) = (0, 0)
    var pending = first
    while true {
      let step = unsafe pending ?? reader.read(bytes, from: place)
      pending = nil
      guard let end = step.end else { return unsafe keep(bytes[rowStart...]) }
      place = end
      if step.isRow ? isSettled : isTrusted {
        if step.isRow {
          endRow()
          rowStart = end
        }
        continue
      }
      if !earlier.isEmpty {
        let (joined, count) = unsafe (earlier + bytes, earlier.count)
        earlier = []
        return unsafe joined.withUnsafeBytes { unsafe read($0, then: step.moved(by: count)) }
      }
      let row = unsafe UnsafeRawBufferPointer(rebasing: bytes[rowStart..<end])
      if let count = unsafe settle(row, isRow: step.isRow) {
        rowStart += count
        place = rowStart
      }
    }
  }

  private func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    if unsafe isTooLong || earlier.count + bytes.count > Self.maximumKeptBytes {
      isTooLong = true
      earlier = []
    } else {
      unsafe earlier += bytes
    }
  }

  private func beginRow() {
    if reader.quoting != quoting {
      reader = TableRowReader(
        delimiter: layout.delimiter, quoting: quoting, skipsBlanks: layout.hasBlanks)
    }
    reader.next()
    search.beginRow()
    if !earlier.isEmpty { earlier.removeAll(keepingCapacity: true) }
    (isTooLong, lineStart) = (false, 0)
  }
}

// Rows that may be other ones than they seem.
extension TableStream {
  /// Whether the row that was read is what it seems.
  private var isSettled: Bool {
    isTooLong || fits && (reader.row.isOneLine || isTrusted) || reader.row.isBlank
  }

  /// Whether quotes over several lines are a value's.
  private var isTrusted: Bool { writesQuotes || isTooLong || search.isDecided }

  private var fits: Bool { fits(reader.row) }

  private func fits(_ row: TableRow) -> Bool {
    !row.isBroken && row.count == layout.columns.count
  }

  /// Looks at a row, or the lines of it that were read so far: how many of its bytes are dealt with
  /// then; `nil` to read on.
  private func settle(_ row: UnsafeRawBufferPointer, isRow: Bool) -> Int? {
    let line = unsafe UnsafeRawBufferPointer(rebasing: row[lineStart...])
    let isOneLine = reader.row.isOneLine
    lineStart = row.count
    if !isTrusted, !(isRow && isOneLine), unsafe search.isStray(line: line, isLast: isRow),
      unsafe mayRead(row)
    {
      return unsafe endFirstLine(of: row)
    }
    guard isRow else { return nil }
    if !fits {
      if let other = unsafe inAnotherWay(row, isOneLine: isOneLine) {
        endRow(other)
        return row.count
      }
      if !isOneLine, unsafe mayRead(row), unsafe search.hasRow(behindFirstOf: row) {
        return unsafe endFirstLine(of: row)
      }
    }
    endRow()
    return row.count
  }

  private func mayRead(_ row: UnsafeRawBufferPointer) -> Bool {
    againBytes -= row.count
    return againBytes > 0
  }

  /// Ends the row at hand with its first line, read without quotes that aren't closed in it.
  private func endFirstLine(of row: UnsafeRawBufferPointer) -> Int {
    let end = unsafe row.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? row.count
    let line = unsafe UnsafeRawBufferPointer(rebasing: row[..<end])
    unsafe endRow(TableRow.line(line, delimiter: layout.delimiter))
    return end
  }

  /// A row that doesn't fit, read in another way in which it does.
  private func inAnotherWay(_ bytes: UnsafeRawBufferPointer, isOneLine: Bool) -> TableRow? {
    func read(_ quoting: TableQuoting) -> TableRow? {
      unsafe TableRow.whole(bytes, delimiter: layout.delimiter, quoting: quoting).flatMap {
        fits($0) ? $0 : nil
      }
    }
    if quoting == .backslash { return read(.doubled) }
    guard quoting == .doubled, bytes.count <= Self.maximumKeptBytes else { return nil }
    if unsafe TableQuoting.hasBackslashes(bytes), let row = read(.backslash) {
      if !doublesQuotes { quoting = .backslash }
      return row
    }
    guard isOneLine, !writesQuotes, Self.delimitersWithoutQuotes.contains(layout.delimiter) else {
      return nil
    }
    return read(.none) ?? read(.escaped)
  }

  /// Ends the last row of a file, whose quotes are not closed: how many of its bytes are dealt with
  /// then; `nil` where it is cut off.
  private func endUnclosed(_ row: UnsafeRawBufferPointer) -> Int? {
    if !isTrusted {
      if lineStart == row.count || lineStart == 0, unsafe isStray(lastLine: row),
        unsafe mayRead(row)
      {
        return unsafe endFirstLine(of: row)
      }
      let line = unsafe UnsafeRawBufferPointer(rebasing: row[lineStart...])
      if lineStart > 0, unsafe search.isStray(line: line, isLast: false), unsafe mayRead(row) {
        return unsafe endFirstLine(of: row)
      }
    }
    if !hasUnclosedQuotes {
      log.add(
        at: offset(), "the quotes around a value in row \(rowNumber + 1) are never closed")
    }
    hasUnclosedQuotes = true
    if !isTooLong, unsafe mayRead(row), unsafe search.hasRow(behindFirstOf: row) {
      return unsafe endFirstLine(of: row)
    }
    cutOff()
    return nil
  }

  /// Whether the quotes that begin in the last line of a file are text. A value that is cut off
  /// looks the same, but hardly ever at the end of a line, or in a file that has no other quotes.
  private func isStray(lastLine row: UnsafeRawBufferPointer) -> Bool {
    let isWhole =
      unsafe row.last == UInt8(ascii: "\n") && row.dropLast().firstIndex(of: 0x0A) == nil
    let isUsual = lineStart == 0 && Self.delimitersWithoutQuotes.contains(layout.delimiter)
    return unsafe (isWhole || isUsual) && fits(TableRow.line(row, delimiter: layout.delimiter))
  }

  /// Ends the last row of a file, which lacks its line feed.
  private func endLast(_ row: UnsafeRawBufferPointer) -> Int? {
    reader.finish()
    if isSettled {
      endRow()
      return nil
    }
    return unsafe settle(row, isRow: true)
  }
}

// Rows as lines.
extension TableStream {
  private func endRow() {
    write(reader.row)
    beginRow()
  }

  /// Ends the row at hand as another one.
  private func endRow(_ row: TableRow) {
    write(row)
    beginRow()
  }

  private func write(_ row: TableRow) {
    guard row.text.first == 0xEF else { return writeWithoutMark(row) }
    var row = row
    row.dropMark()
    writeWithoutMark(row)
  }

  private func writeWithoutMark(_ row: TableRow) {
    rowNumber += 1
    if row.isBlank { return }
    // A spreadsheet's word on the delimiter.
    if rowNumber == 1 && row.text.starts(with: "sep=".utf8) { return }
    if row.quotedCount > 0 && row.isOneLine { learn(from: row) }
    // Files that were put together with `cat` have several headers.
    if row.equals(layout.header) { return }
    if let other = layout.following(row) { return goOn(with: other) }
    if fits(row) {
      text.append(row, to: &output, without: &backslashes)
    } else {
      TableRowText.appendArray(row, to: &output)
    }
  }

  /// The rows from here on are another table's, with its own columns.
  private func goOn(with other: TableLayout) {
    layout = other
    text = TableRowText(other)
    search = StrayQuoteSearch(other)
  }

  /// Learns from a row with quotes, on one line, how the writer uses them.
  private func learn(from row: TableRow) {
    if writesQuotes && doublesQuotes || !fits(row) { return }
    doublesQuotes = doublesQuotes || row.hasDoubledQuotes
    writesQuotes = writesQuotes || row.text.contains(layout.delimiter)
  }
}
