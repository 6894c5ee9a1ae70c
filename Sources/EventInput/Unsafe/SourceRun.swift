/// One source on its way through the scanner: its figures, its rejects, and which line we are at.
struct SourceRun {
  var summary: SourceSummary
  let rejects: RejectPart?
  /// The file, or the file and the member of a zip.
  private var name: String
  /// Lines of that file before the one being read, blank ones too.
  private var linesBefore = 0

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

  /// Counts a line that can't be used and writes it down. `end` is the line's line feed.
  mutating func reject(
    _ fault: (reason: RejectReason, detail: String),
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) throws {
    summary.lines += 1
    linesBefore += 1
    summary.rejectsByReason[fault.reason, default: 0] += 1
    if summary.firstRejects[fault.reason] == nil {
      summary.firstRejects[fault.reason] = RejectPlace(
        name: name, line: linesBefore, detail: fault.detail)
    }
    try rejects?.append(
      file: name, line: linesBefore, reason: fault.reason, detail: fault.detail,
      text: UnsafeRawBufferPointer(start: start, count: end - start))
  }
}

extension LineScanner {
  /// The line feed that ends the line at `start`; one stands at `end - 1` at the latest.
  static func lineFeed(_ start: Address, _ end: Address) -> Address {
    var p = start
    while p < end - 1 && p.pointee != UInt8(ascii: "\n") { p += 1 }
    return p
  }
}
