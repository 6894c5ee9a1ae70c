// Rows in JSON whose names are all in capitals, as Snowflake writes its columns: they are read in
// small letters, as those of tables are.
extension LineBlock {
  private static let linesLookedAt = 20
  private static let longestLine = 1 << 16

  /// Whether the first object among the first lines is an event with all its names in capitals.
  var hasNamesInCapitals: Bool {
    let end = unsafe start + count
    var line = unsafe start
    for _ in 0..<Self.linesLookedAt where unsafe line < end {
      let feed = unsafe LineScanner.lineFeed(line, end)
      if unsafe feed - line <= Self.longestLine {
        let text = unsafe Array(UnsafeBufferPointer(start: line, count: feed - line))
        var cursor = JSONCursor(text)
        if let names = cursor.names() {
          return names.allSatisfy { $0 == $0.uppercased() } && EventNames.areThere(in: names)
        }
      }
      unsafe line = feed + 1
    }
    return false
  }

  /// Puts the names at the root of each line's object in small letters.
  func lowerNames() {
    let bytes = unsafe buffer.assumingMemoryBound(to: UInt8.self)
    var (depth, place) = (0, 0)
    var (isInText, isName, isNameNext) = (false, false, false)
    while place < count {
      let byte = unsafe bytes[place]
      switch byte {
      case UInt8(ascii: "\n"): (depth, isInText, isNameNext) = (0, false, false)
      case UInt8(ascii: "\\") where isInText: place += 1
      case UInt8(ascii: "\""):
        isName = !isInText && isNameNext && depth == 1
        (isInText, isNameNext) = (!isInText, false)
      case UInt8(ascii: "A")...UInt8(ascii: "Z") where isInText && isName:
        unsafe bytes[place] = byte | 0x20
      case _ where isInText: break
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isNameNext = byte == UInt8(ascii: "{")
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","): isNameNext = true
      default: break
      }
      place += 1
    }
  }
}

extension JSONCursor {
  /// The names in the object at the position, in their order; `nil` if it isn't whole, or has none.
  fileprivate mutating func names() -> [String]? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var names: [String] = []
    repeat {
      guard let name = string(), take(UInt8(ascii: ":")), pass() else { return nil }
      names.append(name)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? names : nil
  }
}
