/// Timestamps (docs/input.md) as milliseconds since 1970.
///
/// Text: `2026-01-21T10:00:00.123+02:00`; a space for the T, small t and z, no offset (read as
/// UTC), 0 to 9 digits of a fraction; offsets also as `+0200` and `+02`, with a space before
/// them, and ` UTC`, which BigQuery writes. As spreadsheets write it also with slashes, without
/// seconds, and with one digit for a month, a day or an hour: `2026/1/21 9:30`. Second 60 is a leap
/// second where it is 23:59:60 in UTC, and is read as the second after it, as Unix time does.
/// Numbers, also as text: below 10^11 seconds, below 10^14 milliseconds, below 10^17 microseconds,
/// else nanoseconds. All are floored to milliseconds and must be from 2000-01-01 to before
/// 2100-01-01, in UTC.
struct TimestampReader {
  typealias Address = UnsafePointer<UInt8>

  enum Result: Equatable {
    case time(Int64)
    case timeWithoutOffset(Int64)
    case bad
    /// Written as a time, of a day or an hour that there isn't: the 30th of February.
    case impossible
    /// Six digits of a number with ten or thirteen, as spreadsheets write long numbers.
    case rounded
    /// Days since 1900, as spreadsheets keep times.
    case serial
    /// A date alone.
    case date
    /// A date that ends with its year, of which nothing says which number is the month.
    case ambiguous
    case outOfRange
  }

  static let dateAdvice =
    "a date without a time of day: what came first on a day isn't known, so export the time too"
  static let formAdvice = "in a form that is not known: write it as 2026-01-21T10:00:00Z"
  static let impossibleAdvice = "of a day or an hour that doesn't exist"
  static let ambiguousAdvice =
    "a date of which nothing says whether the month or the day comes first: no time of the file "
    + "decides it, or they disagree; say it with 'fields: {timestamp: {date_order: month_first}}' "
    + "or day_first in the flow file"
  static let roundedAdvice = "rounded by a spreadsheet: export it as text"

  static let earliest: Int64 = 946_684_800_000
  static let end: Int64 = 4_102_444_800_000

  /// The date read last, as its first eight and last two bytes, and its midnight: most events of
  /// a dump are of few days.
  private var cachedHead: UInt64 = 0
  private var cachedTail: UInt16 = 0
  private var cachedMidnight: Int64 = 0
  /// Which number is the month in dates that end with the year; `nil` where it isn't known.
  var dayOrder: DayOrder?
  /// Whether such a date is read in the order in which there is such a day.
  var takesAnyOrder = false
  /// The zones whose names stood behind times.
  private var zones: [[UInt8]: LocalClock?] = [:]
  /// There are fewer; what else is called like one is looked up anew each time.
  private static let mostZones = 600

  /// A JSON number, or a string's text. At least 32 bytes from `start` can be read; `scratch` has
  /// room for `end - start` bytes.
  @inline(__always)
  mutating func read(
    _ start: Address, _ end: Address, scratch: UnsafeMutablePointer<UInt8>
  ) -> Result {
    let count = unsafe end - start
    if count >= 19, unsafe isOnKnownDay(start) {
      if let result = unsafe readOnKnownDay(start, count) { return result }
    } else if count == 13 || count == 10 || count == 16 {
      if let result = unsafe Self.wholeNumber(start, count) { return result }
    }
    return unsafe readAny(start, end, scratch: scratch)
  }

  /// A string's text that ends with a Z and is on the day read before; nil for any other.
  @inline(__always)
  func readInUTC(_ start: Address, _ count: Int) -> Int64? {
    guard count >= 20, unsafe start[count &- 1] == UInt8(ascii: "Z"), unsafe isOnKnownDay(start),
      case .time(let time)? = unsafe readOnKnownDay(start, count)
    else { return nil }
    return time
  }

  /// Whether a text of 10 bytes or more begins with the date read last.
  @inline(__always)
  private func isOnKnownDay(_ start: Address) -> Bool {
    let raw = unsafe UnsafeRawPointer(start)
    return unsafe raw.loadUnaligned(as: UInt64.self) == cachedHead
      && raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self) == cachedTail
  }

  /// The common forms on a day seen before: to the second, the millisecond or the microsecond, in
  /// UTC or without an offset. Nil for any other.
  @inline(__always)
  private func readOnKnownDay(_ start: Address, _ count: Int) -> Result? {
    let raw = unsafe UnsafeRawPointer(start)
    guard unsafe start[10] == UInt8(ascii: "T") || start[10] == UInt8(ascii: " "),
      let second = unsafe Self.secondOfDay(
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 11, as: UInt64.self)))
    else { return nil }
    var time = cachedMidnight &+ second &* 1000
    var (p, rest) = unsafe (start + 19, count &- 19)
    if unsafe rest >= 4 && p[0] == UInt8(ascii: ".") {
      guard
        let milliseconds = unsafe Self.thousandths(
          UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 19, as: UInt32.self)))
      else { return nil }
      time &+= milliseconds
      unsafe (p, rest) = (p + 4, rest &- 4)
      if rest >= 3, unsafe Self.two(p) < 100, unsafe p[2] &- UInt8(ascii: "0") < 10 {
        unsafe (p, rest) = (p + 3, rest &- 3)
      }
    }
    if unsafe rest == 1 && p[0] == UInt8(ascii: "Z") { return Self.inRange(time) }
    guard rest == 0 else { return nil }
    let result = Self.inRange(time)
    return result == .outOfRange ? result : .timeWithoutOffset(time)
  }

  /// The seconds of `10:20:30`, the first character in the lowest byte; nil for another text.
  @inline(__always)
  private static func secondOfDay(_ text: UInt64) -> Int64? {
    // Digits become their values, and colons 0; 6 more brings what is above 9 to the next bits.
    let digits = text ^ 0x3030_3A30_303A_3030
    guard (digits | digits &+ 0x0606_0006_0600_0606) & 0xF0F0_FFF0_F0FF_F0F0 == 0 else {
      return nil
    }
    let pairs = digits &* 10 &+ digits &>> 8
    let (hour, minute, second) = (pairs & 0xFF, pairs &>> 24 & 0xFF, pairs &>> 48 & 0xFF)
    guard hour < 24 && minute < 60 && second < 60 else { return nil }
    return Int64(truncatingIfNeeded: (hour &* 60 &+ minute) &* 60 &+ second)
  }

  /// The number that is `.123`; nil where there are no three digits.
  @inline(__always)
  private static func thousandths(_ text: UInt32) -> Int64? {
    let digits = (text ^ 0x3030_3000) &>> 8
    guard (digits | digits &+ 0x06_0606) & 0xF0_F0F0 == 0 else { return nil }
    return Int64((digits & 0xF) &* 100 &+ (digits &>> 8 & 0xF) &* 10 &+ digits &>> 16)
  }

  /// A time in seconds, milliseconds or microseconds, by its 10, 13 or 16 digits; nil for other
  /// texts.
  @inline(__always)
  private static func wholeNumber(_ start: Address, _ count: Int) -> Result? {
    let raw = unsafe UnsafeRawPointer(start)
    let first = unsafe UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
    // The other digits, with zeros before them.
    let missing = UInt64(truncatingIfNeeded: 8 &* (16 &- count))
    let second = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let last = missing == 0 ? second : second &<< missing | zeros &>> (64 &- missing)
    guard unsafe start[0] != UInt8(ascii: "0"), areDigits(first), areDigits(last) else {
      return nil
    }
    let (high, low) = (value(first), value(last))
    switch count {
    case 10: return inRange((high &* 100 &+ low) &* 1000)
    case 13: return inRange(high &* 100_000 &+ low)
    default: return inRange((high &* 100_000_000 &+ low) / 1000)
    }
  }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  @inline(__always)
  private static func areDigits(_ word: UInt64) -> Bool {
    let high = 0xF0F0_F0F0_F0F0_F0F0 as UInt64
    return word & high == zeros && (word &+ 0x0606_0606_0606_0606) & high == zeros
  }

  /// The number that eight digits are, the first in the lowest byte: pairs, then fours, then all.
  @inline(__always)
  private static func value(_ digits: UInt64) -> Int64 {
    let pairs = ((digits & 0x0F0F_0F0F_0F0F_0F0F) &* 2561) &>> 8
    let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
    let all = ((fours & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
    return Int64(truncatingIfNeeded: all)
  }

  @inline(never)
  private mutating func readAny(
    _ start: Address, _ end: Address, scratch: UnsafeMutablePointer<UInt8>
  ) -> Result {
    let result = unsafe readBare(start, end, scratch: scratch)
    guard result == .bad else { return result }
    let (first, last) = unsafe LooseDate.withoutBlanks(start, end)
    if unsafe first == last || (first == start && last == end) { return .bad }
    return unsafe readBare(first, last, scratch: scratch)
  }

  /// Reads a text without blanks around it.
  private mutating func readBare(
    _ start: Address, _ end: Address, scratch: UnsafeMutablePointer<UInt8>
  ) -> Result {
    if let number = unsafe Decimal(start, end, scratch: scratch) {
      if unsafe Self.isRounded(number, start, end) { return .rounded }
      // `20260121100000` has a time's digits, and is no number of anything since 1970.
      let time = Self.time(of: number)
      return time == .outOfRange && number.point == 14 ? .bad : time
    }
    if unsafe end - start > 2,
      unsafe YearLastDate.isMark(start[1]) || YearLastDate.isMark(start[2]),
      let result = unsafe readYearLast(start, end)
    {
      return result
    }
    if unsafe end - start >= 13, unsafe start[8] | 0x20 == UInt8(ascii: "t"),
      unsafe start[7] &- UInt8(ascii: "0") < 10
    {
      return unsafe readLoosely(start, end)
    }
    guard unsafe start[4] == UInt8(ascii: "-") || start[4] == UInt8(ascii: "/") else {
      return unsafe MailDate.read(start, end)
    }
    let result = unsafe readDate(start, end)
    return unsafe result == .bad ? readLoosely(start, end) : result
  }

  /// A date whose parts are written otherwise than RFC 3339 has them: written as there, then read.
  private mutating func readLoosely(_ start: Address, _ end: Address) -> Result {
    let text = unsafe UnsafeBufferPointer(start: start, count: min(end - start, 64))
    guard let written = unsafe LooseDate(text) else { return .bad }
    if written.isDateAlone { return .date }
    let result = unsafe written.text.withUnsafeBufferPointer { padded -> Result in
      guard let base = padded.baseAddress else { return .bad }
      return unsafe readDate(base, base + written.count)
    }
    guard !written.zone.isEmpty, case .timeWithoutOffset(let reading) = result else {
      return written.zone.isEmpty ? result : .bad
    }
    return clock(of: written.zone).map { Self.inRange($0.instant(of: reading)) } ?? .bad
  }

  /// A date that ends with its year; `nil` for anything else.
  private mutating func readYearLast(_ start: Address, _ end: Address) -> Result? {
    let text = unsafe UnsafeRawBufferPointer(start: start, count: end - start)
    guard let date = unsafe YearLastDate(text) else { return nil }
    if date.isDateAlone { return .date }
    guard let order = dayOrder ?? (takesAnyOrder ? date.order ?? .monthFirst : nil) else {
      return .ambiguous
    }
    let written = date.text(order)
    return unsafe written.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return .bad }
      return unsafe readLoosely(base, base + bytes.count)
    }
  }

  /// The clock of a zone by its name; `nil` where none is called so.
  private mutating func clock(of zone: [UInt8]) -> LocalClock? {
    if let known = zones[zone] { return known }
    let clock = LocalClock(ofKnown: String(decoding: zone, as: UTF8.self))
    if zones.count < Self.mostZones { zones[zone] = .some(clock) }
    return clock
  }

  /// Whether a spreadsheet wrote the number: `1.76761E+12` stands for any time within three hours.
  private static func isRounded(_ number: Decimal, _ start: Address, _ end: Address) -> Bool {
    let isTime = number.point == 10 || number.point == 13
    guard isTime, number.count <= 6, unsafe end - start >= 5 else { return false }
    let exponent = unsafe end - 4
    return unsafe exponent[0] == UInt8(ascii: "E") && exponent[1] == UInt8(ascii: "+")
  }

  private static func time(of number: Decimal) -> Result {
    // As seconds these would be of the morning of the first day of 1970.
    if !number.isNegative, number.point == 5, let days = number.scaledDown(shift: 0),
      (36_526..<73_051).contains(days)
    {
      return .serial
    }
    let shift =
      switch number.point {
      case ...11: 3
      case 12...14: 0
      case 15...17: -3
      default: -6
      }
    guard !number.isNegative, let milliseconds = number.scaledDown(shift: shift) else {
      return .outOfRange
    }
    return inRange(milliseconds)
  }

  @inline(__always)
  static func inRange(_ milliseconds: Int64) -> Result {
    milliseconds >= earliest && milliseconds < end ? .time(milliseconds) : .outOfRange
  }

  private mutating func readDate(_ start: Address, _ end: Address) -> Result {
    guard unsafe end - start >= 19, unsafe start[4] == UInt8(ascii: "-"),
      unsafe start[7] == UInt8(ascii: "-"),
      unsafe start[10] == UInt8(ascii: " ") || start[10] | 0x20 == UInt8(ascii: "t"),
      unsafe start[13] == UInt8(ascii: ":"), unsafe start[16] == UInt8(ascii: ":")
    else { return .bad }
    let year = unsafe Self.two(start) * 100 + Self.two(start + 2)
    let (month, day) = unsafe (Self.two(start + 5), Self.two(start + 8))
    let (hour, minute, second) = unsafe (
      Self.two(start + 11), Self.two(start + 14), Self.two(start + 17)
    )
    guard unsafe Self.two(start) < 100, unsafe Self.two(start + 2) < 100, month < 100, day < 100,
      hour < 100, minute < 100, second < 100
    else { return .bad }
    guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, year: year),
      hour < 24, minute < 60, second <= 60
    else { return .impossible }
    var p = unsafe start + 19
    guard let fraction = unsafe Self.fraction(&p, end) else { return .bad }
    // Snowflake's `2026-01-21 10:00:00.000 Z`.
    if unsafe end - p == 2, unsafe p[0] == UInt8(ascii: " "), unsafe start[10] == p[0] {
      unsafe p += 1
    }
    guard let offset = unsafe Self.offset(p, end) else { return .bad }
    let midnight = Self.midnight(year: year, month: month, day: day)
    let secondOfDay = Int64(hour * 3600 + minute * 60 + second)
    let seconds = midnight / 1000 + secondOfDay - Int64(offset.minutes) * 60
    // Second 60 has already been carried: it must now be a midnight.
    if second == 60 && seconds % 86_400 != 0 { return .impossible }
    let raw = unsafe UnsafeRawPointer(start)
    cachedHead = unsafe raw.loadUnaligned(as: UInt64.self)
    cachedTail = unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    cachedMidnight = midnight
    let result = Self.inRange(seconds * 1000 + fraction)
    if case .time(let time) = result, !offset.isGiven { return .timeWithoutOffset(time) }
    return result
  }

  /// The value of two digits; 100 or more if they are none.
  @inline(__always)
  static func two(_ p: Address) -> UInt32 {
    let tens = unsafe UInt32(p[0] &- UInt8(ascii: "0"))
    let ones = unsafe UInt32(p[1] &- UInt8(ascii: "0"))
    return tens < 10 && ones < 10 ? tens &* 10 &+ ones : 1000
  }

  private static func fraction(_ p: inout Address, _ end: Address) -> Int64? {
    guard unsafe p < end && (p.pointee == UInt8(ascii: ".") || p.pointee == UInt8(ascii: ","))
    else {
      return 0
    }
    unsafe p += 1
    var count = 0
    var milliseconds: Int64 = 0
    while unsafe p < end && p.pointee &- UInt8(ascii: "0") < 10 {
      if count < 3 {
        milliseconds = unsafe milliseconds * 10 + Int64(p.pointee - UInt8(ascii: "0"))
      }
      count += 1
      unsafe p += 1
    }
    guard count >= 1 && count <= 9 else { return nil }
    return count == 1 ? milliseconds * 100 : count == 2 ? milliseconds * 10 : milliseconds
  }

  private static func offset(_ p: Address, _ end: Address) -> (minutes: Int, isGiven: Bool)? {
    var p = unsafe p
    if unsafe end - p == 4, unsafe p[0] == UInt8(ascii: " "), unsafe p[1] == UInt8(ascii: "U"),
      unsafe p[2] == UInt8(ascii: "T"), unsafe p[3] == UInt8(ascii: "C")
    {
      return (0, true)
    }
    if unsafe end - p >= 4 && p[0] == UInt8(ascii: " ") { unsafe p += 1 }
    let count = unsafe end - p
    if count == 0 { return (0, false) }
    if count == 1 { return unsafe p.pointee | 0x20 == UInt8(ascii: "z") ? (0, true) : nil }
    guard unsafe p[0] == UInt8(ascii: "+") || p[0] == UInt8(ascii: "-") else { return nil }
    let hours = unsafe two(p + 1)
    var minutes: UInt32 = 0
    switch count {
    case 3: break
    case 5: minutes = unsafe two(p + 3)
    case 6 where unsafe p[3] == UInt8(ascii: ":"): minutes = unsafe two(p + 4)
    default: return nil
    }
    guard hours < 24 && minutes < 60 else { return nil }
    let total = Int(hours * 60 + minutes)
    return unsafe (p[0] == UInt8(ascii: "-") ? -total : total, true)
  }

  static func days(inMonth month: UInt32, year: UInt32) -> UInt32 {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Days from civil, after Howard Hinnant's "chrono-compatible low-level date algorithms".
  static func midnight(year: UInt32, month: UInt32, day: UInt32) -> Int64 {
    let shifted = Int64(year) - (month <= 2 ? 1 : 0)
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (Int64(month) + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400_000
  }
}
