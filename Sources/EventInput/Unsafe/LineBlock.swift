/// Some whole lines, ready to be scanned.
///
///     buffer: | line \n | line \n | … | line \n | padding that may be read |
///
/// Invariants: `buffer` has `capacity` bytes, all initialised, the last `padding` of them free; the
/// first `count` bytes are the block, and end with a line feed unless `count` is 0. One thread at a
/// time has the block.
@safe final class LineBlock: @unchecked Sendable {
  enum Kind {
    case lines
    /// One line, cut off by damage.
    case truncatedLine
    /// The beginning of a line that is longer than the limit, and how long it was in all.
    case longLine(byteCount: Int)
  }

  /// For loops that read more than they need.
  static let padding = 64
  private(set) var buffer: UnsafeMutableRawPointer
  private(set) var capacity: Int
  var count = 0
  var kind = Kind.lines
  /// How much of the source, as it lies on disk, was read when the block was made.
  var bytesRead = 0
  /// Whether a byte-order mark was blanked out at the beginning.
  var beganWithMark = false
  /// Set on the first block of a file or of a member of a zip: lines are counted anew.
  var newName: String?
  /// Whether the lines were rows of a table.
  var isTable = false
  /// How many columns that table has; 0 where it has no header.
  var columnCount = 0
  /// Lines before the first row that are no rows: the names of a table's columns.
  var headLines = 0
  /// Whether their values are texts, whatever they were where they come from.
  var isUntyped = false

  init() {
    capacity = 3 << 16
    unsafe buffer = Self.allocate(capacity)
  }

  deinit {
    unsafe buffer.deallocate()
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    return unsafe buffer
  }

  var start: UnsafePointer<UInt8> {
    unsafe UnsafePointer(buffer.assumingMemoryBound(to: UInt8.self))
  }

  /// Makes room for `wanted` bytes and the padding; keeps what is there.
  func reserve(_ wanted: Int) {
    guard wanted + Self.padding > capacity else { return }
    let grown = max(wanted + Self.padding, capacity * 2)
    let larger = unsafe Self.allocate(grown)
    unsafe larger.copyMemory(from: buffer, byteCount: capacity)
    unsafe buffer.deallocate()
    unsafe buffer = larger
    capacity = grown
  }

  /// Takes these lines, each with its line feed, in the place of what was there.
  func hold(_ lines: [UInt8]) {
    reserve(lines.count)
    unsafe lines.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe buffer.copyMemory(from: base, byteCount: bytes.count)
    }
    count = lines.count
  }

  /// The free room from `offset` on, without the padding and a byte for a last line feed.
  func room(from offset: Int) -> UnsafeMutableRawBufferPointer {
    let count = max(0, capacity - Self.padding - 1 - offset)
    return unsafe UnsafeMutableRawBufferPointer(start: buffer + offset, count: count)
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Blanks out a byte-order mark that begins a line: white space is skipped anyway. Files that
  /// were put together with `cat` have one each.
  ///
  /// - Parameter count: how many bytes the block has so far.
  /// - Returns: false where no mark is.
  func blankMark(at place: Int, of count: Int) -> Bool {
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
    guard place + 3 <= count, unsafe bytes[place..<place + 3].elementsEqual(Self.mark) else {
      return false
    }
    for index in place..<place + 3 { unsafe bytes[index] = UInt8(ascii: " ") }
    return true
  }

  /// Puts a mark back that was blanked out: a reject is kept as it was.
  func restoreMark(at place: Int) {
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
    for (index, byte) in Self.mark.enumerated() { unsafe bytes[place + index] = byte }
  }

  /// The last line feed in a range of the buffer.
  func lastLineFeed(in range: Range<Int>) -> Int? {
    var index = range.upperBound
    // Dumps have lines of some hundred bytes: this does not go far.
    while index > range.lowerBound {
      index -= 1
      if unsafe buffer.load(fromByteOffset: index, as: UInt8.self) == UInt8(ascii: "\n") {
        return index
      }
    }
    return nil
  }
}
