/// Reads back what `CSVTable` wrote.
package struct CSVReader {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The cells of each line.
  package var lines: [[String]] {
    var lines: [[String]] = []
    var line: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var place = 0
    func text() -> String { String(decoding: cell, as: UTF8.self) }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") {
        // A quote within quotes is written twice.
        if isQuoted && place < bytes.count && bytes[place] == byte {
          cell.append(byte)
          place += 1
        } else {
          isQuoted.toggle()
        }
      } else if !isQuoted && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n")) {
        line.append(text())
        cell.removeAll(keepingCapacity: true)
        if byte == UInt8(ascii: "\n") {
          lines.append(line)
          line = []
        }
      } else {
        cell.append(byte)
      }
    }
    return lines
  }
}
