/// Turns lines into events: the values that `LineScanner` found become hashes, times and codes.
///
/// The text's invariants are those of `JSONLexer`, and it lies in a `LineBlock`: behind any of its
/// lines `LineBlock.padding` bytes may be read. The memory's are those of `ScanMemory`.
@safe struct EventScanner {
  typealias Address = UnsafePointer<UInt8>

  let lines: LineScanner
  let state: UnsafeMutablePointer<EventScannerState>
  /// Ids that are hashed when `fill` ends.
  let hashes: UnsafeMutablePointer<HashQueues>
  let key: IdentifierKey
  /// The events that are kept as lines.
  let sampled: UnsafeMutablePointer<SampledLines>
  /// What a format other than the canonical one needs; looked at once a block.
  let format: FormatReader?

  /// How far `fill` got.
  @safe struct Progress {
    /// The first line that was not looked at; for a reject, that line itself.
    var next: Address
    var count: Int
    var lines = 0
    var blankLines = 0
    var isReject = false
  }

  /// Reads lines from `start` until the block's `end`, the batch's, or a line that can't be used.
  func fill(_ columns: EventColumns, count: Int, from start: Address, to end: Address) -> Progress {
    let slotCount = unsafe state.pointee.slotCount
    if unsafe state.pointee.mapped.count == 0 {
      return unsafe fill(columns, count, start, end) { accept(columns, at: $0, slotCount) }
    }
    return unsafe fill(columns, count, start, end) {
      defer { noteMapped() }
      return accept(columns, at: $0, slotCount)
    }
  }

  /// Reads lines as above; `accept` makes an event of one, as its format wants.
  @inline(__always)
  func fill(
    _ columns: EventColumns, _ count: Int, _ start: Address, _ end: Address,
    accept: (_ row: Int) -> Bool
  ) -> Progress {
    // Before the text of the ids goes away.
    defer {
      unsafe hashes.pointee.flush(columns)
      unsafe sampled.pointee.dropUnidentified(columns)
    }
    var progress = unsafe Progress(next: start, count: count)
    while unsafe progress.next < end && progress.count < EventBatch.capacity {
      let line = unsafe progress.next
      let first = unsafe lines.lexer.skipSpace(line)
      if unsafe first.pointee == UInt8(ascii: "\n")
        && first - line <= state.pointee.maximumLineBytes
      {
        progress.blankLines += 1
        unsafe progress.next = first + 1
        continue
      }
      guard let next = unsafe readLine(line, first) else {
        progress.isReject = true
        return progress
      }
      guard accept(progress.count) else {
        if unsafe state.pointee.isNoEvent {
          unsafe state.pointee.isNoEvent = false
          progress.blankLines += 1
          unsafe progress.next = next
          continue
        }
        progress.isReject = true
        return progress
      }
      unsafe progress.next = next
      unsafe sample(columns, progress.count, line, next)
      progress.count += 1
      progress.lines += 1
    }
    return progress
  }

  /// Keeps the event's line if its time is one of those that are sampled: nearly none is.
  @inline(__always)
  private func sample(_ columns: EventColumns, _ row: Int, _ line: Address, _ next: Address) {
    let rank = unsafe SampledLines.rank(ofTime: columns.times[row])
    if unsafe rank < sampled.pointee.bound {
      unsafe sampled.pointee.take(line, to: next, rank: rank, row: row)
    }
  }

  /// The address of the next line, or nil if this one is no object (or too long).
  @inline(__always)
  func readLine(_ line: Address, _ first: Address) -> Address? {
    unsafe state.pointee.reject = nil
    unsafe lines.lexer.state.pointee.hasInnerText = false
    unsafe lines.lexer.state.pointee.hasOtherList = false
    guard unsafe first.pointee == UInt8(ascii: "{"),
      let next = unsafe lines.scanObject(first, node: 0, depth: 1)
    else { return nil }
    let end = unsafe lines.lexer.skipSpace(next)
    guard unsafe end.pointee == UInt8(ascii: "\n"),
      unsafe end - line <= state.pointee.maximumLineBytes
    else {
      return nil
    }
    if unsafe lines.lexer.state.pointee.hasInnerText && !state.pointee.readsTexts {
      unsafe state.pointee.needsTexts = true
      return nil
    }
    if unsafe lines.lexer.state.pointee.hasOtherList {
      _ = reject(.malformedJSON, FormatReader.listAdvice)
      return nil
    }
    return unsafe end + 1
  }

  /// Empties a row's slots, eight at a time: what stands behind them is not yet in use.
  @inline(__always)
  func clear(_ row: UnsafeMutablePointer<UInt32>, _ slotCount: Int) {
    let raw = UnsafeMutableRawPointer(row)
    var slot = 0
    while slot < slotCount {
      unsafe raw.storeBytes(of: .zero, toByteOffset: 4 &* slot, as: SIMD8<UInt32>.self)
      slot &+= EventColumns.slotsBehind
    }
  }

  /// Writes the event into its row; false if it is no event, with `state.reject` set.
  @inline(__always)
  func accept(_ columns: EventColumns, at row: Int, _ slotCount: Int) -> Bool {
    if isDeleted() { return false }
    guard hasEventName() else { return reject(.missingEvent) }
    guard let time = readTime() else { return false }
    unsafe columns.times[row] = time
    let mark = unsafe hashes.pointee.mark
    unsafe noteMessage(identifier(state.pointee.messageLeaves), columns, row)
    let values = unsafe columns.values + row * slotCount
    unsafe clear(values, slotCount)
    if unsafe identify(columns, row, time) ? fillSlots(values) : rejectUnidentified() {
      return true
    }
    unsafe hashes.pointee.forget(after: mark)
    return false
  }

  /// Writes the ids' hashes into the row, or has them written later; false if one is missing.
  @inline(__always)
  private func identify(_ columns: EventColumns, _ row: Int, _ time: Int64) -> Bool {
    if hasOther() { return identifyWithOthers(columns, row, time) }
    let hasUser = unsafe noteUser(identifier(state.pointee.userLeaves), columns, row)
    let hasDevice = unsafe noteDevice(identifier(state.pointee.deviceLeaves), columns, row)
    unsafe noteSession(identifier(state.pointee.sessionLeaves), columns, row)
    if !hasUser || !hasDevice { notePlaceholder(hasUser: hasUser, hasDevice: hasDevice) }
    return isIdentified(hasUser: hasUser, hasDevice: hasDevice)
  }

  @inline(__always)
  func noteUser(_ text: UnsafeRawBufferPointer?, _ columns: EventColumns, _ row: Int) -> Bool {
    unsafe note(text, .user, row) {
      unsafe columns.users[row] = $0.map { unsafe key.userHash($0) } ?? .missing
    }
  }

  @inline(__always)
  func noteDevice(_ text: UnsafeRawBufferPointer?, _ columns: EventColumns, _ row: Int) -> Bool {
    unsafe note(text, .device, row) {
      unsafe columns.devices[row] = $0.map { unsafe key.deviceHash($0) } ?? .missing
    }
  }

  @inline(__always)
  func noteSession(_ text: UnsafeRawBufferPointer?, _ columns: EventColumns, _ row: Int) {
    _ = unsafe note(text, .session, row) {
      unsafe columns.sessions[row] = $0.map { unsafe key.sessionHash($0) } ?? 0
    }
  }

  @inline(__always)
  func noteMessage(_ text: UnsafeRawBufferPointer?, _ columns: EventColumns, _ row: Int) {
    unsafe columns.messages[row] = text.map(MessageHash.of) ?? 0
  }

  @inline(__always)
  func isIdentified(hasUser: Bool, hasDevice: Bool) -> Bool {
    switch unsafe state.pointee.identifiers {
    case .any: hasUser || hasDevice || reject(.missingID)
    case .user: hasUser || reject(.missingUserID)
    case .device: hasDevice || reject(.missingDeviceID)
    }
  }

  /// Has an id hashed: later, if it is like most, else at once by `now`, which is also given if
  /// there is none.
  @inline(__always)
  private func note(
    _ text: UnsafeRawBufferPointer?, _ domain: IdentifierDomain, _ row: Int,
    now: (UnsafeRawBufferPointer?) -> Void
  ) -> Bool {
    guard let text = unsafe text else {
      now(nil)
      return false
    }
    if HashQueue.lengths.contains(text.count) {
      unsafe hashes.pointee.put(text, domain, row: row)
    } else {
      unsafe now(text)
    }
    return true
  }

  @inline(never)
  private func identifyWithOthers(_ columns: EventColumns, _ row: Int, _ time: Int64) -> Bool {
    var user = unsafe hash(state.pointee.userLeaves) { unsafe key.userHash($0) } ?? .missing
    var device = unsafe hash(state.pointee.deviceLeaves) { unsafe key.deviceHash($0) } ?? .missing
    readOthers(user: &user, device: &device, time: time)
    unsafe columns.users[row] = user
    unsafe columns.devices[row] = device
    unsafe columns.sessions[row] =
      hash(state.pointee.sessionLeaves) { unsafe key.sessionHash($0) } ?? 0
    notePlaceholder(hasUser: !user.isMissing, hasDevice: !device.isMissing)
    return isIdentified(hasUser: !user.isMissing, hasDevice: !device.isMissing)
  }

  /// Whether the event names another id of its user; nearly none does.
  @inline(__always)
  func hasOther() -> Bool {
    let leaves = unsafe state.pointee.otherLeaves
    for index in 0..<leaves.count
    where unsafe lines.kinds[leaves[index].pointee] != ValueKind.missing {
      return true
    }
    return false
  }

  func reject(_ reason: RejectReason, _ detail: String = "") -> Bool {
    unsafe state.pointee.reject = (reason, detail)
    return false
  }

  /// Why the line at `line`, which `fill` stopped at, can't be used.
  func reason(of line: Address, _ end: Address) -> (reason: RejectReason, detail: String) {
    if unsafe end - line > state.pointee.maximumLineBytes {
      return unsafe Self.tooLong(end - line, limit: state.pointee.maximumLineBytes)
    }
    if let reject = unsafe state.pointee.reject { return reject }
    guard let (failure, offset) = unsafe lines.lexer.fault(line, end) else {
      return (.malformedJSON, "")
    }
    switch failure {
    case .invalidUTF8: return (.invalidUTF8, "at byte \(offset + 1) of the line")
    case .tooDeep:
      return (.nestedTooDeep, "more than \(JSONLexer.maximumDepth) levels of objects and arrays")
    case .notAnObject: return (.notAnObject, "")
    case .malformed, .none: return (.malformedJSON, "at byte \(offset + 1) of the line")
    }
  }

  static func tooLong(_ count: Int, limit: Int) -> (reason: RejectReason, detail: String) {
    (.lineTooLong, "\(count) bytes; the limit is \(limit)")
  }
}

// Times and ids.
extension EventScanner {
  func readTime() -> Int64? {
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

  /// The hash of the first of these leaves that holds an id.
  @inline(__always)
  func hash<Hash>(
    _ leaves: FixedList<Int>, _ hash: (UnsafeRawBufferPointer) -> Hash
  ) -> Hash? {
    unsafe identifier(leaves).map(hash)
  }

  /// The id in the first of these leaves that holds one. Valid until the scratch room is used
  /// again.
  @inline(__always)
  func identifier(_ leaves: FixedList<Int>) -> UnsafeRawBufferPointer? {
    for index in 0..<leaves.count {
      let leaf = unsafe leaves[index].pointee
      let kind = unsafe lines.kinds[leaf]
      // Nearly all ids are plain text.
      let text =
        unsafe kind == ValueKind.string
        ? UnsafeRawBufferPointer(
          start: lines.starts[leaf], count: lines.ends[leaf] - lines.starts[leaf])
        : kind == ValueKind.missing || kind == ValueKind.boolean ? nil : identifierText(leaf)
      if let text = unsafe text, unsafe !IdentifierKey.isMissing(text) { return unsafe text }
    }
    return nil
  }

  /// A leaf's value as text: strings without escapes, numbers in plain digits; nil for what has
  /// none. Valid until the scratch room is used again.
  @inline(never)
  func scalarText(_ leaf: Int) -> UnsafeRawBufferPointer? {
    let (start, end) = unsafe (lines.starts[leaf], lines.ends[leaf])
    let whole = unsafe UnsafeRawBufferPointer(start: start, count: end - start)
    switch unsafe lines.kinds[leaf] {
    case ValueKind.string, ValueKind.boolean: return unsafe whole
    case ValueKind.escapedString:
      let room = unsafe lines.scratch.pointee.room(for: whole.count)
      let count = unsafe JSONText.unescape(start, end, into: room)
      return unsafe UnsafeRawBufferPointer(start: room, count: count)
    case ValueKind.number:
      if unsafe whole.count == 1 || (start.pointee != UInt8(ascii: "-") && isDigits(whole)) {
        return unsafe whole
      }
      let room = unsafe lines.scratch.pointee.room(for: 2 * whole.count + 128)
      guard let decimal = unsafe Decimal(start, end, scratch: room),
        let count = unsafe decimal.write(into: room + whole.count)
      else { return unsafe whole }
      return unsafe UnsafeRawBufferPointer(start: room + whole.count, count: count)
    default: return nil
    }
  }

  private func isDigits(_ text: UnsafeRawBufferPointer) -> Bool {
    unsafe text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }
}
