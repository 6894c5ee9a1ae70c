/// What stands around a row's values when the row is written as an object of JSON: the same for all
/// rows, so that all lines of a table are built alike.
struct TableRowText {
  /// The text before a value, and the value's column.
  private(set) var pieces: [(before: [UInt8], column: Int)] = []
  private var end: [UInt8] = []
  /// What databases write for a value that is missing, programs that keep tables of numbers, and
  /// spreadsheets for one that they could not work out.
  private static let nulls = [
    "\\N", "NULL", "null", "NaN", "nan", "NaT", "<NA>",
    "#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!",
  ].map { Array($0.utf8) }

  /// An object's members in the order of their first columns.
  private final class Members {
    var names: [String] = []
    var columns: [String: Int] = [:]
    var objects: [String: Members] = [:]
  }

  init(_ layout: TableLayout) {
    let root = Members()
    for (column, place) in layout.columns.enumerated() where !place.isEmpty {
      Self.put(column, place, root)
    }
    var text: [UInt8] = []
    write(root, &text, event: layout.event)
    end = text + [UInt8(ascii: "\n")]
  }

  private static func put(_ column: Int, _ place: [String], _ root: Members) {
    var members = root
    for name in place.dropLast() {
      if members.objects[name] == nil {
        members.objects[name] = Members()
        members.names.append(name)
      }
      members = members.objects[name] ?? members
    }
    guard let name = place.last, members.columns[name] == nil else { return }
    members.columns[name] = column
    members.names.append(name)
  }

  private mutating func write(_ members: Members, _ text: inout [UInt8], event: String? = nil) {
    text.append(UInt8(ascii: "{"))
    if let event { text += Array("\"event\":\"\(event)\",".utf8) }
    for (index, name) in members.names.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      Self.appendText(Array(name.utf8)[...], to: &text)
      text.append(UInt8(ascii: ":"))
      if let inner = members.objects[name] {
        write(inner, &text)
      } else if let column = members.columns[name] {
        pieces.append((text + [UInt8(ascii: "\"")], column))
        text = [UInt8(ascii: "\"")]
      }
    }
    text.append(UInt8(ascii: "}"))
  }

  /// Writes a row as a line.
  ///
  /// - Parameter backslashes: what takes backslashes out of values; `nil` where none were put in.
  func append(
    _ row: TableRow, to output: inout [UInt8], without backslashes: inout BackslashText?
  ) {
    for (before, column) in pieces {
      output += before
      let value = row.value(column)
      if Self.isMissing(value) { continue }
      if let plain = backslashes?.plain(value) ?? PythonLiteral.json(value) {
        Self.appendEscaped(plain[...], to: &output)
      } else {
        Self.appendEscaped(value, to: &output)
      }
    }
    output += end
  }

  /// Nearly no value begins like one of those that stand for none.
  @inline(__always)
  private static func isMissing(_ value: ArraySlice<UInt8>) -> Bool {
    guard 2...7 ~= value.count, let first = value.first,
      first | 0x20 == UInt8(ascii: "n") || first == UInt8(ascii: "\\")
        || first == UInt8(ascii: "<") || first == UInt8(ascii: "#")
    else { return false }
    return nulls.contains(where: value.elementsEqual)
  }

  /// Writes a row that doesn't fit the columns as an array of its values, which is no event.
  static func appendArray(_ row: TableRow, to output: inout [UInt8], isClosed: Bool = true) {
    output.append(UInt8(ascii: "["))
    for column in 0..<row.count {
      if column > 0 { output.append(UInt8(ascii: ",")) }
      appendText(row.value(column), to: &output)
    }
    if isClosed { output += Array("]\n".utf8) }
  }

  private static func appendText(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    appendEscaped(text, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private static func appendEscaped(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    func isPlain(_ byte: UInt8) -> Bool {
      byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    if text.allSatisfy(isPlain) {
      output += text
      return
    }
    let digits = Array("0123456789abcdef".utf8)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): output += Array("\\n".utf8)
      case 0..<0x20:
        output += Array("\\u00".utf8)
        output += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: output.append(byte)
      }
    }
  }
}
