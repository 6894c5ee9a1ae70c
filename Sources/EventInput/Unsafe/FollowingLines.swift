/// What the lines behind a file's first line show: whole objects of their own, as JSON Lines have
/// them, or the lines of a container.
///
/// A first line that is broken may look like the beginning of an array or of an object over
/// several lines, so it does not decide alone.
@safe struct FollowingLines {
  enum Verdict {
    case lines, container
    /// None of the lines is telling.
    case neither
  }

  enum Shape {
    /// One object at the line's beginning, and nothing else.
    case whole
    /// An object and a comma or a closing bracket, or several objects.
    case item
    /// One member or closing bracket of an object over several lines.
    case part
    case other
  }

  /// How far lines are looked at, in bytes from the file's beginning.
  static let surveyedBytes = 1 << 18
  /// By how many lines one kind must lead to decide early.
  private static let decisiveLead = 8

  private let bytes: UnsafeRawBufferPointer
  private let isWhole: Bool

  init(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) {
    self.isWhole = isWhole && bytes.count <= Self.surveyedBytes
    unsafe self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.surveyedBytes))
  }

  /// Whether nothing that is read later can be looked at.
  private var isComplete: Bool { unsafe isWhole || bytes.count == Self.surveyedBytes }

  /// What the lines behind the one at a place show; `nil` where more of the file is needed.
  func verdict(behind place: Int) -> Verdict? {
    var lead = 0
    var start = end(of: place).map { $0 + 1 }
    while let line = start, unsafe line < bytes.count, let end = end(of: line) {
      switch unsafe Self.shape(bytes[line..<end]) {
      case .whole: lead += 1
      case .item, .part: lead -= 1
      case .other: break
      }
      if abs(lead) == Self.decisiveLead { return lead > 0 ? .lines : .container }
      start = end + 1
    }
    guard isComplete else { return nil }
    return lead == 0 ? .neither : lead > 0 ? .lines : .container
  }

  /// The first line behind the one at a place that is an object of its own.
  func firstWhole(behind place: Int) -> Range<Int>? {
    var start = end(of: place).map { $0 + 1 }
    while let line = start, unsafe line < bytes.count, let end = end(of: line) {
      if unsafe Self.shape(bytes[line..<end]) == .whole { return line..<end }
      start = end + 1
    }
    return nil
  }

  /// Where a line ends; `nil` if its end isn't at hand.
  private func end(of line: Int) -> Int? {
    guard unsafe line < bytes.count else { return nil }
    return unsafe bytes[line...].firstIndex(of: UInt8(ascii: "\n")) ?? (isWhole ? bytes.count : nil)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  static func shape(_ line: Slice<UnsafeRawBufferPointer>) -> Shape {
    guard let last = unsafe line.lastIndex(where: { !isSpace($0) }),
      let first = unsafe line.firstIndex(where: { !isSpace($0) && $0 != UInt8(ascii: ",") })
    else { return .other }
    let text = unsafe line[first...last]
    switch unsafe text[first] {
    case UInt8(ascii: "{"): return unsafe objectShape(text, isAtBeginning: first == line.startIndex)
    case UInt8(ascii: "\""): return unsafe isMember(text) ? .part : .other
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return unsafe text.allSatisfy { isSpace($0) || "}],".utf8.contains($0) } ? .part : .other
    default: return .other
    }
  }

  private static func objectShape(
    _ text: Slice<UnsafeRawBufferPointer>, isAtBeginning: Bool
  ) -> Shape {
    guard let end = unsafe valueEnd(text, from: text.startIndex) else { return .other }
    guard let next = unsafe text[end...].firstIndex(where: { !isSpace($0) }) else {
      return isAtBeginning ? .whole : .other
    }
    if unsafe text[next] == UInt8(ascii: "{") {
      return unsafe valueEnd(text, from: next) == nil ? .other : .item
    }
    return unsafe text[next...].allSatisfy { isSpace($0) || "}],".utf8.contains($0) }
      ? .item : .other
  }

  /// Whether a line has one key and one value, or the beginning of one.
  private static func isMember(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let keyEnd = unsafe stringEnd(text, from: text.startIndex),
      let colon = unsafe text[keyEnd...].firstIndex(where: { !isSpace($0) }),
      unsafe text[colon] == UInt8(ascii: ":"),
      let value = unsafe text[(colon + 1)...].firstIndex(where: { !isSpace($0) })
    else { return false }
    var rest = value + 1
    switch unsafe text[value] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let end = unsafe valueEnd(text, from: value) else {
        return unsafe value + 1 == text.endIndex
      }
      rest = end
    case UInt8(ascii: "\""):
      guard let end = unsafe stringEnd(text, from: value) else { return false }
      rest = end
    default:
      rest =
        unsafe text[value...].firstIndex { isSpace($0) || ",{}[]\":".utf8.contains($0) }
        ?? text.endIndex
    }
    return unsafe text[rest...].allSatisfy { isSpace($0) || $0 == UInt8(ascii: ",") }
  }

  /// Where the object or array at a place ends, if its brackets fit each other.
  static func valueEnd(_ text: Slice<UnsafeRawBufferPointer>, from start: Int) -> Int? {
    var closers: [UInt8] = []
    var place = start
    while unsafe place < text.endIndex {
      switch unsafe text[place] {
      case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard unsafe closers.popLast() == text[place] else { return nil }
        if closers.isEmpty { return place + 1 }
      case UInt8(ascii: "\""):
        guard let end = unsafe stringEnd(text, from: place) else { return nil }
        place = end
        continue
      default: break
      }
      place += 1
    }
    return nil
  }

  private static func stringEnd(_ text: Slice<UnsafeRawBufferPointer>, from start: Int) -> Int? {
    var place = start + 1
    while unsafe place < text.endIndex {
      if unsafe text[place] == UInt8(ascii: "\"") { return place + 1 }
      unsafe place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}
