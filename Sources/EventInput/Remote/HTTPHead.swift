/// The first lines of an answer.
struct HTTPHead: Sendable {
  var status: Int
  var reason: String
  /// By names in lower case; the last of a name counts.
  var fields: [String: String] = [:]

  /// From a line such as `HTTP/1.1 404 Not Found`; `nil` for any other.
  init?(statusLine: String) {
    let words = statusLine.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else {
      return nil
    }
    self.status = status
    reason = words.count > 2 ? String(words[2]) : ""
  }

  mutating func add(line: String) {
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...]
    fields[line[..<colon].lowercased()] = String(value.trimmed)
  }

  /// Which version of the bytes it is about, as strictly as the server says.
  var version: String? {
    if let tag = fields["etag"], !tag.hasPrefix("W/") { return tag }
    return fields["last-modified"]
  }

  /// The size of the whole, of which this may be a part.
  var totalBytes: Int? {
    if status == 206 {
      return fields["content-range"]?.split(separator: "/").last.flatMap { Int($0) }
    }
    return fields["content-length"].flatMap { Int($0) }
  }

  /// Where a part begins.
  var firstByte: Int? {
    guard let range = fields["content-range"], range.hasPrefix("bytes ") else { return nil }
    return Int(range.dropFirst("bytes ".count).prefix { $0.isNumber })
  }
}

extension Substring {
  /// Without white space at its ends.
  fileprivate var trimmed: Substring {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }
}
