// Lines of other formats than the canonical one: the same walk, and then what the format needs.
extension EventScanner {
  /// `fill`, for a format.
  func fillInFormat(
    _ columns: EventColumns, count: Int, from start: Address, to end: Address
  ) -> Progress {
    guard let format else { return unsafe fill(columns, count: count, from: start, to: end) }
    let slotCount = unsafe state.pointee.slotCount
    let notes = unsafe state.pointee.mapped.count > 0
    return unsafe fill(columns, count, start, end) {
      defer { if notes { noteMapped() } }
      return accept(columns, at: $0, slotCount, format)
    }
  }

  private func accept(
    _ columns: EventColumns, at row: Int, _ slotCount: Int, _ format: FormatReader
  ) -> Bool {
    if isUnusual() && rejectDeleted() { return false }
    guard format.complete() else {
      return reject(.malformedJSON, format.fault)
    }
    let placeholder = format.untyped?.read(lines)
    guard hasEventName() else {
      if let mark = format.mergeMark, unsafe lines.kinds[mark] != ValueKind.missing {
        unsafe state.pointee.isNoEvent = true
      }
      return reject(.missingEvent)
    }
    let withoutOffset = unsafe state.pointee.timestampsWithoutOffset
    guard let time = correctedTime(format) ?? readTime() else {
      return rejectUntimed(format)
    }
    if format.format.timesAreUTC { unsafe state.pointee.timestampsWithoutOffset = withoutOffset }
    unsafe columns.times[row] = time
    let mark = unsafe hashes.pointee.mark
    let (hasUser, hasDevice) = identify(columns, row, time, format)
    if !hasUser || !hasDevice {
      if let placeholder {
        unsafe state.pointee.placeholders[placeholder.number] += 1
      } else {
        notePlaceholder(hasUser: hasUser, hasDevice: hasDevice)
      }
    }
    guard isIdentified(hasUser: hasUser, hasDevice: hasDevice) else {
      if placeholder == .rounded {
        unsafe state.pointee.reject?.detail = TimestampReader.roundedAdvice
      }
      unsafe hashes.pointee.forget(after: mark)
      return rejectUnidentified()
    }
    unsafe noteSession(identifier(state.pointee.sessionLeaves), columns, row)
    unsafe noteMessage(identifier(state.pointee.messageLeaves), columns, row)
    let values = unsafe columns.values + row * slotCount
    unsafe clear(values, slotCount)
    guard unsafe fillSlots(values) else {
      unsafe hashes.pointee.forget(after: mark)
      return false
    }
    format.inspector?.note(self, time: time)
    return true
  }

  /// Writes the hashes of the user and the device into the row, or has them written later: at once
  /// where other ids of the event decide what they are.
  @inline(__always)
  private func identify(
    _ columns: EventColumns, _ row: Int, _ time: Int64, _ format: FormatReader
  ) -> (hasUser: Bool, hasDevice: Bool) {
    let alias = aliasCall(format)
    if alias == nil && format.distinct == nil && !hasOther() {
      let hasUser = unsafe noteUser(identifier(state.pointee.userLeaves), columns, row)
      return unsafe (hasUser, noteDevice(identifier(state.pointee.deviceLeaves), columns, row))
    }
    var user = unsafe hash(state.pointee.userLeaves) { unsafe key.userHash($0) } ?? .missing
    var device = unsafe hash(state.pointee.deviceLeaves) { unsafe key.deviceHash($0) } ?? .missing
    if let alias { readNamed(alias, format, user: &user, device: &device) }
    readDistinct(format, isAlias: alias != nil, user: &user, device: &device, time: time)
    if hasOther() { readOthers(user: &user, device: &device, time: time) }
    if let alias { readOthers(alias, format, user: &user, device: &device, time: time) }
    unsafe columns.users[row] = user
    unsafe columns.devices[row] = device
    return (!user.isMissing, !device.isMissing)
  }

  /// The device's time corrected by what the server's clock said; nil where there is a time that
  /// needs none, or not all three.
  private func correctedTime(_ format: FormatReader) -> Int64? {
    guard let clock = format.clock else { return nil }
    for index in unsafe 0..<state.pointee.timestampLeaves.count {
      let leaf = unsafe state.pointee.timestampLeaves[index].pointee
      if unsafe lines.kinds[leaf] != ValueKind.missing && lines.starts[leaf] != lines.ends[leaf] {
        return nil
      }
    }
    guard let original = time(at: clock.original) else { return nil }
    guard let sent = time(at: clock.sent), let received = time(at: clock.received) else {
      return original
    }
    let corrected = original + received - sent
    let isPossible = corrected >= TimestampReader.earliest && corrected < TimestampReader.end
    return isPossible ? corrected : original
  }

  /// Says of a line without a time whether the device's own is one that can't be read.
  @inline(never)
  private func rejectUntimed(_ format: FormatReader) -> Bool {
    guard let clock = format.clock, unsafe state.pointee.reject?.reason == .missingTimestamp,
      unsafe lines.kinds[clock.original] != ValueKind.missing,
      unsafe lines.starts[clock.original] != lines.ends[clock.original]
    else { return false }
    return reject(.badTimestamp, TimestampReader.formAdvice)
  }

  /// The time at a leaf, if there is a good one.
  func time(at leaf: Int) -> Int64? {
    let kind = unsafe lines.kinds[leaf]
    let (start, end) = unsafe (lines.starts[leaf], lines.ends[leaf])
    guard kind == ValueKind.string || kind == ValueKind.number, unsafe start < end else {
      return nil
    }
    let room = unsafe lines.scratch.pointee.room(for: end - start)
    switch unsafe state.pointee.timestamps.read(start, end, scratch: room) {
    case .time(let time), .timeWithoutOffset(let time): return time
    case .bad, .impossible, .rounded, .serial, .date, .ambiguous, .outOfRange: return nil
    }
  }
}
