/// Looks at the first rows of a file that is no JSON to find out whether it is a table.
@safe struct TableSurvey {
  enum Finding: Equatable {
    case none
    case table(TableLayout)
    /// More of the file is needed.
    case open
  }

  private static let delimiters = Array(",\t;|".utf8)
  private static let rowsLookedAt = 20

  private let bytes: UnsafeRawBufferPointer
  private let isWhole: Bool

  init(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) {
    unsafe self.bytes = bytes
    self.isWhole = isWhole
  }

  /// Where the first row begins: behind blank lines, and what was a byte-order mark.
  static func start(_ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe bytes.firstIndex { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D } ?? bytes.count
  }

  func finding() -> Finding {
    var start = unsafe Self.start(bytes)
    let isQuoted = unsafe start < bytes.count && bytes[start] == UInt8(ascii: "\"")
    if unsafe bytes[(start + (isQuoted ? 1 : 0))...].starts(with: "sep=".utf8) {
      guard let feed = unsafe bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
        return isWhole ? .none : .open
      }
      start = feed + 1
    }
    var best: (row: [[UInt8]], delimiter: UInt8, end: Int)?
    for delimiter in Self.delimiters {
      guard let (row, end) = row(from: start, delimiter) else { continue }
      if row.count > (best?.row.count ?? 1) { best = (row, delimiter, end) }
    }
    guard let best else { return isWhole || hasLine(from: start) ? .none : .open }
    if best.delimiter == UInt8(ascii: "\t"), let snowplow = snowplow(best.row) { return snowplow }
    guard TableLayout.isHeader(best.row) else { return .none }
    let layout = TableLayout(delimiter: best.delimiter, header: best.row)
    // The lines of a dump that begins with a broken one are no rows.
    if unsafe best.end < bytes.count, unsafe bytes[best.end] == UInt8(ascii: "{") { return .none }
    if hasMostlyObjects(from: best.end) { return .none }
    if layout.usualCount >= 2 { return .table(withQuoting(layout, from: best.end)) }
    return finding(layout, from: best.end)
  }

  /// Whether of the lines at hand more are whole objects of JSON than anything else, which no row
  /// of a table is.
  private func hasMostlyObjects(from start: Int) -> Bool {
    let lines = unsafe bytes[start...].split(
      separator: UInt8(ascii: "\n"), maxSplits: Self.rowsLookedAt)
    let objects = unsafe lines.prefix(Self.rowsLookedAt).count {
      unsafe FollowingLines.shape($0) == .whole
    }
    return unsafe objects * 2 > min(lines.count, Self.rowsLookedAt)
  }

  /// The layout with the way of quoting in which more of the rows at hand fit.
  private func withQuoting(_ layout: TableLayout, from start: Int) -> TableLayout {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    guard unsafe TableQuoting.hasBackslashes(rest) else { return layout }
    var other = layout
    other.quoting = .backslash
    return unsafe misfits(rest, other) < misfits(rest, layout) ? other : layout
  }

  /// How many of the rows don't fit, but for a last one that may be cut off.
  private func misfits(_ bytes: UnsafeRawBufferPointer, _ layout: TableLayout) -> Int {
    var reader = TableRowReader(delimiter: layout.delimiter, quoting: layout.quoting)
    var (place, misfits) = (0, 0)
    while let end = unsafe reader.read(bytes, from: place).end {
      place = end
      if reader.isInQuotes { continue }
      let row = reader.row
      if !row.isBlank, row.isBroken || row.count != layout.columns.count { misfits += 1 }
      reader.next()
    }
    return misfits
  }

  /// A table if one of the rows after the first has as many values.
  private func finding(_ layout: TableLayout, from start: Int) -> Finding {
    var place = start
    for _ in 0..<Self.rowsLookedAt {
      guard let (next, end) = row(from: place, layout.delimiter), end > place else {
        return isWhole ? .none : .open
      }
      if next.count == layout.columns.count {
        return .table(withQuoting(layout, from: start))
      }
      place = end
    }
    return .none
  }

  /// Enriched events of Snowplow have no header, but always the same columns.
  private func snowplow(_ row: [[UInt8]]) -> Finding? {
    guard row.count == SnowplowColumns.names.count,
      row[SnowplowColumns.identifier].count == 36, row[0] != Array(SnowplowColumns.names[0].utf8)
    else { return nil }
    return .table(TableLayout(delimiter: UInt8(ascii: "\t"), columns: SnowplowColumns.names))
  }

  private func hasLine(from start: Int) -> Bool {
    unsafe bytes[start...].contains(UInt8(ascii: "\n"))
  }

  private func row(from start: Int, _ delimiter: UInt8) -> (row: [[UInt8]], end: Int)? {
    var reader = TableRowReader(delimiter: delimiter, quoting: .doubled)
    var place = start
    while let end = unsafe reader.read(bytes, from: place).end {
      if !reader.isInQuotes { return (reader.row.values, end) }
      place = end
    }
    guard isWhole, !reader.isInQuotes else { return nil }
    reader.finish()
    return unsafe (reader.row.values, bytes.count)
  }
}
