/// How the items of a container begin, from the first bracket to the colon of the first key.
///
/// Behind a missing quote or bracket the structure of the text is lost, but its items still look
/// alike: these bytes, in a place where no object can stand, show where the next one begins.
struct ItemOpenings {
  /// How some bytes agree with the openings that are known.
  enum Agreement {
    case whole, beginning, none
  }

  private(set) var known: [[UInt8]] = []
  /// The opening of the item at hand, as far as it was read; empty where it was read to its end.
  private var collected: [UInt8] = []
  private(set) var isCollecting = false

  private static let maximumKnown = 4
  private static let maximumBytes = 80
  /// How much of a file's beginning is looked at.
  private static let surveyedBytes = 1 << 16
  /// How many openings of a file's beginning are tried.
  private static let maximumTried = 8

  mutating func beginItem() {
    collected.removeAll(keepingCapacity: true)
    isCollecting = true
  }

  /// Takes a byte of the item while its opening is collected.
  mutating func pass(_ byte: UInt8) {
    collected.append(byte)
    isCollecting = byte != UInt8(ascii: ":") && collected.count < Self.maximumBytes
  }

  /// The item ended: others may begin like it.
  mutating func endItem() {
    isCollecting = false
    if known.first == collected || !Self.isOpening(collected[...]) { return }
    known.removeAll { $0 == collected }
    known.insert(collected, at: 0)
    if known.count > Self.maximumKnown { known.removeLast() }
  }

  func agreement(_ bytes: [UInt8]) -> Agreement {
    var isBeginning = false
    for opening in known where opening.starts(with: bytes) {
      if opening.count == bytes.count { return .whole }
      isBeginning = true
    }
    return isBeginning ? .beginning : .none
  }

  private static func isOpening(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first == UInt8(ascii: "{") && bytes.last == UInt8(ascii: ":")
      && bytes.count { $0 == UInt8(ascii: "\"") } == 2 && !bytes.contains(UInt8(ascii: "\\"))
  }
}

// The beginning of a file, whose first item may be the broken one.
extension ItemOpenings {
  /// Finds the opening that cuts most of the bytes into whole objects, two of them at least.
  ///
  /// - Parameters:
  ///   - wrappers: under which keys objects hold lists of events.
  ///   - ofWrappers: whether such objects are looked for.
  ///   - withCommas: whether a comma may stand between two items, as in a list; without, a list
  ///     inside an event has none.
  /// - Returns: how many objects it cuts out; 0 where there is none.
  @discardableResult
  mutating func survey(
    _ bytes: UnsafeRawBufferPointer, wrappers: [String] = EventContainer.wrappers,
    ofWrappers: Bool = false, withCommas: Bool = true
  ) -> Int {
    let text = unsafe Slice(base: bytes, bounds: 0..<min(bytes.count, Self.surveyedBytes))
    var best = (covered: 0, items: 0, opening: [UInt8]())
    for (opening, places) in unsafe Self.openings(text, withCommas) where places.count > 1 {
      if Self.isOfWrapper(opening, wrappers) != ofWrappers { continue }
      var (covered, items) = (0, 0)
      for (start, next) in zip(places, places.dropFirst()) {
        guard let end = unsafe FollowingLines.valueEnd(text, from: start), end <= next,
          unsafe text[end..<next].allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ",") })
        else { continue }
        covered += end - start
        items += 1
      }
      if covered > best.covered { best = (covered, items, opening) }
    }
    if best.items > 0 { known = [best.opening] }
    return best.items
  }

  private static func isOfWrapper(_ opening: [UInt8], _ wrappers: [String]) -> Bool {
    let parts = opening.split(separator: UInt8(ascii: "\""))
    return parts.count > 1 && wrappers.contains { parts[1].elementsEqual($0.utf8) }
  }

  /// Where each opening stands behind another object; those that were met first.
  private static func openings(
    _ text: Slice<UnsafeRawBufferPointer>, _ withCommas: Bool
  ) -> [(opening: [UInt8], places: [Int])] {
    var found: [(opening: [UInt8], places: [Int])] = []
    var last: UInt8 = 0
    for place in unsafe text.indices where unsafe text[place] > 0x20 {
      let byte = unsafe text[place]
      defer { last = withCommas && byte == UInt8(ascii: ",") ? last : byte }
      guard byte == UInt8(ascii: "{"), last == UInt8(ascii: "}") else { continue }
      let rest = unsafe text[place...].prefix(maximumBytes)
      guard let colon = unsafe rest.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let opening = unsafe Array(rest[...colon])
      if let index = found.firstIndex(where: { $0.opening == opening }) {
        found[index].places.append(place)
      } else if found.count < maximumTried, isOpening(opening[...]) {
        found.append((opening, [place]))
      }
    }
    return found
  }
}
