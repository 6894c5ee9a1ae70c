import CScanKernel

// Lines that fit a template: their events are made straight from the line's quotes.
extension EventScanner {
  /// Writes the event into its row; false if that can't be decided at once. Then nothing is kept of
  /// it, and the line has to be read.
  @inline(__always)
  func acceptByTemplate(
    _ match: TemplateMatch, _ columns: EventColumns, at row: Int, _ slotCount: Int
  ) -> Bool {
    let event = events.pointee.list[match.number]
    if event.making != .made { return makeEvent(match) }
    // What has escapes is read into leaves, and resolved there.
    if match.hasEscapes && walker.index.pointee.hasEscape(where: event.mayAsk) { return false }
    if event.scalarCount > 0 && !readScalars(event, match) { return false }
    let time = match.string(behind: Int(event.time))
    let room = lines.scratch.pointee.room(for: time.end - time.start)
    var withoutOffset = 0
    switch state.pointee.timestamps.read(time.start, time.end, scratch: room) {
    case .time(let milliseconds): columns.times[row] = milliseconds
    case .timeWithoutOffset(let milliseconds):
      columns.times[row] = milliseconds
      withoutOffset = 1
    case .bad, .rounded, .serial, .outOfRange: return false
    }
    let mark = hashes.pointee.mark
    let hasUser = noteUser(identifier(match, event.user), columns, row)
    let hasDevice = noteDevice(identifier(match, event.device), columns, row)
    noteSession(identifier(match, event.session), columns, row)
    noteMessage(identifier(match, event.message), columns, row)
    if isIdentified(hasUser: hasUser, hasDevice: hasDevice)
      && fillSlots(event, match, columns.values + row &* slotCount, slotCount)
    {
      state.pointee.timestampsWithoutOffset &+= withoutOffset
      if (!hasUser && event.user >= 0) || (!hasDevice && event.device >= 0) {
        notePlaceholder(match, event, hasUser: hasUser)
      }
      return true
    }
    hashes.pointee.forget(after: mark)
    return false
  }

  /// Finds out what events of the template are made of, from the next line on.
  @inline(never)
  private func makeEvent(_ match: TemplateMatch) -> Bool {
    if events.pointee.list[match.number].making == .notTried {
      events.pointee.make(
        match.number, walker.templates.pointee, state.pointee, leafCount: lines.leafCount)
    }
    return false
  }

  /// The id behind a quote; nil for none.
  @inline(__always)
  private func identifier(_ match: TemplateMatch, _ quote: Int16) -> UnsafeRawBufferPointer? {
    if quote < 0 { return nil }
    let string = match.string(behind: Int(quote))
    let text = UnsafeRawBufferPointer(start: string.start, count: string.end - string.start)
    return IdentifierKey.isMissing(text) ? nil : text
  }

  @inline(never)
  private func notePlaceholder(
    _ match: TemplateMatch, _ event: EventTemplates.Event, hasUser: Bool
  ) {
    for quote in [hasUser ? -1 : event.user, event.device] where quote >= 0 {
      let string = match.string(behind: Int(quote))
      let text = UnsafeRawBufferPointer(start: string.start, count: string.end - string.start)
      if countPlaceholder(text) { return }
    }
  }

  /// Notes numbers and words; false if one is none, or stands where only null is simple.
  @inline(never)
  private func readScalars(_ event: EventTemplates.Event, _ match: TemplateMatch) -> Bool {
    for index in 0..<Int(event.scalarCount) {
      let own = events.pointee.scalars[Int(event.firstScalar) + index]
      guard lines.read(own.scalar, match) else { return false }
      let isNull = lines.kinds[Int(own.scalar.leaf)] == ValueKind.missing
      if own.rule < 0 && !isNull && Int(own.scalar.leaf) != lines.leafCount { return false }
    }
    return true
  }

  @inline(__always)
  private func fillSlots(
    _ event: EventTemplates.Event, _ match: TemplateMatch, _ row: UnsafeMutablePointer<UInt32>,
    _ slotCount: Int
  ) -> Bool {
    clear(row, slotCount)
    let wanted = events.pointee.wanted.start + Int(event.firstWanted)
    var next = 0
    while true {
      next &+= scan_codes(
        way, match.base, match.quotes, wanted + next, Int(event.wantedCount) &- next, row)
      if next == Int(event.wantedCount) { break }
      guard fillSlot(wanted[next], match, row) else { return false }
      next &+= 1
    }
    if event.scalarCount > 0 { fillScalarSlots(event, row) }
    let constants = state.pointee.constants
    for index in 0..<constants.count {
      let constant = constants[index].pointee
      if constant.code != 0 { row[constant.slot] = constant.code }
    }
    return row[state.pointee.eventSlot] != 0
  }

  /// A value that is empty, long, or was not seen lately; false if it should be the event's name
  /// and is empty. That comes first: values of a line that is no event take no places in tables.
  @inline(never)
  private func fillSlot(
    _ wanted: scan_wanted, _ match: TemplateMatch, _ row: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    let text = match.string(behind: Int(wanted.quote))
    let count = text.end - text.start
    if count == 0 { return Int(wanted.slot) != state.pointee.eventSlot }
    let code = code(state.pointee.slotRules[Int(wanted.rule)], text.start, count)
    row[Int(wanted.slot)] = code
    if count > ValueCache.maximumBytes { return true }
    wanted.known[scan_known_place(text.start, text.end)] = ValueCache.known(text.start, count, code)
    return true
  }

  @inline(never)
  private func fillScalarSlots(
    _ event: EventTemplates.Event, _ row: UnsafeMutablePointer<UInt32>
  ) {
    for index in 0..<Int(event.scalarCount) {
      let own = events.pointee.scalars[Int(event.firstScalar) + index]
      if own.rule < 0 { continue }
      let rule = state.pointee.slotRules[own.rule]
      let leaf = rule.pointee.leaf
      let kind = lines.kinds[leaf]
      if kind == ValueKind.missing { continue }
      let code = code(rule, leaf, kind)
      if code != 0 { row[rule.pointee.slot] = code }
    }
  }
}
