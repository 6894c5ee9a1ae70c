// What the sampler borrows from the scanner's folder: copies of lines, and single values.
extension LineBlock {
  /// What a look at a block's lines found.
  struct Judged<Person> {
    var lines = 0
    /// Copies of events that are wanted, each with whose it is.
    var events: [(line: [UInt8], person: Person)] = []
    /// A copy of the first line that is no event.
    var refused: (line: [UInt8], reason: RejectReason, detail: String)?
  }

  /// Copies of those of the block's lines that are events and wanted, and of the first line that is
  /// none; at most so many lines are looked at.
  ///
  /// - Parameter person: whose an event of these ids is; `nil` where the event is not wanted.
  func events<Person>(
    limit: Int, _ judge: LineJudge,
    person: ((device: IdentifierHash, user: IdentifierHash)) -> Person?
  ) -> Judged<Person> {
    var found = Judged<Person>()
    let end = start + count
    var line = start
    while line < end && found.lines < limit {
      // Where not all lines may be looked at, one at a time.
      let isAlone = limit != .max
      let stop = isAlone ? LineScanner.lineFeed(line, end) + 1 : end
      let progress = judge.judge(from: line, to: stop)
      // With blank lines among them, rows and lines are told apart one by one.
      if progress.blankLines == 0 || isAlone {
        take(from: line, to: progress.next, progress.count, judge, &found, person)
        line = progress.next
      } else {
        line = takeEach(from: line, to: progress.next, judge, &found, person)
      }
      if progress.isReject {
        let lineEnd = LineScanner.lineFeed(line, end)
        if found.refused == nil {
          // Between these lines and that one others may have been judged.
          _ = judge.judge(from: line, to: lineEnd + 1)
          let (reason, detail) = judge.reason(line, lineEnd + 1)
          let text = UnsafeBufferPointer(start: line, count: lineEnd - line)
          found.refused = (Array(text), reason, detail)
        }
        found.lines += 1
        line = lineEnd + 1
      }
    }
    return found
  }

  /// Takes lines that are all events, but for blank ones where there is one line.
  private func take<Person>(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, _ count: Int,
    _ judge: LineJudge, _ found: inout Judged<Person>,
    _ person: ((device: IdentifierHash, user: IdentifierHash)) -> Person?
  ) {
    var line = start
    var row = 0
    while line < end {
      let lineEnd = LineScanner.lineFeed(line, end)
      if row < count, let person = person(judge.ids(row)) {
        let text = UnsafeBufferPointer(start: line, count: lineEnd - line)
        found.events.append((Array(text), person))
      }
      found.lines += 1
      row += 1
      line = lineEnd + 1
    }
  }

  /// Judges each line anew, alone.
  private func takeEach<Person>(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, _ judge: LineJudge,
    _ found: inout Judged<Person>,
    _ person: ((device: IdentifierHash, user: IdentifierHash)) -> Person?
  ) -> UnsafePointer<UInt8> {
    var line = start
    while line < end {
      let next = LineScanner.lineFeed(line, end) + 1
      let progress = judge.judge(from: line, to: next)
      take(from: line, to: next, progress.count, judge, &found, person)
      line = next
    }
    return line
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
    case .bad, .rounded, .serial, .outOfRange: return nil
    }
  }
}
