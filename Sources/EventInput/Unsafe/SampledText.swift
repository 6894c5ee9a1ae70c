// What the sampler borrows from the scanner's folder: copies of lines, and single values.
extension LineBlock {
  /// What the block's lines are; at most so many are looked at.
  func judged(_ judge: LineJudge, limit: Int = .max) -> JudgedLines {
    var found = JudgedLines()
    let end = unsafe start + count
    var line = unsafe start
    while unsafe line < end && found.lines < limit {
      // Where not all lines may be looked at, one at a time.
      let isAlone = limit != .max
      let progress = unsafe judge.judge(
        from: line, to: isAlone ? LineScanner.lineFeed(line, end) + 1 : end)
      if progress.blankLines == 0 || isAlone {
        unsafe take(from: line, to: progress.next, progress.count, judge, &found)
      } else {
        // With blank lines among them, each is found to be a row or a line by itself.
        var place = unsafe line
        while unsafe place < progress.next {
          let next = unsafe LineScanner.lineFeed(place, progress.next) + 1
          unsafe take(
            from: place, to: next, judge.judge(from: place, to: next).count, judge, &found)
          unsafe place = next
        }
      }
      unsafe line = progress.next
      if progress.isReject {
        let lineEnd = unsafe LineScanner.lineFeed(line, end)
        // Between these lines and that one others may have been judged.
        _ = unsafe judge.judge(from: line, to: lineEnd + 1)
        let (reason, detail) = unsafe judge.reason(line, lineEnd)
        if unsafe !takeList(from: line, to: lineEnd, reason, judge, &found), found.refused == nil {
          let text = unsafe UnsafeBufferPointer(start: line, count: lineEnd - line)
          found.refused = unsafe JudgedLines.Refused(
            line: Array(text), reason: reason,
            detail: self.detail(of: reason, line, lineEnd) ?? detail)
        }
        found.lines += 1
        unsafe line = lineEnd + 1
      }
    }
    return found
  }

  /// Takes lines that are all events, but for one that is blank where it stands alone.
  private func take(
    from first: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, _ count: Int,
    _ judge: LineJudge, _ found: inout JudgedLines
  ) {
    var line = unsafe first
    var row = 0
    while unsafe line < end {
      let lineEnd = unsafe LineScanner.lineFeed(line, end)
      if row < count {
        let ids = judge.ids(row)
        unsafe found.events.append(
          JudgedLines.Event(
            start: line - start, count: lineEnd - line, device: ids.device, user: ids.user))
      }
      found.lines += 1
      row += 1
      unsafe line = lineEnd + 1
    }
  }

  /// Takes the events of a line that holds several, as reports do; false if it is no such line.
  private func takeList(
    from line: UnsafePointer<UInt8>, to lineEnd: UnsafePointer<UInt8>, _ reason: RejectReason,
    _ judge: LineJudge, _ found: inout JudgedLines
  ) -> Bool {
    guard reason == .notAnObject || reason == .missingEvent, !isTable, self !== judge.list,
      let events = unsafe ListLine.events(line, lineEnd)
    else { return false }
    judge.list.hold(events)
    let inner = judge.list.judged(judge)
    if inner.events.isEmpty { return false }
    found.lists.append(events)
    found.events += inner.events.map { event in
      var event = event
      event.list = found.lists.count - 1
      return event
    }
    found.refused = found.refused ?? inner.refused
    return true
  }

  /// A copy of an event's line.
  func line(of event: JudgedLines.Event, in lines: JudgedLines) -> [UInt8] {
    if let list = event.list {
      return Array(lines.lists[list][event.start..<event.start + event.count])
    }
    return unsafe Array(UnsafeBufferPointer(start: start + event.start, count: event.count))
  }
}

extension LineBlock {
  /// A copy of the block's first line.
  var firstLine: [UInt8] {
    let lineEnd = unsafe LineScanner.lineFeed(start, start + count)
    return unsafe Array(UnsafeBufferPointer(start: start, count: lineEnd - start))
  }
}

extension JSONText {
  /// The text of a string's inside; an escape that is cut off is left out.
  package static func unescaped(_ raw: [UInt8]) -> String {
    // Room behind the text: a broken escape at its end is read as zeros.
    let padded = raw + Array(repeating: 0, count: 16)
    var result = [UInt8](repeating: 0, count: padded.count)
    let count = unsafe padded.withUnsafeBufferPointer { source in
      unsafe result.withUnsafeMutableBufferPointer { target in
        guard let start = source.baseAddress, let out = target.baseAddress else { return 0 }
        return unsafe unescape(start, start + raw.count, into: out)
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
    let result = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe scratch.withUnsafeMutableBufferPointer { room -> Result in
        guard let start = source.baseAddress, let room = room.baseAddress else { return .bad }
        return unsafe read(start, start + text.utf8.count, scratch: room)
      }
    }
    switch result {
    case .time(let time), .timeWithoutOffset(let time): return time
    case .bad, .impossible, .rounded, .serial, .date, .ambiguous, .outOfRange: return nil
    }
  }
}
