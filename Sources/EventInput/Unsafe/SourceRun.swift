#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One source on its way through the scanner: its figures, its rejects, and which line we are at.
struct SourceRun {
  var summary: SourceSummary
  let rejects: RejectPart?
  /// The file, or the file and the member of a zip.
  private var name: String
  /// Lines of that file before the one being read, blank ones too.
  private var linesBefore = 0
  /// The line at hand, while the events that it holds are read.
  private var listLine: Int?

  /// The line with which an export says that it is not whole, if there is one.
  private(set) var cutShort: InputDamage?
  /// Bytes on disk that were reported as progress.
  private var bytesTold = 0

  init(source: InputSource, rejects: RejectPart?) {
    summary = SourceSummary(name: source.name)
    name = source.name
    self.rejects = rejects
  }

  /// A new file or member begins.
  mutating func begin(_ name: String) {
    self.name = name
    linesBefore = 0
  }

  /// The names of columns stand before the rows.
  mutating func passHead(lines: Int) { linesBefore += lines }

  /// How many bytes on disk were read since this was asked last.
  mutating func advance(to bytes: Int) -> Int {
    defer { bytesTold = bytes }
    return bytes - bytesTold
  }

  mutating func count(_ progress: EventScanner.Progress, events: Int) {
    summary.lines += progress.lines
    summary.blankLines += progress.blankLines
    summary.events += events
    linesBefore += progress.lines + progress.blankLines
  }

  var isInList: Bool { listLine != nil }

  /// Each event of the next line counts as a line of its own, in the place of that one.
  mutating func beginList() { listLine = linesBefore + 1 }

  mutating func endList() {
    linesBefore = listLine ?? linesBefore
    listLine = nil
  }

  /// Counts a line that can't be used and writes it down. `end` is the line's line feed.
  mutating func reject(
    _ fault: (reason: RejectReason, detail: String),
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) throws {
    summary.lines += 1
    linesBefore += 1
    let line = listLine ?? linesBefore
    if cutShort == nil, unsafe Self.saysCutShort(start, end) {
      cutShort = InputDamage(
        byteOffset: 0,
        message: "\(name), line \(line), says 'export terminated early': Mixpanel stopped "
          + "the export before its end, so events are missing; export again, in shorter periods")
    }
    summary.rejectsByReason[fault.reason, default: 0] += 1
    if summary.firstRejects[fault.reason] == nil {
      summary.firstRejects[fault.reason] = RejectPlace(
        name: name, line: line, detail: fault.detail)
    }
    try unsafe rejects?.append(
      file: name, line: line, reason: fault.reason, detail: fault.detail,
      text: UnsafeRawBufferPointer(start: start, count: end - start))
  }
}

extension SourceRun {
  private static let words = ["export terminated early", "terminated early"].map {
    Array($0.utf8)
  }

  /// Whether a line is what Mixpanel writes behind the events where it breaks an export off.
  private static func saysCutShort(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    guard unsafe end - start <= 40, unsafe start.pointee != UInt8(ascii: "{") else { return false }
    let text = unsafe UnsafeBufferPointer(start: start, count: end - start).map { $0 | 0x20 }
    return words.contains(trimmed(text))
  }

  /// The letters and spaces of a line, without brackets and space around them.
  private static func trimmed(_ text: [UInt8]) -> [UInt8] {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
    guard let first = text.firstIndex(where: isLetter), let last = text.lastIndex(where: isLetter)
    else { return [] }
    return Array(text[first...last])
  }
}

extension LineScanner {
  /// The line feed that ends the line at `start`; one stands at `end - 1` at the latest.
  static func lineFeed(_ start: Address, _ end: Address) -> Address {
    guard unsafe end - start > 1,
      let found = unsafe memchr(start, Int32(UInt8(ascii: "\n")), end - start - 1)
    else { return unsafe max(start, end - 1) }
    return unsafe UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
  }
}
