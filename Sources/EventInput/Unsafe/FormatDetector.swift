/// What a file's first lines show.
struct DetectedFormat: Hashable {
  var name: EventFormat.Name
  /// The properties of some of them are a text of JSON.
  var hasTexts = false
  /// They are rows of a table, or have a table's columns.
  var hasColumns = false
  /// They were written as text without types.
  var isUntyped = false
  /// Which number is the month in its dates that end with the year, where they say it.
  var dayOrder: DayOrder?
  /// Some have ids by the canonical names, beside which a `distinct_id` is no user's id.
  var hasOwnIds = false
  /// Columns of a table that are spelt in another way than usual.
  var spelt = SpeltColumns()
  /// A call's names at its root are in small letters.
  var isInSmallLetters = false
  /// Names of the vendor's own begin with an underscore in place of the dollar sign.
  var hasUnderscores = false

  var format: EventFormat {
    var format = EventFormat.named(name)
    format.isUntyped = isUntyped
    if isInSmallLetters { format.takeSmallLetters() }
    if hasUnderscores { format.takeUnderscores() }
    if hasOwnIds { format.leavesOutDistinctIds() }
    format.take(spelt)
    format.dayOrder = dayOrder
    if hasColumns && name != .canonical { format = format.withColumns() }
    return hasTexts ? format.withTexts() : format
  }
}

/// Recognises a file's format by the fields that its first lines have.
final class FormatDetector {
  /// Lines that are looked at.
  private static let lineCount = 20

  /// Places in an event, with a slash between the keys.
  private enum Field: String, CaseIterable {
    case event, type, id, messageId, anonymousId, userId, originalTimestamp, rudderId, channel, uuid
    case properties, timestamp, name, batch, permission
    case requestIP = "request_ip", eventType = "event_type", eventTime = "event_time"
    case amplitudeId = "amplitude_id", mergedAmplitudeId = "merged_amplitude_id"
    case insertId = "$insert_id", eventProperties = "event_properties", time = "properties/time"
    case innerDistinctId = "properties/distinct_id", distinctId = "distinct_id"
    case personId = "person_id", eventName = "event_name", eventTimestamp = "event_timestamp"
    case eventParams = "event_params", userPseudoId = "user_pseudo_id", outerTime = "time"
    case receivedAt = "received_at", originalTime = "original_timestamp"
    case columnAnonymousId = "anonymous_id", eventText = "event_text"
    case collectorTime = "collector_tstamp", unstructuredEvent = "unstruct_event"
    case dataTime = "data/timestamp_unixtime_ms", eventTableName = "event_table_name"
    case pageName = "page_name", outerContext = "context", userProperties = "user_properties"
    case plainUserId = "user_id", deviceId = "device_id", camelDeviceId = "deviceId"
    case elasticTime = "@timestamp", camelEventTime = "eventTime", camelEventName = "eventName"
    case createdAt = "created_at", wrappedTime = "timestamp/$date", plainInsertId = "_insert_id"
    case clientTime = "client_event_time", serverTime = "server_received_time"
    case clientId = "client_id", uploadTime = "client_upload_time", versionName = "version_name"
    case uuidTime = "uuid_ts", loadedAt = "loaded_at", previousId = "previous_id"
    case libraryName = "context_library_name"
    case deviceFamily = "device_family", dottedTime = "properties.time"
    case dottedDistinctId = "properties.distinct_id", joinedTime = "properties_time"
    case joinedDistinctId = "properties_distinct_id"
    case customerUserId = "customer_user_id", appsFlyerId = "appsflyer_id", adid
    case activityKind = "activity_kind"
    case smallMessageId = "messageid", smallAnonymousId = "anonymousid"
    case smallOriginalTime = "originaltimestamp", externalUserId = "external_user_id"
    case innerExternalUserId = "user/external_user_id", appGroupId = "app_group_id"
    case doubleTime = "properties__time", doubleDistinctId = "properties__distinct_id"
    case loadedDevice = "properties/_device_id", loadedInsert = "properties/_insert_id"
    case loadedLibrary = "properties/_lib", dottedDevice = "properties._device_id"
    case dottedInsert = "properties._insert_id", dottedLibrary = "properties._lib"
    case joinedDevice = "properties__device_id", joinedInsert = "properties__insert_id"
    case joinedLibrary = "properties__lib"

    var path: [String] { rawValue.split(separator: "/").map(String.init) }
  }

  private let memory: ScanMemory
  private let leaves: [Field: Int]

  init() {
    let paths = Field.allCases.map(\.path)
    let plan = ScanPlan(
      fields: paths.map { FieldRule(path: $0, role: .session) }, tables: [], slotTables: [],
      eventSlot: 0)
    memory = ScanMemory(plan: plan, key: .fixed)
    leaves = Dictionary(uniqueKeysWithValues: zip(Field.allCases, memory.leaves(of: paths)))
  }

  /// The format that most of the block's first lines look like; of equals, and without any, the
  /// one that comes first in the list of names.
  ///
  /// - Parameter asked: the format that the lines are in, whatever they look like.
  func format(of block: LineBlock, asked: EventFormat.Name? = nil) -> DetectedFormat {
    guard case .lines = block.kind else { return DetectedFormat(name: asked ?? .canonical) }
    var votes: [EventFormat.Name: Int] = [:]
    var hasOwnIds = false
    var (hasTexts, isFlat, hasPages, hasProperties) = (false, false, false, false)
    var (hasSmallNames, hasUnderscores) = (false, false)
    _ = hasObject(in: block, ofFirst: Self.lineCount) {
      if let name = look() { votes[name, default: 0] += 1 }
      hasTexts = hasTexts || Self.objects.contains(where: holdsObject)
      isFlat = isFlat || Self.columns.contains(where: has)
      hasPages = hasPages || has(.pageName) || has(.permission)
      hasProperties = hasProperties || Self.holders.contains(where: has)
      hasOwnIds = hasOwnIds || hasOwnId
      hasSmallNames = hasSmallNames || isCallInSmallLetters
      hasUnderscores = hasUnderscores || Self.loaded.contains(where: has)
      return false
    }
    let most = votes.values.max() ?? 0
    var name = EventFormat.Name.allCases.first { votes[$0] == most && most > 0 } ?? .canonical
    let hasColumns = block.isTable || hasFlattenedKeys(in: block, besideProperties: hasProperties)
    // Events without properties beside whose names stand those of pages, or ids by other names than
    // the canonical ones, are rows of a table.
    if name == .canonical, hasColumns || isFlat && !hasProperties { name = .table }
    // So are those that a tool's names of ids and times are left of, as queries flatten exports.
    if Self.nested.contains(name), hasPages && !hasProperties && !hasColumns { name = .table }
    name = asked ?? name
    return DetectedFormat(
      name: name, hasTexts: hasTexts, hasColumns: hasColumns || name == .table,
      isUntyped: block.isUntyped, hasOwnIds: hasOwnIds && name == .table,
      spelt: name == .table ? spelt(in: block) : SpeltColumns(),
      isInSmallLetters: hasSmallNames && (name == .segment || name == .rudderstack),
      hasUnderscores: hasUnderscores && (name == .mixpanel || name == .posthog))
  }

  /// Names of Mixpanel's and PostHog's own as loaders write them that take no dollar sign.
  private static let loaded: [Field] = [
    .loadedDevice, .loadedInsert, .loadedLibrary, .dottedDevice, .dottedInsert, .dottedLibrary,
    .joinedDevice, .joinedInsert, .joinedLibrary,
  ]

  /// What holds the properties of events that have them in an object.
  private static let holders: [Field] = [.properties, .eventProperties, .eventParams]

  /// Formats whose events have their properties in one of these.
  private static let nested: Set<EventFormat.Name> = [.segment, .rudderstack, .amplitude, .ga4]

  /// What stands beside an event's name only in rows.
  private static let columns: [Field] = [
    .pageName, .permission, .columnAnonymousId, .anonymousId, .userId, .camelDeviceId, .messageId,
  ]

  /// What may be a text of JSON.
  private static let objects: [Field] = [
    .properties, .eventProperties, .userProperties, .eventParams, .outerContext,
  ]

  /// Whether one of the block's lines has what some format's events have. Of a table more is
  /// wanted, for most tables are of something else: the name of an event and a time, in columns
  /// that are called so.
  func recognisesEvents(in block: LineBlock) -> Bool {
    hasObject(in: block, ofFirst: .max) { block.isTable ? looksLikeRow() : look() != nil }
      || spelt(in: block).isOfEvents
  }

  private func spelt(in block: LineBlock) -> SpeltColumns {
    block.isTable ? SpeltColumns(block.columnsOfFirstRow ?? []) : SpeltColumns()
  }

  /// Whether the first lines are rows whose keys lead into objects: `"properties.page_name":…`, as
  /// pandas flattens JSON, or `"properties_page_name":…` where no object says otherwise.
  private func hasFlattenedKeys(in block: LineBlock, besideProperties: Bool) -> Bool {
    let separators = besideProperties ? ["."] : [".", "_"]
    let marks = separators.flatMap { ["\"properties\($0)", "\"event_properties\($0)"] }
      .map { Array($0.utf8) }
    let end = unsafe block.start + block.count
    var (line, left) = unsafe (block.start, Self.lineCount)
    while unsafe line < end, left > 0 {
      let next = unsafe LineScanner.lineFeed(line, end)
      let text = unsafe UnsafeBufferPointer(start: line, count: max(0, next - line))
      for place in text.indices where unsafe text[place] == UInt8(ascii: "\"") {
        let rest = unsafe text[place...]
        guard marks.contains(where: { unsafe rest.starts(with: $0) }) else { continue }
        // An event may be called so, too.
        let behind = unsafe rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
        if unsafe behind.first(where: { $0 > 0x20 }) == UInt8(ascii: ":") { return true }
      }
      unsafe line = next + 1
      left -= 1
    }
    return false
  }

  /// The names of the events in a block of a table of Segment's.
  func eventNames(in block: LineBlock) -> Set<String> {
    var names: Set<[UInt8]> = []
    var last: [UInt8] = []
    _ = hasObject(in: block, ofFirst: .max) {
      let lines = memory.scanner.lines
      let leaf = leaf(has(.event) ? .event : .eventText)
      guard unsafe lines.kinds[leaf] != ValueKind.missing else { return false }
      let (start, count) = unsafe (lines.starts[leaf], lines.ends[leaf] - lines.starts[leaf])
      let name = unsafe UnsafeBufferPointer(start: start, count: count)
      if unsafe !name.elementsEqual(last) {
        last = unsafe Array(name)
        names.insert(last)
      }
      return false
    }
    return Set(names.map { String(decoding: $0, as: UTF8.self) })
  }

  /// Walks the objects in a block's first lines, until one is what is looked for.
  private func hasObject(
    in block: LineBlock, ofFirst lineCount: Int, where isWanted: () -> Bool
  ) -> Bool {
    let lines = memory.scanner.lines
    let end = unsafe block.start + block.count
    var (line, left) = unsafe (block.start, lineCount)
    while unsafe line < end, left > 0 {
      let first = unsafe lines.lexer.skipSpace(line)
      if unsafe first.pointee == UInt8(ascii: "{"),
        unsafe lines.scanObject(first, node: 0, depth: 1) != nil,
        isWanted()
      {
        return true
      }
      unsafe line = LineScanner.lineFeed(line, end) + 1
      left -= 1
    }
    return false
  }

  private func looksLikeRow() -> Bool {
    let isNamed = [.event, .eventName, .eventType, .eventText, .eventTableName].contains(
      where: has)
    // A customer or a product has a name, too, and a call is one by its `type`.
    let isNamedByVendor =
      isBrazeEvent || (has(.name) && has(.distinctId))
      || (has(.type) && (has(.messageId) || has(.anonymousId)))
    let times: [Field] = [
      .timestamp, .eventTime, .eventTimestamp, .outerTime, .receivedAt, .collectorTime,
      .originalTimestamp,
    ]
    return (isNamed || isNamedByVendor) && (times + Self.innerTimes).contains(where: has)
  }

  /// Where Mixpanel's times and ids stand, in objects and flattened.
  private static let innerTimes: [Field] = [.time, .dottedTime, .joinedTime, .doubleTime]
  private static let innerIds: [Field] = [
    .innerDistinctId, .dottedDistinctId, .joinedDistinctId, .doubleDistinctId,
  ]

  /// Whether a field is a text that begins like an object, or like a list of them, or is a text of
  /// such a text.
  private func holdsObject(_ field: Field) -> Bool {
    let leaf = leaf(field)
    let kind = unsafe memory.scanner.lines.kinds[leaf]
    guard kind == ValueKind.string || kind == ValueKind.escapedString else { return false }
    var text = unsafe memory.scanner.lines.starts[leaf]
    let count = unsafe memory.scanner.lines.ends[leaf] - text
    guard count > 0 else { return false }
    // A text within the text opens with a quotation mark that is escaped.
    if count > 2, unsafe text.pointee == UInt8(ascii: "\\"),
      unsafe text[1] == UInt8(ascii: "\"")
    {
      unsafe text += 2
    }
    return unsafe text.pointee == UInt8(ascii: "{")
      || field == .eventParams && text.pointee == UInt8(ascii: "[")
  }

  /// What the line that was just walked looks like.
  private func look() -> EventFormat.Name? {
    if has(.batch) && has(.eventType) && has(.dataTime) { return .mparticle }
    if has(.eventName), has(.collectorTime) || has(.unstructuredEvent) { return .snowplow }
    if has(.eventName), has(.eventTimestamp),
      has(.userPseudoId) || has(.eventParams) || has(.userProperties)
    {
      return .ga4
    }
    // A table of another tool, whose ids Amplitude has no name for.
    let isAnonymous = has(.columnAnonymousId) || has(.anonymousId)
    // Loggers write `event_type` and `event_time` beside names of the app's own.
    let isOthers =
      isAnonymous || has(.event) && has(.timestamp) && hasOwnId || has(.clientId) && !hasOwnId
    let isOwn = Self.ofAmplitude.contains(where: has)
    let isDated = has(.eventTime) && isOwn || isSentToAmplitude
    if has(.eventType), has(.amplitudeId) || has(.insertId) || isDated && !isOthers {
      return .amplitude
    }
    if has(.amplitudeId) && has(.mergedAmplitudeId) { return .amplitude }
    if isBrazeEvent { return .braze }
    if isSegmentCall || isCallInSmallLetters {
      return has(.rudderId) || has(.channel) || has(.requestIP) ? .rudderstack : .segment
    }
    let isNamed = has(.name) || has(.event) || has(.eventName)
    if isNamed && has(.outerTime) && has(.distinctId) && !has(.timestamp) {
      return .mixpanelTable
    }
    if isUnnamedCall { return .segmentTables }
    guard has(.event) else { return looksFlat ? .table : nil }
    if has(.receivedAt), has(.columnAnonymousId) || has(.originalTime) || has(.eventText) {
      return .segmentTables
    }
    // PostHog has no other ids at the root, and canonical events may have its beside theirs.
    // What is sent to it may have that id among the properties, and no other is there then.
    let isSent = has(.innerDistinctId) && !has(.userId) && !has(.camelDeviceId)
    let isExported = has(.distinctId) && (has(.timestamp) || has(.uuid))
    if isExported || isSent && has(.timestamp), !hasOwnId { return .posthog }
    // Only Mixpanel has the time in the properties, which may be a text.
    let isMixpanels = (Self.innerTimes + Self.innerIds).contains(where: has)
    if !has(.timestamp), isMixpanels || holdsObject(.properties) { return .mixpanel }
    if has(.timestamp) {
      // Ids in the other spelling are no canonical event's.
      let isSpelt = !hasOwnId && (has(.userId) || has(.camelDeviceId))
      return has(.wrappedTime) || isSpelt ? .table : .canonical
    }
    return looksFlat ? .table : nil
  }

  /// What is sent to Amplitude has other names for the time and the event's id than what it
  /// exports. Others' rows have such names, too, and what says more beside them.
  private var isSentToAmplitude: Bool {
    let leaf = leaf(.eventProperties)
    guard has(.outerTime), !Self.columns.contains(where: has),
      unsafe memory.scanner.lines.kinds[leaf] == ValueKind.container
    else { return false }
    return unsafe memory.scanner.lines.ends[leaf] - memory.scanner.lines.starts[leaf] > 2
  }

  /// What Amplitude's events have beside a type and a time, which many tables have.
  private static let ofAmplitude: [Field] = [
    .eventProperties, .userProperties, .plainInsertId, .clientTime, .serverTime, .uploadTime,
    .versionName, .deviceFamily,
  ]

  /// Whether the line has an id where canonical events have theirs.
  private var hasOwnId: Bool { has(.plainUserId) || has(.deviceId) }

  /// Whether the line is a call of Segment's spec. Its ids are `userId` and `anonymousId`: events
  /// that name a device, or have ids in the canonical spelling, are somebody's own, whatever they
  /// call the id of the event.
  private var isSegmentCall: Bool {
    guard has(.type) || has(.event), !has(.camelDeviceId), !hasOwnId else { return false }
    return has(.messageId) || has(.anonymousId) || has(.userId) || has(.originalTimestamp)
  }

  /// Whether it is such a call, as warehouses write it whose names are in small letters.
  private var isCallInSmallLetters: Bool {
    let names: [Field] = [.smallMessageId, .smallAnonymousId, .smallOriginalTime]
    return (has(.type) || has(.event)) && names.contains(where: has) && !hasOwnId
      && !has(.messageId) && !has(.anonymousId)
  }

  /// Whether the line is an event of Braze's Currents: with seconds, and with an id that only Braze
  /// calls so.
  private var isBrazeEvent: Bool {
    let ids: [Field] = [.externalUserId, .innerExternalUserId, .appGroupId]
    return has(.id) && has(.outerTime) && !has(.timestamp) && !has(.event) && !has(.eventName)
      && ids.contains(where: has)
  }

  /// Whether the line is of a table of Segment's that has no column for the event's name.
  private var isUnnamedCall: Bool {
    let names: [Field] = [.event, .eventName, .eventType, .eventText, .eventTableName]
    let own: [Field] = [.originalTime, .uuidTime, .loadedAt, .previousId, .libraryName]
    return has(.id) && has(.receivedAt) && has(.columnAnonymousId) && own.contains(where: has)
      && !names.contains(where: has)
  }

  /// Whether a line that is no tool's has the name of an event, a time and somebody's id, by names
  /// that tables' columns have.
  ///
  /// A `name` is none: customers and products have one, and were made or seen at some time, too.
  private var looksFlat: Bool {
    let names: [Field] = [
      .event, .eventName, .eventType, .camelEventName, .eventTableName, .activityKind,
    ]
    let times: [Field] = [
      .timestamp, .eventTime, .eventTimestamp, .outerTime, .elasticTime, .camelEventTime,
      .createdAt,
    ]
    let people: [Field] = [
      .plainUserId, .userId, .distinctId, .deviceId, .camelDeviceId, .anonymousId,
      .columnAnonymousId, .userPseudoId, .clientId, .customerUserId, .appsFlyerId, .adid,
    ]
    return [names, times, people].allSatisfy { $0.contains(where: has) }
  }

  private func leaf(_ field: Field) -> Int { leaves[field] ?? 0 }

  private func has(_ field: Field) -> Bool {
    unsafe memory.scanner.lines.kinds[leaf(field)] != ValueKind.missing
  }
}
