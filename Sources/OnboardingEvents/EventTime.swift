/// A moment, to the millisecond.
public struct EventTime: Sendable, Hashable, Comparable {
  /// Since 1970-01-01T00:00:00Z, leap seconds not counted.
  public let milliseconds: Int64

  /// A moment, in milliseconds since 1970 in UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// - Parameter seconds: since 1970-01-01T00:00:00Z, as `Date().timeIntervalSince1970` gives it;
  ///   `nil` where it is no number, or further away than any calendar.
  public init?(secondsSince1970 seconds: Double) {
    guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
    self.milliseconds = milliseconds
  }

  /// Whether a moment comes before another.
  public static func < (left: EventTime, right: EventTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// From 2000-01-01 up to 2100-01-01: what is outside is a clock that was never set, and FirstMile
  /// rejects such an event.
  public static let accepted =
    EventTime(
      milliseconds: 946_684_800_000)..<EventTime(
      milliseconds: 4_102_444_800_000)
}

extension EventTime: CustomStringConvertible {
  private static let dayMilliseconds: Int64 = 86_400_000

  /// In UTC: `2026-01-31T23:00:00.000Z`.
  public var description: String {
    let day = EventTime.floor(milliseconds, EventTime.dayMilliseconds)
    let rest = milliseconds - day * EventTime.dayMilliseconds
    let date = EventTime.date(day)
    return "\(EventTime.digits(date.year, 4))-\(EventTime.digits(date.month, 2))-"
      + "\(EventTime.digits(date.day, 2))T\(EventTime.digits(rest / 3_600_000, 2)):"
      + "\(EventTime.digits(rest / 60_000 % 60, 2)):\(EventTime.digits(rest / 1000 % 60, 2))."
      + "\(EventTime.digits(rest % 1000, 3))Z"
  }

  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-(value + 1)) / divisor) - 1
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// The date of a day since 1970, in the proleptic Gregorian calendar: eras of 400 years that
  /// begin in March, so that the leap day is the last of a year.
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }
}

extension EventTime {
  /// A moment as `description` writes it, and any other text of RFC 3339 in years 1970 to 9999:
  /// with up to nine digits of a second, and an offset; a time without one is UTC. `nil` for
  /// anything else, leap seconds among them.
  public init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    func number(_ count: Int) -> Int64? {
      guard rest.count >= count else { return nil }
      var value: Int64 = 0
      for byte in rest.prefix(count) {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      rest = rest.dropFirst(count)
      return value
    }
    func take(_ allowed: String) -> UInt8? {
      guard let byte = rest.first, allowed.utf8.contains(byte) else { return nil }
      rest = rest.dropFirst()
      return byte
    }
    guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil,
      let day = number(2), take("Tt ") != nil, let hour = number(2), take(":") != nil,
      let minute = number(2), take(":") != nil, let second = number(2),
      let days = EventTime.days(year, month, day), hour < 24, minute < 60, second < 60
    else { return nil }
    var thousandths: Int64 = 0
    if take(".") != nil {
      let fraction = rest.prefix { (48...57).contains($0) }
      guard (1...9).contains(fraction.count), let value = number(fraction.count) else { return nil }
      let scale: [Int64] = [100, 10, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
      let factor = scale[fraction.count - 1]
      thousandths = fraction.count < 3 ? value * factor : value / factor
    }
    var offset: Int64 = 0
    if let sign = take("+-") {
      guard let hours = number(2), take(":") != nil, let minutes = number(2), hours < 24,
        minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    } else if !rest.isEmpty, take("Zz") == nil {
      return nil
    }
    guard rest.isEmpty else { return nil }
    let minutes = (days * 24 + hour) * 60 + minute - offset
    milliseconds = (minutes * 60 + second) * 1000 + thousandths
  }

  /// Days since 1970; `nil` where there is no such date.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard year >= 1970, (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[Int(month) - 1] else { return nil }
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400 - 477
    return (year - 1970) * 365 + leapDays + lengths.prefix(Int(month) - 1).reduce(0, +) + day - 1
  }

  /// A number as events give it: below 10^11 seconds, below 10^14 milliseconds, below 10^17
  /// microseconds, else nanoseconds. `nil` where it is not above 0.
  init?(number: Double) {
    guard number > 0 else { return nil }
    let milliseconds =
      number < 1e11
      ? number * 1000 : number < 1e14 ? number : number < 1e17 ? number / 1000 : number / 1_000_000
    guard let whole = Int64(exactly: milliseconds.rounded(.down)) else { return nil }
    self.milliseconds = whole
  }
}

extension EventTime: Codable {
  /// Decodes RFC 3339 text, or a number (or a text of one) since 1970: by its size of seconds,
  /// milliseconds, microseconds or nanoseconds.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let time: EventTime?
    if let number = try? container.decode(Double.self) {
      time = EventTime(number: number)
    } else {
      let text = try container.decode(String.self)
      time = EventTime(text) ?? Double(text).flatMap { EventTime(number: $0) }
    }
    guard let time else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a timestamp is RFC 3339 text or a number above 0")
    }
    self = time
  }

  /// Encodes the moment as RFC 3339 text in UTC, as ``description`` has it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
