/// All that an event's line may give as an id, in the spelling that the reader hashes: strings
/// without escapes, numbers in plain digits, whatever key they stand at.
///
/// The line may be broken anywhere, so it is not parsed: each text between two quotes may be a
/// string, and each word between other signs a number. Strings that hold JSON are looked into.
/// So more is found than a reader of the line would take for ids, and nothing less.
public struct NamedIdentifiers {
  /// What was found, as UTF-8; a number also in the digits that the reader makes of it.
  public private(set) var texts: Set<[UInt8]> = []
  private static let maximumDepth = 8
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let separators = Set(",:;{}[]()<>=&'\"\\ \t\r\n".utf8)
  /// What formats put before a device's id.
  private static let prefixes = EventFormat.devicePrefixes.map { Array($0.utf8) }

  /// Looks through a line, broken or not, and through JSON in its strings.
  public init(line: [UInt8]) { look(into: line[...], depth: 0) }

  private mutating func look(into text: ArraySlice<UInt8>, depth: Int) {
    for piece in text.split(separator: Self.quote) { take(piece) }
    for piece in Self.betweenQuotes(text) {
      take(piece)
      guard piece.contains(Self.backslash) else { continue }
      let plain = Array(JSONText.unescaped(Array(piece)).utf8)
      take(plain[...])
      if depth < Self.maximumDepth { look(into: plain[...], depth: depth + 1) }
    }
  }

  /// A piece as it is, without the space around it, and its words.
  private mutating func take(_ piece: ArraySlice<UInt8>) {
    insert(piece)
    let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
    var inside = piece.drop(while: isSpace)
    while let last = inside.last, isSpace(last) { inside.removeLast() }
    insert(inside)
    for word in piece.split(whereSeparator: { Self.separators.contains($0) }) { insert(word) }
  }

  private mutating func insert(_ text: ArraySlice<UInt8>) {
    if text.isEmpty || !texts.insert(Array(text)).inserted { return }
    if let plain = Self.plainDigits(text) { texts.insert(plain) }
    for prefix in Self.prefixes where text.starts(with: prefix) {
      insert(text.dropFirst(prefix.count))
    }
  }

  /// The texts between quotes that no backslash takes away, and outside of them.
  private static func betweenQuotes(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var place = start
    while place < text.endIndex {
      switch text[place] {
      case quote:
        pieces.append(text[start..<place])
        start = place + 1
        place += 1
      case backslash: place += 2
      default: place += 1
      }
    }
    pieces.append(text[min(start, text.endIndex)...])
    return pieces
  }

  /// A number as the reader writes it, `42` for 42.0 and 4.2e1; `nil` for what is no number.
  public static func plainDigits(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard let first = text.first,
      first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return nil }
    var room = [UInt8](repeating: 0, count: 2 * text.count + 128)
    return unsafe text.withUnsafeBufferPointer { text -> [UInt8]? in
      guard let start = text.baseAddress else { return nil }
      let count = unsafe room.withUnsafeMutableBufferPointer { room -> Int? in
        guard let target = room.baseAddress,
          let decimal = unsafe Decimal(start, start + text.count, scratch: target)
        else { return nil }
        return unsafe decimal.write(into: target + text.count)
      }
      return count.map { Array(room[text.count..<(text.count + $0)]) }
    }
  }
}
