import EventInput
import Foundation
import Testing

/// Every form of a timestamp, and what is none.
struct TimestampTests {
  static func time(_ json: String) throws -> Int64? {
    try scan("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\(json)}").events.first?.time
  }

  /// Summer and winter in Berlin, the hour that is there twice, the one that isn't, and times that
  /// say their offset.
  @Test(arguments: [
    ("1768993200", 1_768_989_600), ("1782036000", 1_782_028_800), ("1792893600", 1_792_886_400),
    ("1792897200", 1_792_893_600), ("1774749600", 1_774_742_400),
    ("\"2026-01-21T11:00:00\"", 1_768_989_600), ("\"2026-01-21T10:00:00Z\"", 1_768_989_600),
  ])
  func clockReadingsOfAZoneAreInstants(json: String, seconds: Int64) throws {
    var plan = TestPlan.plan()
    plan.timeZone = "Europe/Berlin"
    let outcome = try scan(
      "{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\(json)}", plan: plan)
    #expect(outcome.events.map(\.time) == [seconds * 1000])
  }

  static let base: Int64 = 1_768_989_600_000  // 2026-01-21T10:00:00Z

  @Test(arguments: [
    ("\"2026-01-21T10:00:00Z\"", 0), ("\"2026-01-21T10:00:00.123Z\"", 123),
    ("\"2026-01-21 10:00:00.1Z\"", 100), ("\"2026-01-21t10:00:00.12z\"", 120),
    ("\"2026-01-21T10:00:00.123999999Z\"", 123), ("\"2026-01-21T12:00:00+02:00\"", 0),
    ("\"2026-01-21T04:30:00.5-05:30\"", 500), ("\"2026-01-21T10:00:00-00:00\"", 0),
    ("\"2026-01-22T09:59:00+23:59\"", 0), ("\"2026-01-21T12:00:00+0200\"", 0),
    ("\"2026-01-21T12:00:00+02\"", 0), ("\"2026-01-21T10:00:00\"", 0),
    ("\"2026-01-21 10:00:00 UTC\"", 0), ("\"2026-01-21 10:00:00.123456 UTC\"", 123),
    ("\"2026-01-21 12:00:00 +0200\"", 0), ("\"2026-01-21 04:30:00.5 -05:30\"", 500),
    ("\"2026-01-21 12:00:00 +02\"", 0), ("\"2026-01-21 10:00:00.5 Z\"", 500),
    ("\"2026-01-21T10:00:00.123456\"", 123), ("\"2026-01-21T10:00:00\\u005a\"", 0),
    ("1768989600", 0), ("1768989600.1239", 123), ("1.7689896e9", 0), ("1768989600000", 0),
    ("1768989600000.9", 0), ("1768989600000999", 0), ("1768989600123456", 123),
    ("1768989600123456789", 123), ("1768989600123456789.99", 123), ("\"1768989600\"", 0),
    ("\"1768989600.5\"", 500), ("\"1768989600123456789\"", 123), ("17689896e2", 0),
    ("\"17689896\\u0030\\u0030\"", 0), ("\"2026-01-21T10:00:00,123Z\"", 123),
    ("\"2026-01-21 10:00:00 AM\"", 0), ("\"2026-01-20 10:00:00.5 pm -12:00\"", 500),
    ("\"2026/1/21 10:00\\u202fAM UTC\"", 0), ("\"2026-01-21 12:00:00 AM -10:00\"", 0),
    ("\"20260121T100000Z\"", 0), ("\"20260121t1200+0200\"", 0), ("\"20260121T100000.25\"", 250),
    ("\" 2026-01-21 10:00:00\"", 0), ("\"\\u00a02026-01-21T10:00:00Z \"", 0),
    ("\" 1768989600\"", 0), ("\"2026-01-21 02:00:00.000 America/Los_Angeles\"", 0),
    ("\"2026-01-21 11:00 Europe/Berlin\"", 0), ("\"2026-01-21 10:00:00 Etc/UTC\"", 0),
    ("\"Wed, 21 Jan 2026 10:00:00 GMT\"", 0), ("\"Wed, 21 Jan 2026 12:00:00 +0200\"", 0),
    ("\"21 Jan 2026 10:00 UT\"", 0), ("\"wed, 21 jan 2026 05:00:00 EST\"", 0),
    ("\"2026-01-21T10:00Z\"", 0), ("\"2026-1-21T10:00:00Z\"", 0), ("\"2026/1/21 10:00\"", 0),
    ("\"2026/01/21T12:00:00.5+02:00\"", 500), ("\"2026-01-21 12:00+02\"", 0),
    ("\"21 Jan 2026 10:00:00\"", 0), ("\"Wednesday, 21 Jan 2026 10:00:00 -0000\"", 0),
  ])
  func read(json: String, milliseconds: Int64) throws {
    #expect(try Self.time(json) == Self.base + milliseconds, "\(json)")
    // Behind one of the same day, which is read in another way.
    let outcome = try scan(
      "\(line())\n{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\(json)}")
    #expect(outcome.events.last?.time == Self.base + milliseconds, "\(json)")
    #expect(outcome.events.count == 2)
  }

  /// Whole numbers of usual lengths are read at once, others digit by digit.
  @Test func wholeNumbersAreThoseWithAPoint() throws {
    var generator = SeededGenerator(seed: 9)
    var numbers: [String] = []
    for count in 1...20 {
      for round in 0..<40 {
        let digits = (0..<count).map { _ in Int.random(in: 0...9, using: &generator) }
        let text = digits.map(String.init).joined()
        numbers.append(round < 20 ? text : "1\(text)")
      }
    }
    func outcome(_ ending: String) throws -> ScanOutcome {
      try scan(
        numbers.map {
          "{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\"\($0)\(ending)\"}"
        }.joined(separator: "\n"))
    }
    let (whole, pointed) = (try outcome(""), try outcome(".0"))
    #expect(whole.events.map(\.time) == pointed.events.map(\.time))
    #expect(whole.events.count > 60)
    let keys = ["line", "reason", "detail"]
    #expect(
      whole.rejects.map { reject in keys.map { reject[$0] } }
        == pointed.rejects.map { reject in keys.map { reject[$0] } })
  }

  @Test(arguments: [
    "2026-01-21", "2026-01-21T10:0Z", "026-01-21T10:00:00Z", "2026-02-30T10:00:00Z",
    "2026/1-21 10:00", "2026-001-21 10:00", "2026-1-21 10", "2026/2/30 10:00",
    "02.01.2026 10:00", "13/21/2026 10:00", "21/01/2026", "01/21/26 10:00", "01/21.2026 10:00",
    "021/01/2026 10:00", "21/01/2026x10:00", "21/02/2026 24:00", "30/02/2026 10:00",
    "2026/1/21 10:00:0", "2026/13/1 1:00",
    "2026/1/21/10:00",
    "2025-02-29T10:00:00Z", "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z", "2026-01-00T10:00:00Z",
    "2026-01-21T24:00:00Z", "2026-01-21T10:60:00Z", "2026-01-21T10:00:61Z",
    "2026-01-21T10:00:60Z", "2026-01-21T10:00:00.Z", "2026-01-21T10:00:00.1234567890Z",
    "2026-01-21T10:00:00+24:00", "2026-01-21T10:00:00+02:60", "2026-01-21T10:00:00+2:00",
    "2026-01-21T10:00:00ZZ", "2026-01-21T10:00:00 Z", "2026-01-21 13:00:00 PM",
    "2026-01-21 00:00 am",
    "2026-01-21T10:00:00UTC", "2026-01-21T10:00:00 CET", "2026-01-21 10:00:00 Europe/Nowhere",
    "2026-01-21 10:00:00 amt", "2026-01-21 10:00 PM/AM", "20260121 100000Z", "20260121T10Z",
    "2026-01-21T10:00:00  +0200", "2026-01-21T10:00:00 0200", "2026-01-21T10:00:00.12aZ",
    "2026-01-21x10:00:00Z", "20260121T1000001Z", "1e", "-", " ",
    "Wed, 21 Jan 26 10:00:00 GMT", "Wed, 32 Jan 2026 10:00:00 GMT", "21 Jan 2026",
    "Wed, 21 Jan 2026 24:00:00 GMT", "Wed, 21 Jan 2026 10:00:00 CET", "21 Jane 2026 10:00:00",
    "Wed, 21 Jan 2026 10:00:00 +01:00", "Wed, 21 Jan 2026 1:00:00 GMT",
    "Wed, 21 Jan 2026 10:00:00 GMT extra", "29 Feb 2025 10:00:00 GMT", "Wed 2026",
    "1768989600,5", "2026-01-21T10:00:0:Z", "2026-01-21T1/:00:00Z",
  ])
  func bad(text: String) throws {
    // Behind a good one, so that the cached date is in place.
    let outcome = try scan(
      "\(line())\n{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\"\(text)\"}")
    #expect(outcome.reasons == ["bad_timestamp"])
  }

  /// Of dates that end with the year, one that shows the order decides it for the file's others.
  @Test(arguments: [
    ("01/02/2026 10:00", "01/21/2026 10:00", "2026-01-02T10:00:00Z"),
    ("01/02/2026 10:00", "21/01/2026 10:00", "2026-02-01T10:00:00Z"),
    ("1.2.2026 10:00:00.5 +02:00", "21.1.2026 9:00", "2026-02-01T08:00:00.5Z"),
    ("2-1-2026, 1:00 PM", "1-21-2026 10:00", "2026-02-01T13:00:00Z"),
    ("1/2/2026T10:00:00Z", " 1/21/2026 10:00", "2026-01-02T10:00:00Z"),
  ])
  func `a date says for others which number is the month`(
    text: String, other: String, wanted: String
  ) throws {
    func line(_ text: String) -> String {
      "{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\"\(text)\"}\n"
    }
    let outcome = try scan(line(text) + line(other))
    #expect(outcome.reasons == [] && outcome.events.count == 2)
    #expect(try outcome.events.first?.time == Self.time("\"\(wanted)\""))
    // A plan that says the other thing has the last word.
    for order in DayOrder.allCases {
      var plan = TestPlan.plan()
      plan.dayOrder = order
      #expect(try scan(line("01/02/2026 10:00"), plan: plan).events.count == 1)
    }
    #expect(try scan(line(text)).reasons == ["bad_timestamp"])
  }

  @Test func range() throws {
    for (text, isIn) in [
      ("\"2000-01-01T00:00:00Z\"", true), ("\"1999-12-31T23:59:59.999Z\"", false),
      ("\"2099-12-31T23:59:59.999Z\"", true), ("\"2100-01-01T00:00:00Z\"", false),
      ("\"2100-01-01T00:30:00+01:00\"", true), ("\"2000-01-01T00:30:00+01:00\"", false),
      ("946684800", true), ("946684799.999", false), ("-1768989600", false), ("0", false),
      ("4102444799999999999", true), ("4102444800000000000", false), ("1e300", false),
      ("1e-300", false), ("99999999999999999999999999", false),
    ] {
      let outcome = try scan("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\(text)}")
      #expect(outcome.reasons == (isIn ? [] : ["timestamp_out_of_range"]), "\(text)")
    }
  }

  /// Days since 1900: as seconds they would be of 1970.
  @Test(arguments: ["46043.4166666667", "\"46043.41667\"", "46043", "36526", "73050.99"])
  func spreadsheetsDaysAreNamed(json: String) throws {
    let outcome = try scan("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\(json)}")
    #expect(outcome.reasons == ["bad_timestamp"])
    #expect(outcome.rejects.first?["detail"]?.contains("yyyy-mm-dd hh:mm:ss") == true)
  }

  @Test(arguments: ["36525.9", "73051", "-46043", "4604", "460430"])
  func otherSmallNumbersAreOutOfRange(json: String) throws {
    let outcome = try scan("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\(json)}")
    #expect(outcome.reasons == ["timestamp_out_of_range"])
  }

  @Test func leapSecondIsTheNextMidnight() throws {
    let midnight: Int64 = 1_483_228_800_000  // 2017-01-01
    #expect(try Self.time("\"2016-12-31T23:59:60Z\"") == midnight)
    #expect(try Self.time("\"2016-12-31T23:59:60.5Z\"") == midnight + 500)
    #expect(try Self.time("\"2017-01-01T00:59:60+01:00\"") == midnight)
  }

  @Test func timesWithoutOffsetAreCounted() throws {
    let text = [
      "\"2026-01-21T10:00:00\"", "\"2026-01-21T10:00:00Z\"", "\"2026-01-21 10:00:00.5\"",
      "1768989600",
    ].map { "{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\($0)}" }.joined(separator: "\n")
    #expect(try scan(text).summary.timestampsWithoutOffset == 2)
  }

  @Test func agreesWithFoundationOnRandomDates() throws {
    var generator = SeededGenerator(seed: 7)
    var lines: [String] = []
    var expected: [Int64] = []
    for _ in 0..<2000 {
      let seconds = Int64.random(in: 946_684_800..<4_102_444_800, using: &generator)
      let style = Date.ISO8601FormatStyle(timeZone: .gmt)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
      expected.append(seconds * 1000)
      lines.append("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\"\(text)\"}")
    }
    #expect(try scan(lines.joined(separator: "\n")).events.map(\.time) == expected)
  }
}
