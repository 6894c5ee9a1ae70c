// What the sampler borrows from the scanner's folder: copies of lines, and single values.
extension LineBlock {
  /// Copies of those of the block's lines that are events and wanted, each with whose it is, and of
  /// the first line that is none; at most so many lines are looked at.
  ///
  /// - Parameter person: asked of each event, of which the judge then knows whose it is; `nil`
  ///   where the event is not wanted.
  func events<Person>(
    limit: Int, _ judge: LineJudge, person: (LineJudge) -> Person?
  ) -> (
    lines: Int, events: [(line: [UInt8], person: Person)],
    refused: (line: [UInt8], reason: RejectReason, detail: String)?
  ) {
    var lines = 0
    var refused: (line: [UInt8], reason: RejectReason, detail: String)?
    var events: [(line: [UInt8], person: Person)] = []
    let end = start + count
    var line = start
    while line < end && lines < limit {
      let lineEnd = LineScanner.lineFeed(line, end)
      lines += 1
      let text = UnsafeBufferPointer(start: line, count: lineEnd - line)
      if judge.isEvent(line, lineEnd + 1) {
        if let person = person(judge) { events.append((Array(text), person)) }
      } else if refused == nil {
        let (reason, detail) = judge.reason(line, lineEnd + 1)
        refused = (Array(text), reason, detail)
      }
      line = lineEnd + 1
    }
    return (lines, events, refused)
  }
}

extension LineBlock {
  /// A copy of the block's first line.
  var firstLine: [UInt8] {
    let lineEnd = LineScanner.lineFeed(start, start + count)
    return Array(UnsafeBufferPointer(start: start, count: lineEnd - start))
  }
}

extension JSONText {
  /// The text of a string's inside; an escape that is cut off is left out.
  package static func unescaped(_ raw: [UInt8]) -> String {
    // Room behind the text: a broken escape at its end is read as zeros.
    let padded = raw + Array(repeating: 0, count: 16)
    var result = [UInt8](repeating: 0, count: padded.count)
    let count = padded.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBufferPointer { target in
        guard let start = source.baseAddress, let out = target.baseAddress else { return 0 }
        return unescape(start, start + raw.count, into: out)
      }
    }
    return String(decoding: result[..<min(count, result.count)], as: UTF8.self)
  }
}

extension TimestampReader {
  /// A timestamp given as text or as a number's digits.
  mutating func milliseconds(of text: String) -> Int64? {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: 64)
    var scratch = [UInt8](repeating: 0, count: bytes.count + 64)
    let result = bytes.withUnsafeBufferPointer { source in
      scratch.withUnsafeMutableBufferPointer { room -> Result in
        guard let start = source.baseAddress, let room = room.baseAddress else { return .bad }
        return read(start, start + text.utf8.count, scratch: room)
      }
    }
    switch result {
    case .time(let time), .timeWithoutOffset(let time): return time
    case .bad, .rounded, .outOfRange: return nil
    }
  }
}
