/// The values of one row, without the quotes around them.
struct TableRow {
  private(set) var text: [UInt8] = []
  private var ends: [Int] = []
  /// Something stands between the end of a value's quotes and the next value, or the row is longer
  /// than any may be.
  var isBroken = false
  /// How many of the values stand in quotes.
  private(set) var quotedCount = 0
  /// Whether a quote stands inside of quotes, written twice.
  private(set) var hasDoubledQuotes = false
  /// Whether no line feed stands inside of quotes.
  private(set) var isOneLine = true

  var count: Int { ends.count }
  /// A line with nothing in it, or with nothing but delimiters.
  var isBlank: Bool { text.isEmpty }
  var values: [[UInt8]] { (0..<count).map { Array(value($0)) } }

  func value(_ column: Int) -> ArraySlice<UInt8> {
    text[(column == 0 ? 0 : ends[column - 1])..<ends[column]]
  }

  /// No row of events is longer or has more values: what is beyond is not kept.
  private static let maximumBytes = 1 << 24
  private static let maximumValues = 1 << 20

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let room = TableRow.maximumBytes - text.count
    if bytes.count > room { isBroken = true }
    unsafe text.append(contentsOf: bytes.prefix(max(0, room)))
  }

  mutating func append(_ byte: UInt8) {
    if text.count < TableRow.maximumBytes { text.append(byte) } else { isBroken = true }
  }

  mutating func beginQuotes() { quotedCount += 1 }

  /// Takes a quote that was written twice.
  mutating func appendQuote() {
    hasDoubledQuotes = true
    append(UInt8(ascii: "\""))
  }

  /// Takes a line feed inside of quotes.
  mutating func appendLineFeed() {
    isOneLine = false
    append(UInt8(ascii: "\n"))
  }

  mutating func endValue() {
    if ends.count < TableRow.maximumValues { ends.append(text.count) } else { isBroken = true }
  }

  func equals(_ values: [[UInt8]]) -> Bool {
    count == values.count && values.indices.allSatisfy { value($0).elementsEqual(values[$0]) }
  }

  /// Takes back the carriage returns before the row's end: a text of lines that end in `\r\n`,
  /// written to a file that puts `\r` before each line feed, has two.
  mutating func dropLastReturns() {
    let start = ends.last ?? 0
    while text.count > start, text.last == UInt8(ascii: "\r") { text.removeLast() }
  }

  /// Takes a byte-order mark away that begins the row, and quotes around the value behind it: files
  /// that were put together with `cat` have one each.
  mutating func dropMark() {
    guard text.starts(with: [0xEF, 0xBB, 0xBF]), let end = ends.first, end >= 3 else { return }
    var value = text[3..<end]
    if value.count > 1, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
      value = value.dropFirst().dropLast()
    }
    let dropped = end - value.count
    text.replaceSubrange(..<end, with: Array(value))
    for index in ends.indices { ends[index] -= dropped }
  }

  mutating func removeAll() {
    text.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    isBroken = false
    quotedCount = 0
    (hasDoubledQuotes, isOneLine) = (false, true)
  }
}
