/// Reads RFC 4180 with LF line ends, strictly: what spreadsheets would see.
enum CSVReader {
  struct Malformed: Error {
    var offset: Int
  }

  static func rows(_ text: String) throws -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if isQuoted {
        if byte != 0x22 {
          cell.append(byte)
        } else if index + 1 < bytes.count, bytes[index + 1] == 0x22 {
          cell.append(byte)
          index += 1
        } else {
          isQuoted = false
        }
      } else if byte == 0x22 {
        guard cell.isEmpty else { throw Malformed(offset: index) }
        isQuoted = true
      } else if byte == 0x2C || byte == 0x0A {
        row.append(String(decoding: cell, as: UTF8.self))
        cell = []
        if byte == 0x0A {
          rows.append(row)
          row = []
        }
      } else {
        cell.append(byte)
      }
      index += 1
    }
    guard row.isEmpty, cell.isEmpty, !isQuoted else { throw Malformed(offset: index) }
    return rows
  }
}
