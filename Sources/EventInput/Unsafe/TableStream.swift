/// The rows of a table as objects of JSON, one a line.
///
/// Every row is written alike, so that it is read as fast as lines of JSON are. A row that doesn't
/// fit the header is written as an array of its values, which is rejected as what it is.
final class TableStream: UnpackingStream {
  private let layout: TableLayout
  private let text: TableRowText
  private var reader: TableRowReader
  private var rowNumber = 0

  /// - Parameters:
  ///   - inner: the rest of the table's bytes, after those that were looked at.
  ///   - beginning: the bytes that were looked at.
  ///   - result: what `inner` returned after them, if it was read further.
  init(
    _ inner: ByteStream, after beginning: UnsafeRawBufferPointer, then result: ReadResult?,
    _ layout: TableLayout, log: DamageLog, offset: @escaping () -> Int
  ) {
    self.layout = layout
    text = TableRowText(layout)
    reader = TableRowReader(delimiter: layout.delimiter, hasQuotes: layout.hasQuotes)
    super.init(inner, then: result, log: log, offset: offset)
    take(UnsafeRawBufferPointer(rebasing: beginning[TableSurvey.start(beginning)...]))
  }

  override func finish() {
    if reader.isInQuotes {
      log.add(
        at: offset(), "the quotes around a value in row \(rowNumber + 1) are never closed")
      cutOff()
    } else if reader.isInRow {
      reader.finish()
      endRow()
    }
  }

  override func take(_ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while let next = reader.read(bytes, from: place) {
      place = next
      endRow()
    }
  }

  private func endRow() {
    defer { reader.next() }
    rowNumber += 1
    let row = reader.row
    if row.isBlank { return }
    // A spreadsheet's word on the delimiter.
    if rowNumber == 1 && row.text.starts(with: "sep=".utf8) { return }
    // Files that were put together with `cat` have several headers.
    if row.equals(layout.header) { return }
    if row.isBroken || row.count != layout.columns.count {
      TableRowText.appendArray(row, to: &output)
    } else {
      text.append(row, to: &output)
    }
  }

  /// Bytes are lost here: the row that was begun is cut off.
  override func cutOff() {
    if reader.isInRow {
      reader.finish()
      TableRowText.appendArray(reader.row, to: &output, isClosed: false)
      isCut = true
    }
    reader.next()
  }
}
