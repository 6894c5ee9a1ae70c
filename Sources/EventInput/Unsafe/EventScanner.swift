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
    let notes = unsafe state.pointee.mapped.count > 0
    return unsafe fill(columns, count, start, end) {
      defer { if notes { noteMapped() } }
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
    unsafe lines.lexer.state.pointee.hasInnerText = false
    unsafe lines.lexer.state.pointee.hasOtherList = false
    guard unsafe first.pointee == UInt8(ascii: "{"),
      let next = unsafe lines.scanObject(first, node: 0, depth: 1)
    else { return unsafe refused() }
    let end = unsafe next.pointee == UInt8(ascii: "\n") ? next : lines.lexer.skipSpace(next)
    guard unsafe end.pointee == UInt8(ascii: "\n"),
      unsafe end - line <= state.pointee.maximumLineBytes
    else { return unsafe refused() }
    if unsafe lines.lexer.state.pointee.hasInnerText && !state.pointee.readsTexts {
      unsafe state.pointee.needsTexts = true
      return unsafe refused()
    }
    if unsafe lines.lexer.state.pointee.hasOtherList {
      _ = reject(.malformedJSON, FormatReader.listAdvice)
      return nil
    }
    return unsafe end + 1
  }

  /// No line: why is for `reason` to find out.
  @inline(never)
  private func refused() -> Address? {
    unsafe state.pointee.reject = nil
    return nil
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
    let isUnusual = isUnusual()
    if isUnusual && rejectDeleted() { return false }
    guard hasEventName() else { return reject(.missingEvent) }
    guard let time = readTime() else { return false }
    unsafe columns.times[row] = time
    let mark = unsafe hashes.pointee.mark
    unsafe noteMessage(identifier(state.pointee.messageLeaves), columns, row)
    let values = unsafe columns.values + row &* slotCount
    unsafe clear(values, slotCount)
    if unsafe identify(columns, row, time, isUnusual) ? fillSlots(values) : rejectUnidentified() {
      return true
    }
    unsafe hashes.pointee.forget(after: mark)
    return false
  }

  /// Writes the ids' hashes into the row, or has them written later; false if one is missing.
  @inline(__always)
  private func identify(
    _ columns: EventColumns, _ row: Int, _ time: Int64, _ isUnusual: Bool
  ) -> Bool {
    if isUnusual && hasOther() { return identifyWithOthers(columns, row, time) }
    let hasUser = unsafe noteUser(identifier(state.pointee.userLeaves), columns, row)
    let hasDevice = unsafe noteDevice(identifier(state.pointee.deviceLeaves), columns, row)
    unsafe noteSession(identifier(state.pointee.sessionLeaves), columns, row)
    if unsafe (!hasUser && isFilled(state.pointee.userLeaves))
      || (!hasDevice && isFilled(state.pointee.deviceLeaves))
    {
      notePlaceholder(hasUser: hasUser, hasDevice: hasDevice)
    }
    return isIdentified(hasUser: hasUser, hasDevice: hasDevice)
  }

  @inline(__always)
  func noteUser(_ id: IdentifierText?, _ columns: EventColumns, _ row: Int) -> Bool {
    note(id, .user, row) {
      unsafe columns.users[row] = $0.map { unsafe key.userHash($0.bytes) } ?? .missing
    }
  }

  @inline(__always)
  func noteDevice(_ id: IdentifierText?, _ columns: EventColumns, _ row: Int) -> Bool {
    note(id, .device, row) {
      unsafe columns.devices[row] = $0.map { unsafe key.deviceHash($0.bytes) } ?? .missing
    }
  }

  @inline(__always)
  func noteSession(_ id: IdentifierText?, _ columns: EventColumns, _ row: Int) {
    _ = note(id, .session, row) {
      unsafe columns.sessions[row] = $0.map { unsafe key.sessionHash($0.bytes) } ?? 0
    }
  }

  @inline(__always)
  func noteMessage(_ id: IdentifierText?, _ columns: EventColumns, _ row: Int) {
    unsafe columns.messages[row] = id.map { MessageHash.of($0) } ?? 0
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
    _ id: IdentifierText?, _ domain: IdentifierDomain, _ row: Int,
    now: (IdentifierText?) -> Void
  ) -> Bool {
    guard let id else {
      now(nil)
      return false
    }
    if HashQueue.lengths.contains(id.count) {
      unsafe hashes.pointee.put(id, domain, row: row)
    } else {
      now(id)
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
  func hasOther() -> Bool { unsafe isFilled(state.pointee.otherLeaves) }

  /// Whether any of these leaves holds something.
  @inline(__always)
  private func isFilled(_ leaves: FixedList<Int>) -> Bool {
    leaves.first { unsafe lines.kinds[$0] != ValueKind.missing ? true : nil } ?? false
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

// Ids.
extension EventScanner {
  /// The hash of the first of these leaves that holds an id.
  @inline(__always)
  func hash<Hash>(
    _ leaves: FixedList<Int>, _ hash: (UnsafeRawBufferPointer) -> Hash
  ) -> Hash? {
    identifier(leaves).map { unsafe hash($0.bytes) }
  }

  /// The id in the first of these leaves that holds one. Valid until the scratch room is used
  /// again.
  @inline(__always)
  func identifier(_ leaves: FixedList<Int>) -> IdentifierText? {
    leaves.first { leaf in
      let kind = unsafe lines.kinds[leaf]
      // Nearly all ids are plain text.
      let id =
        unsafe kind == ValueKind.string
        ? IdentifierText(start: lines.starts[leaf], count: lines.ends[leaf] - lines.starts[leaf])
        : kind == ValueKind.missing || kind == ValueKind.boolean
          ? nil : identifierText(leaf).flatMap { unsafe IdentifierText($0) }
      guard let id, id.count > 0 else { return nil }
      let mayBeNone = unsafe PlaceholderIdentifier.mayBe(id.start, id.count)
      if unsafe mayBeNone && PlaceholderIdentifier.found(in: id.bytes) != nil { return nil }
      return id
    }
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
