/// A canonical line taken apart into names and values, each value as the JSON it was written as.
///
/// It reads only what `LineWriter` writes: compact objects whose keys have no escapes.
struct LineParts {
  private(set) var members: [(name: String, value: [UInt8])] = []

  init(_ object: some Collection<UInt8>) {
    let bytes = Array(object)
    var place = 1
    while place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
      let key = LineParts.end(of: bytes, at: place)
      let name = String(decoding: bytes[(place + 1)..<(key - 1)], as: UTF8.self)
      let end = LineParts.end(of: bytes, at: key + 1)
      members.append((name, Array(bytes[(key + 1)..<end])))
      place = end + 1
    }
  }

  /// The value of a member that is there and not null.
  subscript(name: String) -> [UInt8]? {
    guard let value = members.first(where: { $0.name == name })?.value else { return nil }
    return value == Array("null".utf8) ? nil : value
  }

  /// The place after the value that begins here.
  private static func end(of bytes: [UInt8], at start: Int) -> Int {
    var place = start
    var depth = 0
    var isText = false
    while place < bytes.count {
      let byte = bytes[place]
      if isText {
        if byte == UInt8(ascii: "\\") { place += 1 }
        if byte == UInt8(ascii: "\"") {
          isText = false
          if depth == 0 { return place + 1 }
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return place }
          depth -= 1
          if depth == 0 { return place + 1 }
        case UInt8(ascii: ",") where depth == 0: return place
        default: break
        }
      }
      place += 1
    }
    return place
  }
}
