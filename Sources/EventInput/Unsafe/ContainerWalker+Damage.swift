// Items that lack a bracket or a quote.
extension ContainerWalker {
  /// Whether an object may stand at this place of the value that is open.
  private var objectFits: Bool {
    if isInString { return false }
    // Events are objects: an array of them is a bracket too many.
    if activity == .event && open == [UInt8(ascii: "[")] { return false }
    switch lastToken {
    case UInt8(ascii: ":"): return true
    case UInt8(ascii: ","), UInt8(ascii: "["): return open.last == UInt8(ascii: "[")
    default: return false
    }
  }

  /// Whether a line at an item's indentation is judged as a whole.
  var isInLineOfItems: Bool {
    activity == .event && (lines.areSingleLines || !objectFits)
  }

  /// Whether an object that begins here is looked at, for it may be the item behind a broken one.
  var mayBeCut: Bool {
    switch activity {
    case .text: false
    // What lacks a bracket may have taken in the end of the list that it is in.
    case .walking: levels.count == path.count && !wrapperOpenings.known.isEmpty
    case .event: !objectFits && !openings.known.isEmpty || lines.mayBeginItem && isInLineOfItems
    case .key, .passedOver:
      path.last == .each && !openings.known.isEmpty && (activity == .key || !objectFits)
    }
  }

  /// An object of a list begins among the members of the object that has the list.
  mutating func beginMisplaced(_ output: inout [UInt8]) {
    isMismatched = true
    if path.last == .each, levels.count == path.count - 1, levels.last?.expectsKey == true {
      // A bracket too many has closed the array of the items, which go on here.
      levels.append(Level(isObject: false, expectsKey: false, leadsOn: true))
    } else {
      // The object before it lacks its bracket.
      levels.removeAll()
    }
    walk(UInt8(ascii: "{"), &output)
  }

  /// A text that stands as an item has ended.
  mutating func takeAfterText(_ byte: UInt8, _ output: inout [UInt8]) {
    if byte <= 0x20 { return }
    guard byte == UInt8(ascii: ":") else { return endWord(byte, &output) }
    mayBeKey = false
    unclosedItems += 1
    open.append(UInt8(ascii: "{"))
    lastToken = byte
    output.append(byte)
  }

  /// The object at the root ends without a list: it stands for itself.
  mutating func endUnlisted(_ output: inout [UInt8]) {
    if unlisted.isEmpty { return }
    output += unlisted + [UInt8(ascii: "\n")]
    unlisted.removeAll(keepingCapacity: true)
  }

  /// Nothing follows what was taken so far.
  mutating func endLine(into output: inout [UInt8]) {
    if !candidate.isEmpty { endCandidate(&output) }
    if mayBeKey { end(&output) }
    endUnlisted(&output)
  }

  /// A line inside an event ends, or is too long: if it is an item by itself, the event is cut off
  /// before it.
  mutating func endCandidate(_ output: inout [UInt8]) {
    let line = candidate
    candidate.removeAll(keepingCapacity: true)
    if !isOpening && isItem(line) { cutItem(&output) }
    for byte in line { take(byte, &output) }
  }

  /// Decides, where that can be seen, whether the candidate is an item's opening.
  mutating func judgeOpening(_ output: inout [UInt8]) {
    let item = activity == .walking ? .none : openings.agreement(candidate)
    let wrapper = wrapperOpenings.agreement(candidate)
    let isWhole = item == .whole || wrapper == .whole
    if !isWhole && (item == .beginning || wrapper == .beginning) { return }
    let bytes = candidate
    candidate.removeAll(keepingCapacity: true)
    if isWhole {
      cutItem(&output)
      if wrapper == .whole { levels.removeAll() }
    }
    take(bytes[0], &output)
    for byte in bytes.dropFirst() { look(at: byte, &output) }
  }

  /// Cuts off what is open: an item follows.
  private mutating func cutItem(_ output: inout [UInt8]) {
    unclosedItems += 1
    if activity == .event {
      output.append(UInt8(ascii: "\n"))
    } else {
      endUnlisted(&output)
      levels = path.map { Level(isObject: $0 != .each, expectsKey: false, leadsOn: true) }
      hasArrived = true
    }
    mayBeKey = false
    activity = .walking
    escape.removeAll(keepingCapacity: true)
  }

  private func isItem(_ line: [UInt8]) -> Bool {
    let text = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
    return switch unsafe text.withUnsafeBytes({ unsafe FollowingLines.shape($0[...]) }) {
    case .whole, .item: true
    // The first line of an item over several lines.
    case .part, .other:
      !lines.areSingleLines && !objectFits
        && line.dropFirst().allSatisfy { $0 <= 0x20 }
    }
  }
}
