/// Bytes that are not what a store wrote.
public struct StoredDamage: Error, Hashable {}

/// The written form: varints (seven bits a byte, lowest first); a name is its length and its
/// UTF-8.
///
///     for each column   number of names, names
///     number of actions, their values; number of contexts, their values
extension StoredTables {
  /// The tables in the written form.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for column in names {
      StoredTables.append(column.count, to: &bytes)
      for name in column {
        StoredTables.append(name.utf8.count, to: &bytes)
        bytes += name.utf8
      }
    }
    for (values, count) in [(actions, actionCount), (contexts, contextCount)] {
      StoredTables.append(count, to: &bytes)
      for value in values { StoredTables.append(Int(value), to: &bytes) }
    }
    return bytes
  }

  /// - Throws: `StoredDamage` where the bytes make no sense.
  public init(_ bytes: [UInt8], layout: StoredLayout) throws(StoredDamage) {
    self.init(layout)
    var rest = bytes[...]
    for column in names.indices {
      for _ in 0..<(try StoredTables.read(&rest)) {
        let count = try StoredTables.read(&rest)
        guard count <= rest.count else { throw StoredDamage() }
        names[column].append(String(decoding: rest.prefix(count), as: UTF8.self))
        rest = rest.dropFirst(count)
      }
    }
    actions = try StoredTables.values(&rest, width: actionWidth)
    contexts = try StoredTables.values(&rest, width: contextWidth)
    guard rest.isEmpty else { throw StoredDamage() }
  }

  private static func values(
    _ rest: inout ArraySlice<UInt8>, width: Int
  ) throws(StoredDamage) -> [UInt32] {
    let count = try read(&rest)
    // Every value takes a byte at least.
    guard width > 0, count <= rest.count / width else { throw StoredDamage() }
    var values: [UInt32] = []
    values.reserveCapacity(count * width)
    for _ in 0..<(count * width) { values.append(UInt32(clamping: try read(&rest))) }
    return values
  }

  private static func append(_ value: Int, to bytes: inout [UInt8]) {
    var value = UInt64(value)
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  private static func read(_ rest: inout ArraySlice<UInt8>) throws(StoredDamage) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard let byte = rest.popFirst() else { throw StoredDamage() }
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw StoredDamage()
  }
}
