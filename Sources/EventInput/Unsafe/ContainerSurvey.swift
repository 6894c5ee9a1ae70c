/// Looks at the first objects of a file to find out how its events are packed.
@safe struct ContainerSurvey {
  /// What one object showed before it, or the bytes at hand, ended.
  struct Look {
    /// The first byte of each member's value; of an array that of its first item, behind a `[`.
    var members: [String: [UInt8]] = [:]
    /// Keys of the members that are objects themselves.
    var inner: [String: Set<String>] = [:]
    /// Keys of the objects in lists that may be events.
    var items: [String: Set<String>] = [:]
    /// The text of the member `type`.
    var type: String?
    /// What a change log says that happened to a row.
    var operation: String?
    /// A line ended in it, as only pretty-printed objects have it.
    var isOverLines = false
    /// A line ended where no JSON goes on: a line that is cut off.
    var isBroken = false
    var isClosed = false
    /// A list of objects stands under a wrapper's key, and no key of an event before it.
    var beginsList = false
    /// Under which keys such lists are looked for.
    var wrappers = EventContainer.wrappers
    /// CloudWatch asks a receiver whether it is there.
    var isControl = false
    var isMessage: Bool {
      type.map(EventContainer.messageTypes.contains) ?? false || isBulkAction
    }
    /// A line of Elasticsearch's bulk files that says what to do with the line behind it.
    var isBulkAction: Bool {
      guard let action = members.keys.first, members.count == 1,
        EventContainer.bulkActions.contains(action), members[action] == [UInt8(ascii: "{")]
      else { return false }
      return inner[action, default: []].isSubset(of: EventContainer.bulkKeys)
    }
  }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  mutating func finding(isWhole: Bool) -> EventContainer.Finding {
    let following = unsafe FollowingLines(bytes, isWhole: isWhole)
    var isBehindOthers = false
    while true {
      skipSpace()
      guard unsafe place < bytes.count else { break }
      // A byte-order mark, of which more is to come.
      if unsafe bytes[place] == 0xEF && bytes.count < 3 && !isWhole { return .open }
      let start = place
      switch unsafe bytes[place] {
      case UInt8(ascii: "["):
        if let finding = arrayFinding(following, isWhole: isWhole) { return finding }
      case UInt8(ascii: "{"):
        if let finding = objectFinding(
          following, isWhole: isWhole, isBehindOthers: isBehindOthers)
        {
          return finding
        }
        continue
      default: break
      }
      // A line that is no object says nothing of the others.
      guard start < FollowingLines.surveyedBytes,
        let feed = unsafe bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      else { break }
      place = feed + 1
      isBehindOthers = true
    }
    return unsafe isWhole || place < bytes.count ? .lines : .open
  }

  /// What an object at the root shows; `nil` for a connector's message of another kind, which may
  /// stand before its records.
  ///
  /// - Parameter isBehindOthers: whether lines that are no objects stand before it: then a
  ///   container takes evidence behind it.
  private mutating func objectFinding(
    _ following: FollowingLines, isWhole: Bool, isBehindOthers: Bool
  ) -> EventContainer.Finding? {
    let start = place
    let look = lookAtObject()
    let path = Self.envelope(look)
    let list = found(.lists(look.wrappers), false)
    if look.isBroken {
      return decided(
        following, at: start, orElse: .lines, look.beginsList ? list : found([], false))
    }
    guard look.isClosed else {
      guard isWhole else { return .open }
      if look.beginsList { return list }
      if Self.isSearch(look) { return found(EventContainer.searchHits, false) }
      if !look.isOverLines {
        return decided(
          following, at: start, orElse: hasItems(start) ? found([], false) : .lines,
          found([], false))
      }
      return decided(
        following, at: start, orElse: isBehindOthers ? .lines : found([], false),
        found([], false))
    }
    let end = place
    while unsafe place < bytes.count, unsafe bytes[place] == 0x20 || bytes[place] == 0x09 {
      place += 1
    }
    if unsafe place == bytes.count && !isWhole { return .open }
    let container = found([], path != nil)
    if look.isOverLines {
      let wrappers = path?.wrapperKeys
      if isValid(start..<end) { return wrappers.map { found(.lists($0), false) } ?? container }
      let broken = look.beginsList ? list : container
      return decided(following, at: start, orElse: broken, broken)
    }
    if unsafe place < bytes.count && bytes[place] == UInt8(ascii: "{") {
      return decided(following, at: start, orElse: container, container)
    }
    if path != nil { return found(nil, true) }
    let isFollowed = unsafe place < bytes.count && bytes[place] > 0x20
    if isFollowed || look.beginsList && !isValid(start..<end) {
      let joined = hasItems(start) ? found([], false) : .lines
      let usual = look.beginsList ? found(nil, true) : joined
      return decided(following, at: start, orElse: usual, usual)
    }
    if look.isBulkAction { return found(nil, true) }
    return look.isMessage ? nil : .lines
  }

  /// Whether a line whose first object is broken holds several objects one behind the other.
  private func hasItems(_ start: Int, withCommas: Bool = false) -> Bool {
    let end = unsafe bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    var openings = ItemOpenings()
    return unsafe openings.survey(
      UnsafeRawBufferPointer(rebasing: bytes[start..<end]), withCommas: withCommas) > 1
  }

  /// What an array at the root holds: its first item shows whether they are envelopes. `nil` where
  /// it holds no events.
  private mutating func arrayFinding(
    _ following: FollowingLines, isWhole: Bool
  ) -> EventContainer.Finding? {
    let start = place
    place += 1
    skipSpace()
    guard unsafe place < bytes.count else { return isWhole ? .lines : .open }
    // An export of a time without events.
    if unsafe bytes[place] == UInt8(ascii: "]"),
      unsafe bytes[(place + 1)...].allSatisfy({ $0 <= 0x20 })
    {
      return isWhole ? found([.each], true) : .open
    }
    // Events are objects: anything else is a line that happens to begin so, or a broken item.
    guard unsafe bytes[place] == UInt8(ascii: "{") else {
      guard let verdict = following.verdict(behind: start) else { return .open }
      let isArray =
        verdict == .container || verdict == .neither && hasItems(start, withCommas: true)
      return isArray ? found([.each], true) : nil
    }
    let item = place
    let look = lookAtObject()
    if !look.isClosed && !look.isBroken && !isWhole { return .open }
    // A broken item may have been an envelope.
    let container = found([.each], Self.envelope(look) != nil || !isValid(item..<place))
    return decided(following, at: start, orElse: look.isBroken ? .lines : container, container)
  }

  /// Decides by the lines behind the first one whether it begins a container or is a broken line.
  private mutating func decided(
    _ following: FollowingLines, at start: Int, orElse usual: EventContainer.Finding,
    _ container: EventContainer.Finding
  ) -> EventContainer.Finding {
    switch following.verdict(behind: start) {
    case nil: return .open
    case .neither: return usual
    case .container: return container
    case .lines: break
    }
    // Such lines may be envelopes.
    var line = following.firstWhole(behind: start)
    while let range = line {
      place = range.lowerBound
      let look = lookAtObject()
      if Self.envelope(look) != nil { return found(nil, true) }
      guard look.isMessage else { break }
      line = following.firstWhole(behind: range.lowerBound)
    }
    return .lines
  }

  /// Whether an object over several lines is valid JSON, which no broken line happens to be.
  private func isValid(_ range: Range<Int>) -> Bool { unsafe JSONText.isValid(bytes[range]) }

  private func found(
    _ path: [EventContainer.Component]?, _ opensEnvelopes: Bool
  ) -> EventContainer.Finding {
    .container(EventContainer(path: path, opensEnvelopes: opensEnvelopes))
  }

  /// What one line is: the path to the events in an envelope, or a connector's message that holds
  /// none; neither for an event, and for what is no object.
  mutating func contents() -> (
    path: ChangeMessage.Path?, isMessage: Bool, marked: (path: ChangeMessage.Path, mark: String)?
  ) {
    skipSpace()
    guard unsafe place < bytes.count, unsafe bytes[place] == UInt8(ascii: "{") else {
      return (nil, false, nil)
    }
    let start = place
    let look = lookAtObject()
    guard look.isClosed else {
      return (look.beginsList ? .lists(look.wrappers) : nil, false, nil)
    }
    let change = ChangeMessage(look)
    if change?.isOfNoRow == true { return (nil, true, nil) }
    if let change, change.isDeletion { return (nil, false, (change.deleted, ChangeMessage.gone)) }
    var path = Self.envelope(look)
    if path == nil, look.beginsList, !isValid(start..<place) { path = .lists(look.wrappers) }
    // Kafka's mark that a key is gone has no message.
    if case .member(let key)? = path?.last, look.members[key] == [UInt8(ascii: "n")] {
      return (nil, true, nil)
    }
    if look.isControl, path?.first == .member("logEvents") { return (nil, true, nil) }
    let isMessage =
      path == nil && look.isMessage && look.type != EventContainer.batchMessage
    let isUpdate = change?.isUpdate == true
    return (path, isMessage, isUpdate ? path.map { ($0, ChangeMessage.changed) } : nil)
  }

  /// Whether an object is Elasticsearch's answer to a search, or the beginning of one.
  private static func isSearch(_ look: Look) -> Bool {
    look.inner["hits"]?.contains("hits") == true
      && ["took", "_shards", "_scroll_id"].contains { look.members[$0] != nil }
  }

  /// The path from an object to the events in it; `nil` where it may be an event itself.
  private static func envelope(_ look: Look) -> [EventContainer.Component]? {
    let members = look.members
    let keys = Set(members.keys)
    func isObject(_ key: String) -> Bool { members[key]?.first == UInt8(ascii: "{") }
    if let member = EventContainer.packedMember(of: keys) { return [.member(member)] }
    if look.type == "RECORD", isObject("record") {
      // Singer names the stream beside the record, Airbyte in it.
      if keys.contains("stream") { return [.member("record")] }
      let record = look.inner["record"] ?? []
      return record.isSuperset(of: ["stream", "data"]) ? [.member("record"), .member("data")] : nil
    }
    if keys.contains("_source"), keys.contains("_index"), isObject("_source") {
      return [.member("_source")]
    }
    if isSearch(look) { return EventContainer.searchHits }
    if let change = ChangeMessage(look) { return change.path }
    if keys == ["schema", "payload"] { return [.member("payload")] }
    guard EventContainer.eventKeys.isDisjoint(with: keys) else { return nil }
    if keys.contains("messageType"), members["logEvents"]?.first == UInt8(ascii: "[") {
      return [.member("logEvents"), .each, .member("message")]
    }
    if members["events"]?.first == UInt8(ascii: "["), !keys.isDisjoint(with: SharedBatch.keys) {
      return SharedBatch.path
    }
    let isWrapper = EventContainer.wrappers.contains {
      members[$0] == Array("[{".utf8) || members[$0] == Array("[]".utf8)
    }
    if isWrapper { return .lists() }
    guard EventContainer.personKeys.isDisjoint(with: keys) else { return nil }
    let others = EventContainer.otherWrappers.filter { key in
      look.items[key].map(EventContainer.areOfEvents) ?? isEmptyPage(look, key)
    }
    return others.isEmpty ? nil : .lists(others)
  }

  /// Whether an object is the last one of several pages of events: a list of nothing, and what
  /// services write beside it.
  private static func isEmptyPage(_ look: Look, _ key: String) -> Bool {
    look.members[key] == Array("[]".utf8)
      && look.members.keys.allSatisfy { $0 == key || EventContainer.pageKeys.contains($0) }
  }
}

// Walking over JSON that may be cut off anywhere.
extension ContainerSurvey {
  /// Looks at the object at the position and skips it, or to the end of the bytes.
  private mutating func lookAtObject() -> Look {
    var look = Look()
    var open: [UInt8] = []
    var keys: [String] = []
    var expectsKey = false
    var hasFeed = false
    while unsafe place < bytes.count {
      let byte = unsafe bytes[place]
      if hasFeed && byte > 0x20 { look.isOverLines = true }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if open.count == 1, let key = keys.first {
          look.members[key] = start(at: place)
          look.beginsList = look.beginsList || Self.beginsList(look, at: key)
        }
        open.append(byte)
        expectsKey = byte == UInt8(ascii: "{")
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        open.removeLast()
        expectsKey = false
        if open.isEmpty {
          place += 1
          look.isClosed = true
          return look
        }
      case UInt8(ascii: "\""):
        guard let text = string() else {
          look.isBroken = unsafe place < bytes.count
          return look
        }
        note(text, isKey: expectsKey, depth: open.count, &keys, &look)
        continue
      case UInt8(ascii: ","): expectsKey = open.last == UInt8(ascii: "{")
      case UInt8(ascii: ":"): expectsKey = false
      case UInt8(ascii: "\n"):
        // Objects over several lines are indented: an object at the line's beginning is a line of
        // its own, behind one that is cut off.
        if unsafe place + 1 < bytes.count, unsafe bytes[place + 1] == UInt8(ascii: "{") {
          look.isBroken = true
          return look
        }
        hasFeed = true
      default:
        if open.count == 1, byte > 0x20, let key = keys.first, look.members[key] == nil {
          look.members[key] = [byte]
        }
      }
      place += 1
    }
    return look
  }

  private static func beginsList(_ look: Look, at key: String) -> Bool {
    // The first object may lack its bracket, or the list have one too many.
    guard EventContainer.wrappers.contains(key), let value = look.members[key],
      [Array("[{".utf8), Array("[\"".utf8), Array("[[".utf8)].contains(value)
    else { return false }
    return EventContainer.eventKeys.isDisjoint(with: look.members.keys)
  }

  private func note(
    _ text: String, isKey: Bool, depth: Int, _ keys: inout [String], _ look: inout Look
  ) {
    if isKey && depth == 1 {
      keys = [text]
    } else if isKey && depth == 2, let outer = keys.first {
      look.inner[outer, default: []].insert(text)
      keys = [outer, text]
    } else if isKey && depth == 3, let outer = keys.first, keys.count == 1,
      EventContainer.otherWrappers.contains(outer), look.members[outer] == Array("[{".utf8)
    {
      noteItem(text, of: outer, &look)
    } else if !isKey && depth == 2, keys.count == 2 {
      if ChangeMessage.operations.contains(keys) { look.operation = text }
    } else if !isKey && depth == 1, let key = keys.first, look.members[key] == nil {
      look.members[key] = [UInt8(ascii: "\"")]
      if key == "type" { look.type = text }
      if key == "op" { look.operation = text }
      if key == "messageType" { look.isControl = text == "CONTROL_MESSAGE" }
    }
  }

  /// Notes a key of an object in a list, whose keys show whether it is one of events.
  private func noteItem(_ key: String, of list: String, _ look: inout Look) {
    look.items[list, default: []].insert(key)
    if !look.beginsList, EventContainer.areOfEvents(look.items[list, default: []]),
      EventContainer.ownKeys.isDisjoint(with: look.members.keys)
    {
      look.beginsList = true
      look.wrappers = [list]
    }
  }

  /// The bracket of a container, and for an array the first byte inside of it.
  private func start(at place: Int) -> [UInt8] {
    guard unsafe bytes[place] == UInt8(ascii: "[") else { return unsafe [bytes[place]] }
    let next = unsafe bytes[(place + 1)...].first { $0 > 0x20 }
    return unsafe [bytes[place]] + (next.map { [$0] } ?? [])
  }

  /// The text at the position, without undoing escapes; `nil` if it isn't whole.
  private mutating func string() -> String? {
    var end = place + 1
    while unsafe end < bytes.count, unsafe bytes[end] != UInt8(ascii: "\"") {
      if unsafe bytes[end] == UInt8(ascii: "\n") { break }
      unsafe end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard unsafe end < bytes.count, unsafe bytes[end] == UInt8(ascii: "\"") else {
      place = unsafe min(end, bytes.count)
      return nil
    }
    defer { place = end + 1 }
    return unsafe String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while unsafe place < bytes.count, unsafe bytes[place] <= 0x20 { place += 1 }
  }
}
