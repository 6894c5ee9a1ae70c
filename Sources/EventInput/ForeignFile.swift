/// Files that are no dump of JSON, recognised by their first bytes, and what to do with them.
enum ForeignFile: CaseIterable {
  case parquet, avro, orc, arrow, sqlite, duckDB, utf32, utf16, sevenZip, rar
  /// Without a mark, the lower byte or the higher one first.
  case utf16LittleEndian, utf16BigEndian
  case pdf, image, page
  /// A spreadsheet's own file: of Excel, or of others.
  case workbook, openDocument
  /// What `firstmile partition` wrote, beside its dumps or in their place.
  case segments
  /// Recognised by the names of its files.
  case iceberg

  /// So many bytes are enough to recognise all of them.
  static let recognisedBytes = 512

  /// The kind of file that begins with some bytes. A dump whose first line is broken is still one.
  static func recognise(_ bytes: [UInt8]) -> ForeignFile? {
    let kind =
      allCases.first { kind in
        kind.signatures.contains { offset, signature in
          bytes.count >= offset + signature.count
            && bytes[offset..<(offset + signature.count)].elementsEqual(signature)
        }
      } ?? wideText(bytes)
    // In the bytes of a column or a segment a line may well begin so.
    guard let kind, !kind.isReadByDuckDB, kind != .segments else { return kind }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst()
    return lines.contains { $0.first == UInt8(ascii: "{") } ? nil : kind
  }

  /// Text in which every other byte of the beginning is 0: of two bytes a character.
  static func wideText(_ bytes: [UInt8]) -> ForeignFile? {
    // Letters beyond ASCII may follow soon.
    let beginning = bytes.prefix(8)
    guard bytes.count >= 16 else { return nil }
    func isText(fromByte first: Int) -> Bool {
      beginning.indices.allSatisfy { index in
        index % 2 == first ? 0x09...0x7E ~= bytes[index] : bytes[index] == 0
      }
    }
    return isText(fromByte: 0) ? .utf16LittleEndian : isText(fromByte: 1) ? .utf16BigEndian : nil
  }

  /// What a zip is that holds no dumps but the parts of one document, by its first member's name.
  static func ofZip(_ window: InputWindow) throws -> ForeignFile? {
    let header = 30
    _ = try window.require(1 << 10)
    let bytes = unsafe window.bytes
    guard bytes.count > header else { return nil }
    let count = unsafe Int(
      UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 26, as: UInt16.self)))
    let name = unsafe String(decoding: bytes[header...].prefix(count), as: UTF8.self)
    if name == "mimetype" {
      let content = unsafe String(
        decoding: bytes.dropFirst(header + count).prefix(64), as: UTF8.self)
      return content.contains("application/vnd.oasis.opendocument") ? .openDocument : nil
    }
    let isPart =
      ["[Content_Types].xml", "_rels/.rels"].contains(name)
      || ["docProps/", "xl/"].contains(where: name.hasPrefix)
    return isPart ? .workbook : nil
  }

  /// Whether a tar begins with these bytes: the first header has a mark, or in the oldest ones
  /// nothing but its checksum, the sum of all its bytes.
  static func isTar(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 512, bytes[0] != 0 else { return false }
    if bytes[257..<262].elementsEqual("ustar".utf8) { return true }
    let digits = bytes[148..<156].drop { $0 == 0x20 }.prefix { 0x30...0x37 ~= $0 }
    let sum = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
    let counted = bytes[..<512].enumerated().reduce(0) { sum, entry in
      sum + (148..<156 ~= entry.offset ? 0x20 : Int(entry.element))
    }
    return digits.count >= 3 && sum == counted
  }

  private var signatures: [(offset: Int, bytes: [UInt8])] {
    func text(_ text: String, at offset: Int = 0) -> (Int, [UInt8]) { (offset, Array(text.utf8)) }
    return switch self {
    case .parquet: [text("PAR1")]
    case .avro: [text("Obj\u{1}")]
    case .orc: [text("ORC")]
    case .arrow: [text("ARROW1")]
    case .sqlite: [text("SQLite format 3\0")]
    case .duckDB: [text("DUCK", at: 8)]
    // A mark of 32 bits may begin like one of 16, so it is looked for first.
    case .utf32: [(0, [0xFF, 0xFE, 0, 0]), (0, [0, 0, 0xFE, 0xFF])]
    case .utf16: [(0, [0xFF, 0xFE]), (0, [0xFE, 0xFF])]
    case .sevenZip: [(0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])]
    case .rar: [text("Rar!\u{1A}\u{7}")]
    case .pdf: [text("%PDF-")]
    case .image: [(0, [0x89, 0x50, 0x4E, 0x47]), (0, [0xFF, 0xD8, 0xFF]), text("GIF8")]
    // Older ones; newer ones are zips.
    case .workbook: [(0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])]
    case .iceberg, .openDocument, .utf16LittleEndian, .utf16BigEndian: []
    case .segments: [text("FMSEG\0")]
    case .page: ["<!doctype", "<!DOCTYPE", "<html", "<?xml"].map { text($0) }
    }
  }

  /// Whether nothing of its kind holds events.
  var isNoTable: Bool { [.pdf, .image, .page].contains(self) }

  /// Whether DuckDB's command line can read it.
  var isReadByDuckDB: Bool { [.parquet, .avro, .duckDB, .iceberg].contains(self) }

  /// What it is, and how its events can be read.
  func advice(_ source: InputSource, isCompressed: Bool) -> String {
    let name = ForeignFileCommand.word(source)
    return switch self {
    case .parquet, .avro, .duckDB, .iceberg:
      if isCompressed && self != .iceberg {
        "is \(what) that is compressed once more; decompress it and name the file itself"
      } else if case .file = source.kind {
        "is \(what); it is read where DuckDB's command line is on the PATH, and else as JSON "
          + "lines: \(ForeignFileCommand.duckDB(self, source))"
      } else {
        "is \(what), which is read from a file only; save it to one, and name that"
      }
    case .orc, .arrow:
      "is \(what), which isn't read; turn it into Parquet, for example with "
        + ForeignFileCommand.parquet(self, source)
    case .sqlite:
      "is \(what); if it is a store of this program's, name it with --store"
    case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32:
      "is \(what), and JSON is UTF-8; convert it with iconv -f \(encoding) -t UTF-8 \(name)"
    case .sevenZip, .rar:
      "is \(what); unpack it first (zip and tar are read as they are)"
    case .pdf, .image: "is \(what), not a dump of events"
    case .workbook, .openDocument:
      "is \(what); save its sheet as CSV (UTF-8), with times in the format yyyy-mm-dd hh:mm:ss and "
        + "long numbers as text"
    case .segments:
      "is \(what), which `firstmile partition` made; name the dump that it was made of, or give "
        + "the segments to `firstmile stitch`, `survey` and `tally`"
    case .page:
      "is a page of HTML or XML, perhaps a service's error message; look at it, and download the "
        + "dump again"
    }
  }

  /// "a Parquet file".
  var what: String {
    switch self {
    case .parquet: "a Parquet file"
    case .avro: "an Avro file"
    case .orc: "an ORC file"
    case .arrow: "an Arrow file"
    case .sqlite: "an SQLite database"
    case .duckDB: "a DuckDB database"
    case .utf16, .utf16LittleEndian, .utf16BigEndian: "UTF-16 text"
    case .utf32: "UTF-32 text"
    case .sevenZip: "a 7z archive"
    case .rar: "a RAR archive"
    case .iceberg: "an Iceberg table"
    case .pdf: "a PDF file"
    case .workbook: "an Excel workbook"
    case .openDocument: "an OpenDocument file"
    case .image: "an image"
    case .page: "a page of HTML or XML"
    case .segments: "a file of segments"
    }
  }

  private var encoding: String {
    switch self {
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .utf32: "UTF-32"
    default: "UTF-16"
    }
  }
}
