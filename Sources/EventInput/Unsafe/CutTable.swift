/// Tables that were cut into parts, of which only the first one has the header.
enum CutTable {
  private static let linesJudged = 20

  /// Whether the rows of a file without a header are events under the header of a table.
  ///
  /// - Parameter plan: by which a row may be an event; that of any flow if not given.
  static func isPart(
    _ source: InputSource, of table: TableLayout, plan: ScanPlan?
  ) throws -> Bool {
    let block = LineBlock()
    // A table of something else may have names of its own.
    let own = try LineBlockReader(source, maximumLineBytes: 1 << 20)
    if try own.next(block), let table = own.table, table.usualCount >= 2 { return false }
    let lines = try LineBlockReader(source, maximumLineBytes: 1 << 20, isOfLines: true)
    guard try lines.next(block), case .lines = block.kind else { return false }
    let rows = unsafe UnsafeRawBufferPointer(start: block.buffer, count: block.count)
    let whole = unsafe InMemoryBytes(name: source.name, content: table.headerRow + rows)
    let reader = try LineBlockReader(
      InputSource(kind: .memory(whole)), maximumLineBytes: 1 << 20)
    guard try reader.next(block), block.isTable, case .lines = block.kind else { return false }
    let format = FormatDetector().format(of: block, asked: plan?.format).format
    let judge = LineJudge(plan ?? .ofAnyFlow(), key: .fixed, format)
    let judged = block.judged(judge, limit: linesJudged)
    return judged.lines > 0 && judged.events.count * 2 > judged.lines
  }
}

extension TableLayout {
  /// The header as a row of the table.
  fileprivate var headerRow: [UInt8] {
    let quote = UInt8(ascii: "\"")
    let names = header.map { name in
      [quote] + name.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }
    return Array(names.joined(separator: [delimiter])) + [UInt8(ascii: "\n")]
  }
}
