/// Takes the bytes of a container as they come and gives its events, one a line.
///
/// It follows brackets, strings and the keys on the way to the events, and checks nothing else:
/// whether an event is valid JSON is seen when its line is read. Line feeds between an event's
/// tokens become spaces, so that no event goes over several lines.
///
/// An item that lacks a quote or bracket would take in all that follows it. It is cut off before
/// the next line that is an item by itself (`ItemLines`).
struct ContainerWalker {
  /// A container on the way to the events.
  private struct Level {
    var isObject: Bool
    var expectsKey: Bool
    /// Whether the member at hand is the one that leads on; always so in an array.
    var leadsOn: Bool
  }

  private enum Activity {
    /// Between values, on the way to the events.
    case walking
    case key
    /// Inside an event, or inside a value that holds none.
    case event, passedOver
    /// Inside an event that is a text of JSON.
    case text
  }

  private let path: [EventContainer.Component]
  private var levels: [Level] = []
  private var activity = Activity.walking
  /// Brackets that are open inside an event or a value that is passed over.
  private var open: [UInt8] = []
  /// The last byte of an event that is neither white space nor inside a string.
  private var lastToken: UInt8 = 0
  private var isInString = false
  /// Bytes of an escape so far, the backslash first.
  private var escape: [UInt8] = []
  private var key: [UInt8] = []
  private var lines = ItemLines()
  /// A line that may be an item by itself, inside an event that is open; empty outside of one.
  private var candidate: [UInt8] = []
  /// Items that were cut off, because one began before they ended.
  private(set) var unclosedItems = 0
  /// Whether a bracket did not fit the one that it should close.
  private(set) var isMismatched = false
  private(set) var hasArrived = false

  /// A longer key is none of those that lead on.
  private static let maximumKeyBytes = 64
  /// A longer line is not looked at as a whole.
  private static let maximumCandidateBytes = 1 << 20

  init(_ path: [EventContainer.Component]) { self.path = path }

  /// Whether the bytes may end here.
  var isComplete: Bool { levels.isEmpty && activity == .walking }
  /// Whether an event was begun and is not whole.
  var isInEvent: Bool { activity == .event || activity == .text }

  /// Forgets what was begun: bytes are lost here.
  mutating func reset() { self = ContainerWalker(path) }

  mutating func forgetDamage() {
    isMismatched = false
    unclosedItems = 0
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    for byte in bytes {
      if !candidate.isEmpty {
        candidate.append(byte)
        let isLine = byte == UInt8(ascii: "\n")
        if isLine || candidate.count > Self.maximumCandidateBytes { endCandidate(&output) }
      } else if lines.mayBeginItem, isCandidate(byte) {
        candidate.append(byte)
      } else {
        take(byte, &output)
      }
    }
  }

  private mutating func take(_ byte: UInt8, _ output: inout [UInt8]) {
    defer { lines.pass(byte) }
    switch activity {
    case .walking: walk(byte, &output)
    case .key: takeKey(byte)
    case .text: takeText(byte, &output)
    case .event, .passedOver: takeValue(byte, &output)
    }
  }

  private mutating func walk(_ byte: UInt8, _ output: inout [UInt8]) {
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ":"): break
    case UInt8(ascii: ","):
      if let last = levels.indices.last { levels[last].expectsKey = levels[last].isObject }
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
    case UInt8(ascii: "\"") where levels.last?.expectsKey == true:
      key.removeAll(keepingCapacity: true)
      activity = .key
    default: begin(byte, &output)
    }
  }

  /// A container on the way ends. A bracket that doesn't fit is passed over, and what follows it
  /// counts.
  private mutating func close(_ byte: UInt8) {
    if let last = levels.last, last.isObject == (byte == UInt8(ascii: "}")) {
      levels.removeLast()
    } else {
      isMismatched = true
    }
  }

  /// A value begins.
  private mutating func begin(_ byte: UInt8, _ output: inout [UInt8]) {
    let leadsOn = levels.last?.leadsOn ?? true
    if leadsOn && levels.count < path.count {
      switch (path[levels.count], byte) {
      case (.each, UInt8(ascii: "[")):
        levels.append(Level(isObject: false, expectsKey: false, leadsOn: true))
        hasArrived = hasArrived || levels.count == path.count
        return
      case (.member, UInt8(ascii: "{")), (.wrappers, UInt8(ascii: "{")):
        levels.append(Level(isObject: true, expectsKey: true, leadsOn: false))
        return
      default: break
      }
    }
    if byte == UInt8(ascii: "{"), levels.last?.expectsKey == true, hasArrived, lines.mayBeginItem,
      path.last == .each, levels.count == path.count - 1
    {
      // A bracket too many has closed the array of the items, which go on here.
      levels.append(Level(isObject: false, expectsKey: false, leadsOn: true))
      isMismatched = true
      return begin(byte, &output)
    }
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
    if isEvent { lines.beginItem() }
    takeValue(byte, &output)
  }

  private mutating func takeKey(_ byte: UInt8) {
    if escape.isEmpty && byte == UInt8(ascii: "\"") {
      activity = .walking
      guard let last = levels.indices.last else { return }
      levels[last].expectsKey = false
      switch path[last] {
      case .member(let name): levels[last].leadsOn = key.elementsEqual(name.utf8)
      case .wrappers:
        levels[last].leadsOn = EventContainer.wrappers.contains { key.elementsEqual($0.utf8) }
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
    if isInString {
      // A line feed in a string is no JSON; as another control it is rejected on its own line.
      if isKept { output.append(byte == UInt8(ascii: "\n") ? 0x1F : byte) }
      if !escape.isEmpty {
        escape.removeAll(keepingCapacity: true)
      } else if byte == UInt8(ascii: "\\") {
        escape.append(byte)
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
        if open.isEmpty { end(&output) }
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
  private mutating func endWord(_ byte: UInt8, _ output: inout [UInt8]) {
    end(&output)
    walk(byte, &output)
  }

  private mutating func end(_ output: inout [UInt8]) {
    if activity == .event { lines.endItem() }
    if isInEvent { output.append(UInt8(ascii: "\n")) }
    activity = .walking
  }
}

// Items that are left open.
extension ContainerWalker {
  /// Whether an object may stand at this place of the event that is open.
  private var objectFits: Bool {
    if isInString { return false }
    switch lastToken {
    case UInt8(ascii: ":"): return true
    case UInt8(ascii: ","), UInt8(ascii: "["): return open.last == UInt8(ascii: "[")
    default: return false
    }
  }

  /// Whether a line that begins with a byte is looked at as a whole: one that may be an item,
  /// inside an event that is open, or an item that may lack its first bracket.
  private func isCandidate(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"): activity == .event && (lines.areSingleLines || !objectFits)
    case UInt8(ascii: "\""):
      activity == .walking && lines.areSingleLines && levels.count == path.count
        && levels.last?.isObject == false
    default: false
    }
  }

  /// Nothing follows what was taken so far.
  mutating func endLine(into output: inout [UInt8]) {
    if !candidate.isEmpty { endCandidate(&output) }
  }

  /// A line inside an event ends, or is too long: if it is an item by itself, the event is cut off
  /// before it.
  private mutating func endCandidate(_ output: inout [UInt8]) {
    let line = candidate
    candidate.removeAll(keepingCapacity: true)
    if line.first == UInt8(ascii: "\"") {
      let item = line.prefix((line.lastIndex { $0 > 0x20 && $0 != UInt8(ascii: ",") } ?? -1) + 1)
      if shape([UInt8(ascii: "{")] + item) == .whole {
        unclosedItems += 1
        output += item + [UInt8(ascii: "\n")]
        return line.forEach { lines.pass($0) }
      }
    } else if isItem(line) {
      unclosedItems += 1
      output.append(UInt8(ascii: "\n"))
      activity = .walking
      escape.removeAll(keepingCapacity: true)
    }
    for byte in line { take(byte, &output) }
  }

  private func isItem(_ line: [UInt8]) -> Bool {
    switch shape(line) {
    case .whole, .item: true
    // The first line of an item over several lines.
    case .part, .other:
      !lines.areSingleLines && !objectFits
        && line.dropFirst().allSatisfy { $0 <= 0x20 }
    }
  }

  private func shape(_ line: [UInt8]) -> FollowingLines.Shape {
    let text = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
    return text.withUnsafeBytes { FollowingLines.shape($0[...]) }
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
