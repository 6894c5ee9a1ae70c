/// What programs write where they have no id: such a text is none (definitions 3.1).
///
/// The words are those that PostHog, Mixpanel and Amplitude refuse as ids (docs/formats.md has the
/// pages) and what languages print for a missing value. Names that people may go by are left out.
package struct PlaceholderIdentifier: Sendable, Hashable {
  /// Its place in ``names``.
  let number: Int

  /// As they are usually written; in small letters they are what an id is held against.
  private static let words = [
    "undefined", "null", "nil", "None", "NaN", "n/a", "<NA>", "[object Object]", "anonymous",
    "guest", "unknown", "(not set)", "not_authenticated", "distinct_id", "distinctid", "id",
    "email", "true", "false", "-1", "9774d56d682e549c", "lmy47d",
  ]
  /// What each is called where it is reported.
  package static let names = words + ["zeros", "blank", "a rounded number", "NA"]

  /// Whether counts that were written may be those of a summary: nobody else's words are shown.
  package static func areSound(_ counts: [String: Int]) -> Bool {
    counts.allSatisfy { names.contains($0.key) && $0.value >= 0 }
  }
  private static let zeros = PlaceholderIdentifier(number: words.count)
  private static let blank = PlaceholderIdentifier(number: words.count + 1)
  /// In a table: a number that a spreadsheet has rounded.
  static let rounded = PlaceholderIdentifier(number: words.count + 2)
  /// In a table: R's word for a missing value. Elsewhere somebody may be called so.
  static let notAvailable = PlaceholderIdentifier(number: words.count + 3)
  private static let known = words.map { Array($0.lowercased().utf8) }
  private static let longest = known.map(\.count).max() ?? 0

  var name: String { Self.names[number] }

  /// Which one an id is; `nil` for an id that somebody has, and for none.
  @inline(__always)
  static func of(_ id: UnsafeRawBufferPointer) -> PlaceholderIdentifier? {
    guard let start = id.baseAddress, unsafe !id.isEmpty, unsafe mayBe(start, id.count) else {
      return nil
    }
    return unsafe found(in: id)
  }

  /// As above, by the whole rule.
  @inline(never)
  static func found(in id: UnsafeRawBufferPointer) -> PlaceholderIdentifier? {
    let whole = unsafe trimmed(id[...])
    let inner = unsafe unwrapped(whole)
    if unsafe inner.isEmpty { return blank }
    if unsafe inner.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }) {
      return zeros
    }
    return unsafe word(whole) ?? word(inner)
  }

  private static func word(_ text: Slice<UnsafeRawBufferPointer>) -> PlaceholderIdentifier? {
    if unsafe text.count > longest { return nil }
    let number = known.firstIndex { word in
      unsafe word.count == text.count && zip(word, text).allSatisfy { $0 == small($1) }
    }
    return number.map { PlaceholderIdentifier(number: $0) }
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// Without the space and control characters around it.
  private static func trimmed(
    _ text: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var text = unsafe text
    while let first = unsafe text.first, first <= 0x20 { unsafe text = text.dropFirst() }
    while let last = unsafe text.last, last <= 0x20 { unsafe text = text.dropLast() }
    return unsafe text
  }

  /// Without one pair of quotes or brackets around it.
  private static func unwrapped(
    _ text: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    guard unsafe text.count > 1, let first = unsafe text.first, let last = unsafe text.last else {
      return unsafe text
    }
    let pairs: [(UInt8, UInt8)] = [
      (UInt8(ascii: "\""), UInt8(ascii: "\"")), (UInt8(ascii: "'"), UInt8(ascii: "'")),
      (UInt8(ascii: "("), UInt8(ascii: ")")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
      (UInt8(ascii: "["), UInt8(ascii: "]")), (UInt8(ascii: "{"), UInt8(ascii: "}")),
    ]
    guard pairs.contains(where: { $0 == first && $1 == last }) else { return unsafe text }
    return unsafe trimmed(text.dropFirst().dropLast())
  }
}

// The look that every id gets: nearly none begins and ends like one of these. It has no branch that
// depends on an id's letters, since nobody could predict it.
extension PlaceholderIdentifier {
  /// One bit for each byte, by its six low bits: those below 64, and the others.
  private typealias Bytes = (low: UInt64, high: UInt64)

  /// What signs, zeros and `9774d56d682e549c` begin with: `" ' ( - 0 9 < [ {`, and blanks.
  private static var openings: Bytes { (0x1201_2185_FFFF_FFFF, 0x0800_0000_0800_0000) }
  /// What they end with: `" ' ) - 0 1 > ] } c C`, and blanks.
  private static var endings: Bytes { (0x4003_2285_FFFF_FFFF, 0x2000_0008_2000_0008) }
  /// What other words begin with: `a d e f g i l n t u`, large and small.
  private static var firstLetters: Bytes { (0, 0x0030_52F2_0030_52F2) }
  /// What they end with: `a d e l n s t`, large and small.
  private static var lastLetters: Bytes { (0, 0x0018_5032_0018_5032) }
  /// How long they are, up to `not_authenticated`: one bit for each length.
  private static var lengths: UInt64 { 0b10_0000_1110_1111_1100 }

  /// What a placeholder begins with that is longer than all words, by six bits: zeros, signs around
  /// a text, and blanks. Some other bytes are among them.
  private static var longOpenings: UInt64 { 0x1801_2185_FFFF_FFFF }

  /// Whether an id may be none; what may not is one.
  @inline(__always)
  static func mayBe(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
    let first = unsafe start.load(as: UInt8.self)
    let last = unsafe start.load(fromByteOffset: count &- 1, as: UInt8.self)
    if count > 17, longOpenings &>> UInt64(first) & 1 == 0, last > 0x20 { return false }
    return unsafe mayBeByBoth(start, count, first, last)
  }

  /// As above, by all that is looked at.
  @inline(never)
  private static func mayBeByBoth(
    _ start: UnsafeRawPointer, _ count: Int, _ first: UInt8, _ last: UInt8
  ) -> Bool {
    // Zeros all along, or with lines between them.
    let second = unsafe count > 17 ? start.load(fromByteOffset: 1, as: UInt8.self) : 0
    if first == UInt8(ascii: "0"), second > UInt8(ascii: "0"), last > 0x20 { return false }
    var found = bit(first, openings) & bit(last, endings) | isBlank(first) | isBlank(last)
    if count <= 17 {
      found |= bit(first, firstLetters) & bit(last, lastLetters) & lengths &>> UInt64(count)
    }
    return found & 1 != 0
  }

  @inline(__always)
  private static func bit(_ byte: UInt8, _ bytes: Bytes) -> UInt64 {
    (byte < 64 ? bytes.low : bytes.high) &>> UInt64(byte)
  }

  /// 1 up to the space.
  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> UInt64 { (UInt64(byte) &- 0x21) &>> 63 }
}
