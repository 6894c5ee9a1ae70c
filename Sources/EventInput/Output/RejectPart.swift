/// The rejects of one source, on their way to a file.
final class RejectPart {
  /// What is kept of a line that is longer.
  static let maximumKeptBytes = 1 << 20

  private let path: String
  private var output: RawOutput?
  private var record: [UInt8] = []
  /// Takes redacted values out of what is kept.
  var redactor: LineRedactor?

  init(path: String) {
    self.path = path
  }

  func append(
    file: String, line: Int, reason: RejectReason, detail: String, text: UnsafeRawBufferPointer
  ) throws {
    // Whom a pipeline has deleted is not kept here either.
    if !reason.isFault {
      return try unsafe write(
        file: file, line: line, reason: reason, detail: "\(detail); the row is not kept",
        text: UnsafeRawBufferPointer(start: nil, count: 0))
    }
    guard let redactor else {
      return try unsafe write(file: file, line: line, reason: reason, detail: detail, text: text)
    }
    // Of a line that can't be parsed nobody knows where the redacted values stand.
    if reason.isOfParsedLine, let redacted = unsafe redactor.redacted(text) {
      return try unsafe redacted.withUnsafeBytes {
        try unsafe write(file: file, line: line, reason: reason, detail: detail, text: $0)
      }
    }
    let missing = "the line is not kept: 'redact' can't be applied to it"
    try unsafe Array("[redacted]".utf8).withUnsafeBytes {
      try unsafe write(
        file: file, line: line, reason: reason,
        detail: detail.isEmpty ? missing : "\(detail); \(missing)", text: unsafe $0)
    }
  }

  private func write(
    file: String, line: Int, reason: RejectReason, detail: String, text: UnsafeRawBufferPointer
  ) throws {
    let kept = unsafe UnsafeRawBufferPointer(rebasing: text.prefix(Self.maximumKeptBytes))
    var detail = detail
    if kept.count < text.count {
      detail += "\(detail.isEmpty ? "" : "; ")the first \(kept.count) bytes are kept"
    }
    record.removeAll(keepingCapacity: true)
    record += "{\"file\":".utf8
    appendString(file)
    record += ",\"line\":\(line),\"reason\":\"\(reason.rawValue)\",\"detail\":".utf8
    appendString(detail)
    if unsafe String(validating: kept, as: UTF8.self) != nil {
      record += ",\"text\":\"".utf8
      unsafe appendEscaped(kept)
      record += "\"}\n".utf8
    } else {
      record += ",\"bytes_base64\":\"".utf8
      unsafe appendBase64(kept)
      record += "\"}\n".utf8
    }
    let output = try self.output ?? RawOutput(path: path)
    self.output = output
    try unsafe record.withUnsafeBytes { try unsafe output.append($0) }
  }

  func close() throws {
    try output?.close()
    output = nil
  }

  private func appendString(_ text: String) {
    record.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { unsafe appendEscaped(UnsafeRawBufferPointer($0)) }
    record.append(UInt8(ascii: "\""))
  }

  private func appendEscaped(_ bytes: UnsafeRawBufferPointer) {
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        record.append(UInt8(ascii: "\\"))
        record.append(byte)
      case UInt8(ascii: "\t"): record += "\\t".utf8
      case UInt8(ascii: "\r"): record += "\\r".utf8
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        record += "\\u\(byte < 16 ? "000" : "00")\(digits)".utf8
      default: record.append(byte)
      }
    }
  }

  private func appendBase64(_ bytes: UnsafeRawBufferPointer) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var index = 0
    while index < bytes.count {
      let have = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = unsafe group << 8 | (offset < have ? UInt32(bytes[index + offset]) : 0)
      }
      for digit in 0..<4 {
        let value = Int(group >> UInt32(18 - 6 * digit) & 63)
        record.append(digit <= have ? alphabet[value] : UInt8(ascii: "="))
      }
      index += 3
    }
  }
}
