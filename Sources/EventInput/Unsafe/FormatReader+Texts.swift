// Objects and lists that are written as a text of JSON, some of them twice.
extension FormatReader {
  static let listAdvice = "the properties are a list, not an object"

  /// The lists of a format that may be a text.
  static func listTexts(_ format: EventFormat, _ leaf: ([String]?) -> Int?) -> [Container] {
    format.listTexts.compactMap { path in
      leaf(path).map {
        Container(leaf: $0, node: -1, isProperties: format.isProperties(path))
      }
    }
  }

  /// What the members are called whose texts are read, by their leaves.
  static func textNames(_ format: EventFormat, _ leaf: ([String]?) -> Int?) -> [Int: String] {
    Dictionary(
      (format.embedded + format.listTexts).compactMap { path in
        leaf(path).map { ($0, shown(path)) }
      }
    ) { first, _ in first }
  }

  /// What a member is called in messages; one that stands for many ends with dots.
  static func shown(_ path: [String]) -> String {
    path.joined(separator: ".").replacing(EventFormat.anyEnding, with: "…")
  }

  /// Reads an object that may be a text; false where the line can't be used.
  ///
  /// - Parameters:
  ///   - room: for the text.
  ///   - inner: for the text that it holds, where it was written as one twice.
  func walkText(
    _ container: Container, _ room: UnsafeMutablePointer<ScratchBuffer>,
    _ inner: UnsafeMutablePointer<ScratchBuffer>
  ) -> Bool {
    let kind = unsafe lines.kinds[container.leaf]
    guard kind == ValueKind.string || kind == ValueKind.escapedString else { return true }
    let (first, end) = unsafe innermost(container.leaf, room, inner)
    if unsafe first == end || isNothing(first, end) { return true }
    if unsafe walkObject(first, end, container.node) { return true }
    // Beside properties, an object's place may hold any text.
    lines.wipe(container.node)
    return unsafe !isFault(container, first, end)
  }

  /// Puts the list that a text holds in the text's place; false where the line can't be used.
  func openList(
    _ container: Container, _ room: UnsafeMutablePointer<ScratchBuffer>,
    _ inner: UnsafeMutablePointer<ScratchBuffer>
  ) -> Bool {
    let kind = unsafe lines.kinds[container.leaf]
    guard kind == ValueKind.string || kind == ValueKind.escapedString else { return true }
    let (first, end) = unsafe innermost(container.leaf, room, inner)
    if unsafe first == end || isNothing(first, end) { return true }
    guard unsafe first.pointee == UInt8(ascii: "[") || first.pointee == UInt8(ascii: "{"),
      let next = unsafe lines.lexer.valueEnd(first, depth: 2),
      unsafe lines.lexer.skipSpace(next) == end
    else { return unsafe !isFault(container, first, end) }
    unsafe lines.starts[container.leaf] = first
    unsafe lines.ends[container.leaf] = next
    unsafe lines.kinds[container.leaf] = ValueKind.container
    return true
  }

  /// The text between two addresses of a string without its escapes, for the lexer.
  func unescaped(
    _ start: Address, _ end: Address, _ room: UnsafeMutablePointer<ScratchBuffer>
  ) -> (first: Address, end: Address) {
    // A line feed behind it, at which the lexer stops.
    let text = unsafe room.pointee.room(for: end - start + 1)
    // To the lexer a line feed would be the end. A carriage return is what it is in JSON: white
    // space between values, and not allowed in strings.
    let count = unsafe JSONText.unescape(start, end, into: text, lineFeed: UInt8(ascii: "\r"))
    unsafe text[count] = UInt8(ascii: "\n")
    return unsafe (lines.lexer.skipSpace(text), UnsafePointer(text) + count)
  }

  /// The text of a string without its escapes, and of a text of JSON that holds a text what that
  /// one holds.
  private func innermost(
    _ leaf: Int, _ room: UnsafeMutablePointer<ScratchBuffer>,
    _ inner: UnsafeMutablePointer<ScratchBuffer>
  ) -> (first: Address, end: Address) {
    let (first, end) = unsafe unescaped(lines.starts[leaf], lines.ends[leaf], room)
    guard unsafe first.pointee == UInt8(ascii: "\""),
      let next = unsafe lines.lexer.valueEnd(first, depth: 2),
      unsafe lines.lexer.skipSpace(next) == end
    else { return unsafe (first, end) }
    return unsafe unescaped(first + 1, next - 1, inner)
  }

  /// Reads an object, or the one in a list.
  private func walkObject(_ first: Address, _ end: Address, _ node: Int32) -> Bool {
    let isList = unsafe first.pointee == UInt8(ascii: "[")
    let object = unsafe isList ? lines.lexer.skipSpace(first + 1) : first
    guard unsafe object.pointee == UInt8(ascii: "{"),
      var next = unsafe lines.scanObject(object, node: node, depth: isList ? 3 : 2)
    else { return false }
    unsafe next = lines.lexer.skipSpace(next)
    if isList {
      guard unsafe next.pointee == UInt8(ascii: "]") else { return false }
      unsafe next = lines.lexer.skipSpace(next + 1)
    }
    return unsafe next == end
  }

  /// Whether a text of JSON holds nothing: PHP writes an object without members as `[]`.
  private func isNothing(_ first: Address, _ end: Address) -> Bool {
    guard unsafe end - first <= 4 else { return false }
    let text = unsafe UnsafeBufferPointer(start: first, count: end - first)
    return unsafe text.elementsEqual("[]".utf8) || text.elementsEqual("null".utf8)
  }

  /// Whether a text that doesn't hold what is looked for keeps its line from being an event: in the
  /// place of properties any does, elsewhere one that begins like JSON and isn't, for it was cut
  /// off or written wrongly.
  private func isFault(_ container: Container, _ first: Address, _ end: Address) -> Bool {
    let isValid = unsafe lines.lexer.valueEnd(first, depth: 2).map {
      unsafe lines.lexer.skipSpace($0) == end
    }
    let text = unsafe UnsafeBufferPointer(start: first, count: end - first)
    guard unsafe container.isProperties || isValid != true && beginsLikeJSON(text) else {
      return false
    }
    let name = textNames[container.leaf] ?? ""
    fault =
      unsafe isValid == true && text.first == UInt8(ascii: "[")
      ? "'\(name)' is a list, not an object" : "the text in '\(name)' is no object of JSON"
    return true
  }

  /// `{"…` or `[{"…`, or so in Python's quotes. A text in any brackets may be one.
  private func beginsLikeJSON(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var marks = unsafe Array(text.lazy.filter { $0 > 0x20 }.prefix(3))[...]
    if marks.first == UInt8(ascii: "[") { marks = marks.dropFirst() }
    guard marks.count >= 2, marks.first == UInt8(ascii: "{") else { return false }
    return "\"'".utf8.contains(marks[marks.startIndex + 1])
  }
}
