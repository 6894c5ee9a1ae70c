/// Takes the bytes of a container as they come and gives its events, one a line.
///
/// It follows brackets, strings and the keys on the way to the events, and checks nothing else:
/// whether an event is valid JSON is seen when its line is read. Line feeds between an event's
/// tokens become spaces, so that no event goes over several lines.
///
/// An item that lacks a quote or bracket would take in all that follows it. It is cut off before
/// the next line that is an item by itself (`ItemLines`), and where an item's first bytes stand in
/// a place that no object fits (`ItemOpenings`). One that lacks its first bracket, and what is left
/// of one that had a bracket too many, ends at the next bracket that closes it.
struct ContainerWalker {
  /// A container on the way to the events.
  struct Level {
    var isObject: Bool
    /// Whether a bracket or a comma was the last byte.
    var expectsKey: Bool
    /// Whether a key was read, and its value wasn't.
    var expectsValue = false
    /// Whether the member at hand is the one that leads on; always so in an array.
    var leadsOn: Bool
  }

  enum Activity {
    /// Between values, on the way to the events.
    case walking
    case key
    /// Inside an event, or inside a value that holds none.
    case event, passedOver
    /// Inside an event that is a text of JSON.
    case text
  }

  let path: [EventContainer.Component]
  var levels: [Level] = []
  var activity = Activity.walking
  /// Brackets that are open inside an event or a value that is passed over.
  var open: [UInt8] = []
  /// The last byte of an event that is neither white space nor inside a string.
  var lastToken: UInt8 = 0
  var isInString = false
  /// Bytes of an escape so far, the backslash first.
  var escape: [UInt8] = []
  private var key: [UInt8] = []
  var lines = ItemLines()
  var openings = ItemOpenings()
  /// Those of the objects at the root, where they wrap lists of events.
  var wrapperOpenings = ItemOpenings()
  /// What may be an item by itself, or the opening of one, inside a value that is open; empty
  /// outside of one.
  var candidate: [UInt8] = []
  var isOpening = false
  /// Whether an item that is a text has ended, unless a colon follows: then it is the first key of
  /// one that lacks its bracket.
  var mayBeKey = false
  /// An object at the root without a list of events so far: it may be an event itself.
  var unlisted: [UInt8] = []
  /// Items that were cut off, because one began before they ended.
  var unclosedItems = 0
  /// Whether a bracket did not fit the one that it should close.
  var isMismatched = false
  var hasArrived = false

  /// A longer key is none of those that lead on.
  private static let maximumKeyBytes = 64
  /// A longer line is not looked at as a whole.
  static let maximumCandidateBytes = 1 << 20

  /// - Parameter beginning: bytes that show how items begin, should the first one be broken.
  init(_ path: [EventContainer.Component], beginning: UnsafeRawBufferPointer? = nil) {
    self.path = path
    guard let beginning = unsafe beginning else { return }
    let wrappers = path.wrapperKeys
    unsafe openings.survey(beginning, wrappers: wrappers ?? EventContainer.wrappers)
    if let wrappers {
      unsafe wrapperOpenings.survey(beginning, wrappers: wrappers, ofWrappers: true)
    }
  }

  /// Whether the bytes may end here.
  var isComplete: Bool { levels.isEmpty && (activity == .walking || mayBeKey) }
  /// Whether an event was begun and is not whole.
  var isInEvent: Bool { activity == .event || activity == .text }

  /// Forgets what was begun: bytes are lost here.
  mutating func reset() {
    let (openings, wrapperOpenings) = (openings, wrapperOpenings)
    self = unsafe ContainerWalker(path)
    (self.openings, self.wrapperOpenings) = (openings, wrapperOpenings)
  }

  mutating func forgetDamage() {
    isMismatched = false
    unclosedItems = 0
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    var place = 0
    while place < bytes.count {
      let run = unsafe plainRun(bytes, from: place)
      if !run.isEmpty {
        if activity == .event { unsafe output.append(contentsOf: bytes[run]) }
        if !isInString { lastToken = unsafe bytes[run].last { $0 != 0x20 } ?? lastToken }
        lines.passText()
        place = run.upperBound
        if place == bytes.count { return }
      }
      unsafe look(at: bytes[place], &output)
      place += 1
    }
  }

  /// Bytes of a text, a word or a number inside a value, which change nothing: the usual case.
  private func plainRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
    var end = start
    guard activity == .event || activity == .passedOver, candidate.isEmpty, !mayBeKey,
      escape.isEmpty, unlisted.isEmpty, !lines.isAtLineStart, !open.isEmpty,
      !openings.isCollecting, !wrapperOpenings.isCollecting
    else { return start..<start }
    if isInString {
      while end < bytes.count, unsafe !Self.isTelling(inText: bytes[end]) { end += 1 }
    } else {
      while end < bytes.count, unsafe !Self.isTelling(bytes[end]) { end += 1 }
    }
    return start..<end
  }

  private static func isTelling(inText byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "{")
  }

  /// A line feed, a quote, a comma or a bracket; a few others fit the mask, which costs no more
  /// than their run.
  private static func isTelling(_ byte: UInt8) -> Bool {
    byte <= 0x22 && byte != 0x20 || byte == UInt8(ascii: ",") || byte & 0xD9 == 0x59
  }

  /// Takes a byte, unless it has to be seen first whether an item begins with it.
  mutating func look(at byte: UInt8, _ output: inout [UInt8]) {
    if !candidate.isEmpty {
      candidate.append(byte)
      if isOpening { return judgeOpening(&output) }
      let isLine = byte == UInt8(ascii: "\n")
      if isLine || candidate.count > Self.maximumCandidateBytes { endCandidate(&output) }
    } else if byte == UInt8(ascii: "{"), mayBeCut {
      isOpening = !(lines.mayBeginItem && isInLineOfItems)
      candidate.append(byte)
    } else {
      take(byte, &output)
    }
  }

  mutating func take(_ byte: UInt8, _ output: inout [UInt8]) {
    defer { lines.pass(byte) }
    if wrapperOpenings.isCollecting {
      wrapperOpenings.pass(byte)
      if !wrapperOpenings.isCollecting { wrapperOpenings.endItem() }
    }
    if !unlisted.isEmpty, unlisted.count < Self.maximumCandidateBytes {
      unlisted.append(byte == UInt8(ascii: "\n") ? 0x20 : byte)
    }
    switch activity {
    case .walking: walk(byte, &output)
    case .key: takeKey(byte)
    case .text: takeText(byte, &output)
    case .event, .passedOver: takeValue(byte, &output)
    }
  }

  mutating func walk(_ byte: UInt8, _ output: inout [UInt8]) {
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ":"): break
    case UInt8(ascii: ","):
      if let last = levels.indices.last { levels[last].expectsKey = levels[last].isObject }
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte, &output)
    case UInt8(ascii: "\"") where levels.last.map { $0.isObject && !$0.expectsValue } == true:
      key.removeAll(keepingCapacity: true)
      activity = .key
    default: begin(byte, &output)
    }
  }

  /// A container on the way ends. A bracket that doesn't fit is passed over, and what follows it
  /// counts.
  private mutating func close(_ byte: UInt8, _ output: inout [UInt8]) {
    if let last = levels.last, last.isObject == (byte == UInt8(ascii: "}")) {
      levels.removeLast()
      if levels.isEmpty { endUnlisted(&output) }
    } else {
      isMismatched = true
    }
  }

  /// A value begins.
  private mutating func begin(_ byte: UInt8, _ output: inout [UInt8]) {
    let isMisplaced = hasArrived && levels.last.map { $0.isObject && !$0.expectsValue } == true
    if let last = levels.indices.last { levels[last].expectsValue = false }
    let leadsOn = levels.last?.leadsOn ?? true
    if leadsOn && levels.count < path.count {
      switch (path[levels.count], byte) {
      case (.each, UInt8(ascii: "[")):
        levels.append(Level(isObject: false, expectsKey: false, leadsOn: true))
        hasArrived = hasArrived || levels.count == path.count
        unlisted.removeAll(keepingCapacity: true)
        return
      case (.member, UInt8(ascii: "{")), (.wrappers, UInt8(ascii: "{")):
        if path.wrapperKeys != nil, levels.isEmpty {
          unlisted = [byte]
          wrapperOpenings.beginItem()
          wrapperOpenings.pass(byte)
        }
        levels.append(Level(isObject: true, expectsKey: true, leadsOn: false))
        return
      default: break
      }
    }
    if byte == UInt8(ascii: "{"), isMisplaced { return beginMisplaced(&output) }
    // Beside an array at the root there may be events of their own.
    let isBeside = levels.isEmpty && path.first == .each
    let isEvent = leadsOn && (levels.count == path.count || isBeside)
    // A text that holds an event is on the way of a member, as envelopes have it.
    if isEvent, byte == UInt8(ascii: "\""), case .member? = path.last {
      hasArrived = true
      activity = .text
      return
    }
    hasArrived = hasArrived || isEvent
    activity = isEvent ? .event : .passedOver
    open.removeAll(keepingCapacity: true)
    isInString = false
    if isEvent {
      lines.beginItem()
      openings.beginItem()
    }
    takeValue(byte, &output)
  }

  private mutating func takeKey(_ byte: UInt8) {
    if escape.isEmpty && byte == UInt8(ascii: "\"") {
      activity = .walking
      guard let last = levels.indices.last else { return }
      levels[last].expectsKey = false
      levels[last].expectsValue = true
      switch path[last] {
      case .member(let name): levels[last].leadsOn = key.elementsEqual(name.utf8)
      case .wrappers(let keys):
        levels[last].leadsOn = keys.contains { key.elementsEqual($0.utf8) }
      case .each: break
      }
      return
    }
    // Keys that lead on have no escapes; those of others end where theirs end.
    escape = escape.isEmpty && byte == UInt8(ascii: "\\") ? [byte] : []
    if key.count < Self.maximumKeyBytes { key.append(byte) }
  }

  private mutating func takeValue(_ byte: UInt8, _ output: inout [UInt8]) {
    let isKept = activity == .event
    if isKept && openings.isCollecting { openings.pass(byte) }
    if mayBeKey { return takeAfterText(byte, &output) }
    if isInString {
      // A line feed in a string is no JSON; as another control it is rejected on its own line.
      if isKept { output.append(byte == UInt8(ascii: "\n") ? 0x1F : byte) }
      if !escape.isEmpty {
        escape.removeAll(keepingCapacity: true)
      } else if byte == UInt8(ascii: "\\") {
        escape.append(byte)
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
        mayBeKey = isKept && open.isEmpty
        if open.isEmpty && !isKept { end(&output) }
      }
      return
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if open.isEmpty { return endWord(byte, &output) }
      open.removeLast()
      if isKept { output.append(byte) }
      lastToken = byte
      if open.isEmpty { end(&output) }
      return
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: ",") where open.isEmpty: return endWord(byte, &output)
    case 0x09, 0x0A, 0x0D, 0x20:
      if open.isEmpty { return endWord(byte, &output) }
      // White space stays one, so that no two tokens become one.
      if isKept { output.append(0x20) }
      return
    default: break
    }
    lastToken = byte
    if isKept { output.append(byte) }
  }

  /// A number, `true`, `false` or `null` ends before a byte that isn't its own.
  mutating func endWord(_ byte: UInt8, _ output: inout [UInt8]) {
    end(&output)
    walk(byte, &output)
  }

  mutating func end(_ output: inout [UInt8]) {
    if activity == .event {
      lines.endItem()
      openings.endItem()
    }
    if isInEvent { output.append(UInt8(ascii: "\n")) }
    mayBeKey = false
    activity = .walking
  }
}

// Events that are texts of JSON.
extension ContainerWalker {
  private mutating func takeText(_ byte: UInt8, _ output: inout [UInt8]) {
    if escape.isEmpty {
      switch byte {
      case UInt8(ascii: "\\"): escape.append(byte)
      case UInt8(ascii: "\""): end(&output)
      case UInt8(ascii: "\n"): output.append(0x1F)
      default: output.append(byte)
      }
      return
    }
    escape.append(byte)
    if escape[1] == UInt8(ascii: "u") && escape.count < 6 { return }
    output += unescaped()
    escape.removeAll(keepingCapacity: true)
  }

  /// What the escape stands for. White space between the tokens of the inner JSON becomes a space,
  /// so that it stays on its line; characters beyond ASCII keep their escape, which means the same
  /// one level deeper.
  private func unescaped() -> [UInt8] {
    switch escape[1] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"),
      UInt8(ascii: "f"):
      return [0x20]
    case UInt8(ascii: "u"):
      let digits = String(decoding: escape[2...], as: UTF8.self)
      guard let code = UInt32(digits, radix: 16), code < 0x80 else { return escape }
      return [code < 0x20 ? 0x20 : UInt8(code)]
    default: return [escape[1]]
    }
  }
}
