import FlowDefinition

/// Writes records as lines of JSON, byte by byte.
struct LineWriter {
  let world: World
  let tables: LineTables
  let cards: [PersonCard]
  let buffer: LineBuffer

  /// What the ids are hashed with, so that no two kinds of id are alike.
  private enum Domain: UInt64 {
    case user = 1
    case device, secondDevice, session, message, habit
  }

  func write(_ record: EventRecord) {
    var record = record
    if world.plan.wholeSeconds { record.time -= record.time % 1_000 }
    if record.kind == .broken {
      writeBroken(record)
    } else {
      writeLine(record, nil)
    }
    buffer.append(10)
  }

  private func writeLine(_ record: EventRecord, _ damage: BrokenLine?) {
    let start = buffer.count
    writeCanonical(record, damage)
    if world.plan.format != .canonical { tellAgain(record, damage, from: start) }
  }

  /// Puts the vendor's line in the place of the canonical one.
  private func tellAgain(_ record: EventRecord, _ damage: BrokenLine?, from start: Int) {
    let badTimes: [BrokenLine?] = [.missingTimestamp, .badTimestamp, .timestampOutOfRange]
    let line = unsafe buffer.withBytes { unsafe Array($0[start...]) }
    let told = VendorLine(
      world.plan.format, line, time: record.time, isWholeSeconds: world.plan.wholeSeconds,
      hasBadTime: badTimes.contains(damage), person: record.person)
    buffer.truncate(to: start)
    buffer.append(told.bytes)
  }

  private func writeCanonical(_ record: EventRecord, _ damage: BrokenLine?) {
    let habit = hash(.habit, record, 0)
    writeName(record, damage)
    append(",\"message_id\":\"")
    appendIdentifier(.message, record, UInt64(record.sequence))
    buffer.append(34)
    writeIdentifiers(record, damage, habit)
    writeTimestamp(record, damage, habit)
    writeDesign(record, habit)
    append(",\"properties\":{")
    writeProperties(record)
    buffer.append(125)
    writeContext(record)
  }

  private func writeName(_ record: EventRecord, _ damage: BrokenLine?) {
    guard damage != .missingEvent else {
      append(record.b % 2 == 0 ? "{\"event\":null" : "{\"event\":\"\"")
      return
    }
    append("{\"event\":")
    if damage == .invalidUTF8 {
      buffer.append([34, 97, 112, 112, 95, 0xC3, 0x28, 0xFF, 34])
      return
    }
    switch record.kind {
    case .started: append("\"onboarding_started\"")
    case .viewed: append("\"onboarding_page_viewed\"")
    case .stepSkipped: append("\"onboarding_step_skipped\"")
    case .skipped: append("\"onboarding_skipped\"")
    case .completed: append("\"onboarding_completed\"")
    case .prompted: append("\"permission_prompted\"")
    case .result: append("\"permission_result\"")
    case .happening: buffer.append(tables.templateNames[Int(record.a)])
    case .activity: buffer.append(tables.activityNames[Int(record.a)])
    case .broken: append("\"app_opened\"")
    }
  }

  private func writeIdentifiers(_ record: EventRecord, _ damage: BrokenLine?, _ habit: UInt64) {
    if damage == .missingId {
      if record.b % 2 == 0 {
        append(",\"user_id\":\"\",\"device_id\":\"00000000-0000-0000-0000-000000000000\"")
      }
      return
    }
    if record.identity.contains(.user) {
      append(",\"user_id\":\"")
      appendIdentifier(.user, record, 0)
      buffer.append(34)
    } else if habit % 3 == 0 {
      append(",\"user_id\":null")
    }
    if record.identity.contains(.device) {
      append(",\"device_id\":\"")
      appendIdentifier(record.identity.contains(.secondDevice) ? .secondDevice : .device, record, 0)
      buffer.append(34)
    }
    append(",\"session_id\":\"")
    appendIdentifier(.session, record, UInt64(record.session))
    buffer.append(34)
  }

  /// Most apps write UTC with milliseconds; some an offset, more digits, or a number.
  private func writeTimestamp(_ record: EventRecord, _ damage: BrokenLine?, _ habit: UInt64) {
    let variant = Int(record.b) % 4
    switch damage {
    case .missingTimestamp:
      if variant % 2 == 0 { append(",\"timestamp\":null") }
      return
    case .badTimestamp:
      buffer.append(Array((",\"timestamp\":" + BrokenLine.badTimestamps[variant]).utf8))
      return
    case .timestampOutOfRange:
      buffer.append(Array((",\"timestamp\":" + BrokenLine.timestampsOutOfRange[variant]).utf8))
      return
    default: break
    }
    append(",\"timestamp\":")
    let form = (habit >> 8) % 100
    if form < 3 {
      buffer.append(number: record.time)
      return
    }
    let shown = form < 6 ? record.time + 7_200_000 : record.time
    buffer.append(34)
    appendTime(shown)
    if form >= 97 { append("000") }
    append(form < 6 ? "+02:00\"" : "Z\"")
  }

  private func appendTime(_ time: Int64) {
    let day = DayClock.floor(time, World.day)
    let date = CivilDate(day: day)
    let rest = time - day * World.day
    buffer.append(number: date.year, width: 4)
    buffer.append(45)
    buffer.append(number: date.month, width: 2)
    buffer.append(45)
    buffer.append(number: date.day, width: 2)
    buffer.append(84)
    buffer.append(number: rest / 3_600_000, width: 2)
    buffer.append(58)
    buffer.append(number: rest / 60_000 % 60, width: 2)
    buffer.append(58)
    buffer.append(number: rest / 1_000 % 60, width: 2)
    buffer.append(46)
    buffer.append(number: rest % 1_000, width: 3)
  }

  /// Flow and version on the onboarding's own events, the variants on all.
  private func writeDesign(_ record: EventRecord, _ habit: UInt64) {
    let card = cards[Int(record.person)]
    switch record.kind {
    case .happening: buffer.append(tables.templateFlows[Int(record.a)])
    case .activity, .broken: break
    default: buffer.append(tables.flows[world.arms[Int(card.arm)].version])
    }
    guard card.combination != PersonCard.none else { return }
    var combination = Int(card.combination)
    if record.identity.contains(.otherVariant) { combination = tables.others[combination] }
    let asMap = (habit >> 16) % 10 == 0
    buffer.append(asMap ? tables.variantMaps[combination] : tables.variants[combination])
  }

  private func writeContext(_ record: EventRecord) {
    let card = cards[Int(record.person)]
    var codes = card.context
    if record.identity.contains(.updated) { codes[ContextModel.appVersion] = card.updatedVersion }
    let isKnown = record.identity.contains(.user)
    for (field, before) in tables.contextBefore.enumerated() {
      buffer.append(before)
      let code = Int(codes[field])
      let values = tables.contextValues[field]
      let isTold = code < values.count && (isKnown || !tables.isKnownLater[field])
      if isTold { buffer.append(values[code]) } else { append("null") }
    }
    buffer.append(tables.contextAfter)
  }

  private func writeBroken(_ record: EventRecord) {
    let variant = Int(record.b)
    guard let damage = BrokenLine(rawValue: record.a) else { return }
    switch damage {
    case .notAnObject:
      buffer.append(Array(BrokenLine.notObjects[variant % BrokenLine.notObjects.count].utf8))
    case .malformedJSON where variant % 3 != 0:
      buffer.append(Array(BrokenLine.notJSON[variant % BrokenLine.notJSON.count].utf8))
    case .malformedJSON:
      let start = buffer.count
      writeLine(record, nil)
      buffer.truncate(to: start + 20 + variant % 200)
    default:
      writeLine(record, damage)
    }
  }

  func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes in unsafe buffer.append(bytes) }
  }

  private func appendIdentifier(_ domain: Domain, _ record: EventRecord, _ number: UInt64) {
    let high = hash(domain, record, number)
    buffer.append(uuid: high, SplitMix.mixed(high ^ 0xA5A5_5A5A_0F0F_F0F0))
  }

  private func hash(_ domain: Domain, _ record: EventRecord, _ number: UInt64) -> UInt64 {
    let base = SplitMix.mixed(world.plan.seed &* 31 &+ domain.rawValue)
    return SplitMix.mixed(base ^ (UInt64(record.person) << 24) ^ (number << 56 | number))
  }
}
