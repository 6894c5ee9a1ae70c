/// Reads what `append(varint:)` and its siblings wrote, from bytes that anybody may have made.
struct CheckedByteReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func byte() throws(StoredDamage) -> UInt8 {
    guard place < bytes.count else { throw StoredDamage() }
    defer { place += 1 }
    return bytes[place]
  }

  /// Eight bytes, the lowest first.
  mutating func word() throws(StoredDamage) -> UInt64 {
    guard bytes.count - place >= 8 else { throw StoredDamage() }
    defer { place += 8 }
    return bytes[place..<place + 8].littleEndianNumber
  }

  mutating func varint() throws(StoredDamage) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let byte = try byte()
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw StoredDamage()
  }

  /// How many things follow, each of which takes a byte at least.
  mutating func count() throws(StoredDamage) -> Int {
    let count = try varint()
    guard count <= bytes.count - place else { throw StoredDamage() }
    return count
  }

  mutating func text() throws(StoredDamage) -> String {
    let count = try count()
    guard let text = String(validating: bytes[place..<place + count], as: UTF8.self) else {
      throw StoredDamage()
    }
    place += count
    return text
  }

  mutating func list<Item>(
    _ item: (inout CheckedByteReader) throws(StoredDamage) -> Item
  ) throws(StoredDamage) -> [Item] {
    var items: [Item] = []
    for _ in 0..<(try count()) { items.append(try item(&self)) }
    return items
  }
}
