/// Distinguishes a value over several lines from a quote that only begins a value, where a writer
/// that puts nothing in quotes left it: then the lines behind it are rows, which must not vanish in
/// a value.
///
/// A line is a row by itself where it has as many values as there are columns, and a time among
/// them. Quotes that begin in such a line, and have another such line inside of them with its time
/// in the same column, are text; so are those that begin in another line and have two such lines
/// inside, before the one with the end of the quotes. A value of several lines that looks so would
/// have to hold rows of its own table.
struct StrayQuoteSearch {
  /// Of the lines inside of quotes so many are looked at.
  private static let maximumLines = 200

  private let delimiter: UInt8
  private let count: Int
  private var times = TimestampReader()
  private var lines = 0
  /// The columns in which the first row has a time, and which line that was.
  private var timeColumns: Set<Int> = []
  private var firstRow = 0

  init(_ layout: TableLayout) {
    delimiter = layout.delimiter
    count = layout.columns.count
    times.takesAnyOrder = true
  }

  /// Whether nothing more is learnt about these quotes: they are a value's.
  var isDecided: Bool { lines > Self.maximumLines }

  mutating func beginRow() {
    if lines == 0 { return }
    timeColumns = []
    (lines, firstRow) = (0, 0)
  }

  /// Takes the next line of a row.
  ///
  /// - Parameter isLast: whether the quotes end in it.
  /// - Returns: whether the quotes that began in the first one are text.
  mutating func isStray(line: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
    lines += 1
    if isDecided || isLast && firstRow != 1 { return false }
    let found = unsafe timesOfRow(line)
    if !timeColumns.isDisjoint(with: found) { return true }
    if timeColumns.isEmpty, !found.isEmpty { (timeColumns, firstRow) = (found, lines) }
    return false
  }

  /// Whether one of the lines behind the first is a row by itself.
  mutating func hasRow(behindFirstOf bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.split(separator: UInt8(ascii: "\n")).dropFirst().prefix(Self.maximumLines).contains
    {
      unsafe !timesOfRow(UnsafeRawBufferPointer(rebasing: $0)).isEmpty
    }
  }

  /// The columns that hold a time, in a line that is a row by itself.
  private mutating func timesOfRow(_ line: UnsafeRawBufferPointer) -> Set<Int> {
    guard count > 2, unsafe line.count(where: { $0 == delimiter }) >= count - 1 else { return [] }
    let row = unsafe TableRow.line(line, delimiter: delimiter)
    guard row.count == count else { return [] }
    var found: Set<Int> = []
    for column in 0..<count {
      let value = row.value(column)
      guard 10...40 ~= value.count, value.contains(where: { $0 &- 0x30 < 10 }),
        times.milliseconds(of: String(decoding: value, as: UTF8.self)) != nil
      else { continue }
      found.insert(column)
    }
    return found
  }
}
