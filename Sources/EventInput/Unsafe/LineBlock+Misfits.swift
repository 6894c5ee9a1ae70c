// What is wrong with lines that are no objects, in words.
extension LineBlock {
  private static let delimiters = Array(",\t;|".utf8)

  /// What else to know of a line that is no event because it is no object: of a row how many values
  /// it has, of a line that looks like one what its file lacks.
  func detail(of reason: RejectReason, _ line: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>)
    -> String?
  {
    let text = unsafe UnsafeBufferPointer(start: line, count: end - line)
    if reason == .notAnObject, isTable, columnCount > 0 {
      var cursor = unsafe JSONCursor(Array(text))
      guard let count = cursor.items() else { return nil }
      return "has \(count == 1 ? "1 value" : "\(count) values"), and the header \(columnCount)"
    }
    guard reason == .malformedJSON || reason == .notAnObject, !isTable,
      unsafe !text.contains(UInt8(ascii: "{")), let first = unsafe text.first(where: { $0 > 0x20 }),
      first != UInt8(ascii: "[")
    else { return nil }
    let counts = Self.delimiters.map { mark in unsafe text.count { $0 == mark } }
    return counts.contains { $0 > 1 }
      ? "looks like a row of a table whose columns' names don't stand in the first line" : nil
  }
}

extension JSONCursor {
  /// How many items the list at the position has; `nil` if it isn't whole.
  fileprivate mutating func items() -> Int? {
    guard take(UInt8(ascii: "[")) else { return nil }
    if take(UInt8(ascii: "]")) { return 0 }
    var count = 0
    repeat {
      guard pass() else { return nil }
      count += 1
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? count : nil
  }
}
