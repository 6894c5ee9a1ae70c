/// The bytes of a file that a person wrote, as text.
enum UTF8Text {
  /// - Throws: the place of the first byte that isn't UTF-8, or that the file is too large.
  static func of(_ bytes: [UInt8], file: String) throws(FlowFileErrors) -> String {
    if bytes.count > YAMLText.maximumBytes {
      throw FlowFileErrors([
        FlowFileError(file: file, line: 1, column: 1, found: "", message: YAMLText.tooLarge)
      ])
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    // What stands before the first ill-formed byte gives its line and column.
    let valid = validPrefix(bytes)
    let before = String(decoding: bytes[..<valid], as: UTF8.self).unicodeScalars
    let line = before.count { $0 == "\n" } + 1
    let column = before.reversed().prefix { $0 != "\n" }.count + 1
    let byte = String(bytes[valid], radix: 16, uppercase: true)
    throw FlowFileErrors([
      FlowFileError(
        file: file, line: line, column: column, found: "byte 0x\(byte)",
        message: "not UTF-8: byte 0x\(byte); save the file as UTF-8")
    ])
  }

  private static func validPrefix(_ bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var length = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      length += UTF8.width(scalar)
    }
    return min(length, bytes.count - 1)
  }
}
