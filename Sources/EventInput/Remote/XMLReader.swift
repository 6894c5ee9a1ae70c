/// Reads the few kinds of XML that S3 answers with: elements with text, without regard to
/// attributes and namespaces. What is no XML has no elements.
///
///     <Error><Code>NoSuchKey</Code></Error>  →  (["Error", "Code"], "NoSuchKey"), (["Error"], "")
struct XMLReader {
  /// An element at its end.
  struct Element {
    /// Its name, after those of the elements around it.
    var path: [String]
    /// The text that stands directly in it.
    var text: String
  }

  private static let maximumDepth = 32
  private static let entities: [String: UInt8] = [
    "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
  ]
  private var rest: ArraySlice<UInt8>
  private var open: [(name: String, text: [UInt8])] = []

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next element that ends; `nil` at the end, and where the text is broken.
  mutating func next() -> Element? {
    while !rest.isEmpty {
      if !rest.starts(with: "<".utf8) {
        let text = take { $0 != UInt8(ascii: "<") }
        if !open.isEmpty { open[open.count - 1].text += Self.unescaped(text) }
      } else if skip("<!--") {
        guard takeThrough("-->") != nil else { return nil }
      } else if skip("<![CDATA[") {
        guard let text = takeThrough("]]>") else { return nil }
        if !open.isEmpty { open[open.count - 1].text += text }
      } else if skip("<?") || skip("<!") {
        guard takeThrough(">") != nil else { return nil }
      } else if skip("</") {
        guard let name = takeThrough(">"), let last = open.last, last.name == Self.name(name)
        else { return nil }
        return close()
      } else {
        rest = rest.dropFirst()
        guard let tag = takeThrough(">"), open.count < Self.maximumDepth else { return nil }
        open.append((Self.name(tag), []))
        if tag.last == UInt8(ascii: "/") { return close() }
      }
    }
    return nil
  }

  private mutating func close() -> Element {
    let path = open.map(\.name)
    return Element(path: path, text: String(decoding: open.removeLast().text, as: UTF8.self))
  }

  private mutating func skip(_ mark: String) -> Bool {
    guard rest.starts(with: mark.utf8) else { return false }
    rest = rest.dropFirst(mark.utf8.count)
    return true
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix(while: isTaken)
    rest = rest[taken.endIndex...]
    return taken
  }

  /// What stands before a mark, which is passed; `nil` where it doesn't come.
  private mutating func takeThrough(_ mark: String) -> ArraySlice<UInt8>? {
    guard let found = rest.firstRange(of: Array(mark.utf8)) else { return nil }
    defer { rest = rest[found.upperBound...] }
    return rest[..<found.lowerBound]
  }

  /// The name in a tag, without namespace and attributes.
  private static func name(_ tag: ArraySlice<UInt8>) -> String {
    let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    return String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), text)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "&"), let end = rest.firstIndex(of: UInt8(ascii: ";")),
        let value = scalar(String(decoding: rest[..<end], as: UTF8.self))
      else {
        bytes.append(byte)
        continue
      }
      bytes += Array(String(value).utf8)
      rest = rest[(end + 1)...]
    }
    return bytes
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    if let byte = entities[name] { return Unicode.Scalar(byte) }
    let number =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16)
      : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    return number.flatMap { Unicode.Scalar($0) }
  }
}
