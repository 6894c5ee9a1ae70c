/// Times as mail and web servers write them (RFC 2822 and RFC 1123):
/// `Tue, 06 Jan 2026 10:00:00 GMT`, `6 Jan 2026 10:00 +0100`. Where the zone is missing it is UTC.
struct MailDate {
  typealias Address = UnsafePointer<UInt8>

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }
  /// Hours east of UTC of the names of zones that RFC 2822 knows.
  private static let zones: [[UInt8]: Int] = Dictionary(
    uniqueKeysWithValues: [
      ("gmt", 0), ("utc", 0), ("ut", 0), ("z", 0), ("est", -5), ("edt", -4), ("cst", -6),
      ("cdt", -5), ("mst", -7), ("mdt", -6), ("pst", -8), ("pdt", -7),
    ].map { (Array($0.0.utf8), $0.1) })
  /// No such time is longer.
  private static let maximumBytes = 48

  private var words: [[UInt8]]

  static func read(_ start: Address, _ end: Address) -> TimestampReader.Result {
    guard unsafe end - start <= maximumBytes else { return .bad }
    let text = unsafe UnsafeBufferPointer(start: start, count: end - start)
    var date = unsafe MailDate(
      words: text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
        .map { unsafe $0.map(lowercased) })
    return date.result() ?? .bad
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private mutating func result() -> TimestampReader.Result? {
    // The name of the day says nothing that the date doesn't say.
    if let first = words.first, first.count >= 3, first.allSatisfy({ $0 >= UInt8(ascii: "a") }) {
      words.removeFirst()
    }
    guard words.count >= 4, let day = Self.number(words[0], digits: 1...2),
      let month = Self.months.firstIndex(of: words[1]),
      let year = Self.number(words[2], digits: 4...4), let seconds = Self.clock(words[3]),
      day >= 1, day <= TimestampReader.days(inMonth: UInt32(month + 1), year: UInt32(year))
    else { return nil }
    let midnight = TimestampReader.midnight(
      year: UInt32(year), month: UInt32(month + 1), day: UInt32(day))
    guard words.count > 4 else {
      let result = TimestampReader.inRange(midnight + Int64(seconds) * 1000)
      if case .time(let time) = result { return .timeWithoutOffset(time) }
      return result
    }
    guard words.count == 5, let offset = Self.offset(words[4]) else { return nil }
    return TimestampReader.inRange(midnight + Int64(seconds - offset) * 1000)
  }

  private static func number(_ text: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.count), text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
      return nil
    }
    return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Seconds since midnight of `10:00` and `10:00:00`.
  private static func clock(_ text: [UInt8]) -> Int? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { number($0, digits: 2...2) }
    guard parts.count == 2 || parts.count == 3, let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0, hour < 24, minute < 60, second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Seconds east of UTC.
  private static func offset(_ text: [UInt8]) -> Int? {
    if let hours = zones[text] { return hours * 3600 }
    guard text.count == 5, let sign = text.first,
      let value = number(text.dropFirst(), digits: 4...4),
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), value / 100 < 24, value % 100 < 60
    else { return nil }
    let seconds = value / 100 * 3600 + value % 100 * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}
