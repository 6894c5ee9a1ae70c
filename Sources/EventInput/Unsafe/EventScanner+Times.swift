// When an event was.
extension EventScanner {
  @inline(__always)
  func readTime() -> Int64? {
    let leaves = unsafe state.pointee.timestampLeaves
    if leaves.count > 0 {
      let leaf = unsafe leaves[0].pointee
      let (start, end) = unsafe (lines.starts[leaf], lines.ends[leaf])
      if unsafe lines.kinds[leaf] == ValueKind.string,
        let time = unsafe state.pointee.timestamps.readInUTC(start, end - start)
      {
        return time
      }
    }
    return readAnyTime()
  }

  @inline(never)
  private func readAnyTime() -> Int64? {
    var isOther = false
    for index in unsafe 0..<state.pointee.timestampLeaves.count {
      let leaf = unsafe state.pointee.timestampLeaves[index].pointee
      let kind = unsafe lines.kinds[leaf]
      if kind == ValueKind.missing { continue }
      var (start, end) = unsafe (lines.starts[leaf], lines.ends[leaf])
      if kind == ValueKind.container || kind == ValueKind.boolean {
        // It may stand inside of it: `{"$date":…}`.
        isOther = true
        continue
      }
      if unsafe start == end { continue }
      if kind == ValueKind.escapedString {
        // Twice the room: the reader's own digits go behind the text.
        let room = unsafe lines.scratch.pointee.room(for: 2 * (end - start) + 64)
        let count = unsafe JSONText.unescape(start, end, into: room)
        unsafe start = UnsafePointer(room)
        unsafe end = start + count
        return unsafe accepted(
          state.pointee.timestamps.read(start, end, scratch: room + count + 32))
      }
      let room = unsafe lines.scratch.pointee.room(for: end - start)
      let result = unsafe state.pointee.timestamps.read(start, end, scratch: room)
      if unsafe state.pointee.clock != nil { return acceptedLocal(result, kind) }
      return accepted(result)
    }
    _ =
      isOther
      ? reject(.badTimestamp, "neither text nor a number") : reject(.missingTimestamp)
    return nil
  }

  @inline(__always)
  func accepted(_ result: TimestampReader.Result) -> Int64? {
    switch result {
    case .time(let time): return time
    case .timeWithoutOffset(let time):
      unsafe state.pointee.timestampsWithoutOffset += 1
      return time
    case .bad: _ = reject(.badTimestamp, TimestampReader.formAdvice)
    case .impossible: _ = reject(.badTimestamp, TimestampReader.impossibleAdvice)
    case .date: _ = reject(.badTimestamp, TimestampReader.dateAdvice)
    case .ambiguous: _ = reject(.badTimestamp, TimestampReader.ambiguousAdvice)
    case .rounded: _ = reject(.badTimestamp, TimestampReader.roundedAdvice)
    case .serial:
      _ = reject(
        .badTimestamp,
        "a spreadsheet's count of days: give the column the format yyyy-mm-dd hh:mm:ss and export "
          + "it again")
    case .outOfRange: _ = reject(.timestampOutOfRange, "not from 2000-01-01 to 2099-12-31")
    }
    return nil
  }

  /// As above, for dumps whose times are those of a zone's clocks.
  @inline(never)
  private func acceptedLocal(_ result: TimestampReader.Result, _ kind: UInt8) -> Int64? {
    switch result {
    case .timeWithoutOffset(let time): return unsafe state.pointee.clock?.instant(of: time)
    case .time(let time) where kind == ValueKind.number:
      return unsafe state.pointee.clock?.instant(of: time)
    default: return accepted(result)
    }
  }
}
