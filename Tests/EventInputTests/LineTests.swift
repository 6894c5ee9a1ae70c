import EventInput
import Foundation
import Testing

/// Lines as they come: broken, hostile, and merely unusual.
struct LineTests {
  @Test(arguments: [
    ("{", "malformed_json"), ("{}", "missing_event"), ("[1,2]", "not_an_object"),
    ("42", "not_an_object"), ("\"x\"", "not_an_object"), ("[1,", "malformed_json"),
    ("nonsense", "malformed_json"), ("{\"a\":1,}", "malformed_json"),
    ("{\"a\":01}", "malformed_json"), ("{\"a\":1.}", "malformed_json"),
    ("{\"a\":+1}", "malformed_json"), ("{\"a\":1e}", "malformed_json"),
    ("{\"a\":tru}", "malformed_json"), ("{\"a\":NaN}", "malformed_json"),
    ("{\"a\":\"\\x\"}", "malformed_json"), ("{\"a\":\"\\u12g4\"}", "malformed_json"),
    ("{\"a\":\"\t\"}", "malformed_json"), ("{\"a\" 1}", "malformed_json"),
    ("{\"a\":[1 2]}", "malformed_json"), ("{\"a\":{\"b\":[}]}}", "malformed_json"),
    ("{a:1}", "malformed_json"), ("{'a':1}", "malformed_json"), ("{\"a\":1}}", "malformed_json"),
    ("{\"a\":1} {\"a\":1}", "malformed_json"), ("{\"a\":[{]}", "malformed_json"),
    ("{\"event\":\"x\",\"user_id\":\"u\"}", "missing_timestamp"),
    ("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\"\"}", "missing_timestamp"),
    ("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\"soon\"}", "bad_timestamp"),
    ("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":\"1.76761E+12\"}", "bad_timestamp"),
    ("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":1.76761E+12}", "bad_timestamp"),
    ("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":[]}", "bad_timestamp"),
    ("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":true}", "bad_timestamp"),
    ("{\"event\":\"x\",\"user_id\":\"u\",\"timestamp\":1}", "timestamp_out_of_range"),
    ("{\"event\":\"x\",\"timestamp\":1768989600}", "missing_id"),
    ("{\"event\":\"\",\"user_id\":\"u\",\"timestamp\":1768989600}", "missing_event"),
    ("{\"event\":[],\"user_id\":\"u\",\"timestamp\":1768989600}", "missing_event"),
    ("{\"event\":null,\"user_id\":\"u\",\"timestamp\":1768989600}", "missing_event"),
  ])
  func rejected(text: String, reason: String) throws {
    // A bad line costs itself alone.
    let outcome = try scan("\(line())\n\(text)\n\(line())\n")
    #expect(outcome.reasons == [reason])
    #expect(outcome.rejects.first?["line"] == "2")
    #expect(outcome.rejects.first?["text"] == text)
    #expect(outcome.events.count == 2)
    #expect(outcome.summary.lines == 3)
  }

  @Test(arguments: [
    "00000000-0000-0000-0000-000000000000", "", "0", "---",
  ])
  func emptyIdsAreMissing(id: String) throws {
    let text = "{\"event\":\"x\",\"user_id\":\"\(id)\",\"timestamp\":1768989600}"
    #expect(try scan(text).reasons == ["missing_id"])
    #expect(try scan(text, plan: TestPlan.plan(identifiers: .user)).reasons == ["missing_user_id"])
    #expect(
      try scan(text, plan: TestPlan.plan(identifiers: .device)).reasons == ["missing_device_id"])
    #expect(IdentifierKey.fixed.hash(of: id, domain: .user).isMissing)
  }

  @Test func idsOfAnyType() throws {
    func hash(_ json: String) throws -> IdentifierHash? {
      try scan("{\"event\":\"x\",\"user_id\":\(json),\"device_id\":7,\"timestamp\":1768989600}")
        .events.first?.user
    }
    let key = IdentifierKey.fixed
    for text in ["42", "42.0", "\"42\"", "4.2e1", "420e-1", "\"\\u0034\\u0032\"", "0.42E+2"] {
      #expect(try hash(text) == key.hash(of: "42", domain: .user), "\(text)")
    }
    let long = "123456789012345678901234567890"
    #expect(try hash(long) == key.hash(of: long, domain: .user))
    // Floating point holds every whole number below 2^53 only, and is known by how it is written.
    let rounded = ["1e30", "9007199254740992.0", "-1.8E+16", "12345678901234567.5", "1e400"]
    for text in rounded + ["\(long).0"] {
      #expect(try hash(text)?.isMissing == true, "\(text)")
    }
    for text in ["9007199254740991.0", "9.007199254740991e15", "9007199254740991"] {
      #expect(try hash(text) == key.hash(of: "9007199254740991", domain: .user), "\(text)")
    }
    #expect(try hash("-5") == key.hash(of: "-5", domain: .user))
    #expect(try hash("1.50") == key.hash(of: "1.5", domain: .user))
    for text in ["null", "[]", "{}", "true", "-0", "0.0"] {
      #expect(try hash(text)?.isMissing == true, "\(text)")
    }
  }

  @Test func valuesAsText() throws {
    for (json, text) in [
      ("1.0", "1"), ("1e2", "100"), ("-0", "0"), ("2.50", "2.5"), ("5e-1", "0.5"), ("7", "7"),
      ("-12", "-12"), ("true", "true"), ("false", "false"), ("null", "(none)"), ("\"\"", "(none)"),
      ("[1]", "(none)"), ("{\"a\":1}", "(none)"), ("\"a\\/b\\n\\u00e9\\ud83d\\ude00\"", "a/b\né😀"),
      ("\"\\ud800x\"", "\u{FFFD}x"), ("\"größe\"", "größe"), ("\"1\"", "1"),
      ("9007199254740993", "9007199254740993"), ("1e400", "1e400"),
      ("\"\(String(repeating: "long ", count: 20))\"", String(repeating: "long ", count: 20)),
    ] {
      let outcome = try scan(line("\"properties\":{\"page_name\":\(json)}"))
      #expect(outcome.events.first?.values[1] == text, "\(json)")
    }
  }

  @Test func theLastOfEqualKeysWins() throws {
    for (json, page, size) in [
      ("\"properties\":{\"page_name\":\"a\",\"page_name\":\"b\"}", "b", "(none)"),
      ("\"properties\":{\"page_name\":\"a\",\"page_name\":null}", "(none)", "(none)"),
      ("\"properties\":{\"page_name\":\"a\"},\"properties\":{\"x\":1}", "(none)", "(none)"),
      ("\"properties\":{\"page_name\":\"a\"},\"properties\":7", "(none)", "(none)"),
      ("\"properties\":7,\"properties\":{\"page_name\":\"a\"}", "a", "(none)"),
      ("\"prop\\u0065rties\":{\"page\\u005fname\":\"a\"}", "a", "(none)"),
      ("\"context\":{\"device\":{\"screen\":{\"size\":3}}}", "(none)", "3"),
      (
        "\"context\":{\"device\":{\"screen\":{\"size\":3}},\"device\":{\"screen\":[]}}", "(none)",
        "(none)"
      ),
      (
        "\"context\":{\"device\":{\"screen\":{\"size\":3}},\"device\":\"x\"}", "(none)", "(none)"
      ),
    ] {
      let event = try scan(line(json)).events.first
      #expect(event?.values[1] == page, "\(json)")
      #expect(event?.values[4] == size, "\(json)")
    }
  }

  @Test func aValueAndWhatIsInsideIt() throws {
    let events = try scan(
      line("\"experiments\":\"all\"") + "\n" + line("\"experiments\":{\"copy\":\"B\"}") + "\n"
    ).events
    #expect(events.map { $0.values[5] } == ["(none)", "B"])
    #expect(events.map { $0.values[6] } == ["all", "(none)"])
  }

  @Test func whiteSpaceAndLineEnds() throws {
    let spaced =
      "  { \"event\" : \"started\" ,\t\"user_id\" : \"u1\" , \"timestamp\" :"
      + " \"2026-01-21T10:00:00Z\" , \"x\" : [ 1 , { } , [ ] , { \"a\" : null } ] }  \r"
    let text = "\u{FEFF}\(line())\r\n\n  \t\r\n\(spaced)\n\(line())"
    let outcome = try scan(text)
    #expect(outcome.events.count == 3)
    #expect(Set(outcome.events.map(\.description)).count == 1)
    #expect(outcome.summary.blankLines == 2)
    #expect(outcome.summary.lines == 3)
    #expect(outcome.summary.rejects == 0)
  }

  @Test func emptyFile() throws {
    for bytes in [
      [], Packing.gzip([]), Packing.zip([]), Packing.zstd([]), [10], [0xEF, 0xBB, 0xBF],
    ] {
      let outcome = try scan(bytes)
      #expect(outcome.events.isEmpty)
      #expect(outcome.summary.lines == 0)
      #expect(outcome.summary.damages.isEmpty)
    }
  }

  @Test func nesting() throws {
    func nested(_ depth: Int) -> String {
      line(
        "\"x\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
    #expect(try scan(nested(127)).events.count == 1)
    #expect(try scan(nested(128)).reasons == ["nested_too_deep"])
    let bomb = String(repeating: "[{\"a\":", count: 100_000)
    #expect(
      try scan(bomb + "\n" + line("\"x\":" + bomb) + "\n" + line()).reasons
        == ["nested_too_deep", "nested_too_deep"])
    let mixed = String(repeating: "[{\"a\":", count: 60) + "1" + String(repeating: "}]", count: 60)
    #expect(try scan(line("\"x\":\(mixed)")).events.count == 1)
    #expect(try scan(line("\"x\":\(mixed.dropLast())}")).reasons == ["malformed_json"])
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xC3], [0xE2, 0x82], [0x80], [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) throws {
    let parts = line("\"x\":\"@\"").split(separator: "@").map { Array($0.utf8) }
    let outcome = try scan(
      Array((line() + "\n").utf8) + parts[0] + bytes + parts[1] + Array(("\n" + line()).utf8))
    #expect(outcome.reasons == ["invalid_utf8"])
    #expect(outcome.events.count == 2)
    let kept = Data(base64Encoded: outcome.rejects.first?["bytes_base64"] ?? "")
    #expect(kept.map(Array.init) == parts[0] + bytes + parts[1])
  }

  @Test func longLines() throws {
    let plan = TestPlan.plan(maximumLineBytes: 1000)
    let long = line("\"x\":\"\(String(repeating: "y", count: 1000))\"")
    let outcome = try scan("\(line())\n\(long)\n\(line())\n", plan: plan)
    #expect(outcome.reasons == ["line_too_long"])
    #expect(outcome.rejects.first?["detail"] == "\(long.utf8.count) bytes; the limit is 1000")
    #expect(outcome.events.count == 2)
    // Beyond the block's size, and as the last line without its end.
    let longer = line("\"x\":\"\(String(repeating: "y", count: 3_000_000))\"")
    for text in ["\(longer)\n\(line())\n\(long)", "\(line())\n\(long)\n\(longer)"] {
      let outcome = try scan(text, plan: plan)
      #expect(outcome.reasons == ["line_too_long", "line_too_long"])
      #expect(outcome.events.count == 1)
      #expect(outcome.rejects.allSatisfy { ($0["text"]?.utf8.count ?? 0) <= 1 << 20 })
    }
    // Exactly at the limit.
    let exact = line().utf8.count
    #expect(try scan(line(), plan: TestPlan.plan(maximumLineBytes: exact)).events.count == 1)
    #expect(try scan(line(), plan: TestPlan.plan(maximumLineBytes: exact - 1)).events.isEmpty)
  }

  @Test func millionsOfNamesStayBounded() throws {
    let count = 20_000
    let text = (0..<count).map { line(event: "event \($0)") }.joined(separator: "\n")
    let outcome = try scan(text)
    #expect(outcome.events.count == count)
    #expect(Set(outcome.events.map { $0.values[0] }).count == 1001)
  }

  @Test func manyKeysAreLearnedAndForgottenWithoutHarm() throws {
    let text = (0..<5000).map { line("\"key\($0)\":\($0),\"properties\":{\"page_name\":\"p\"}") }
    let outcome = try scan(text.joined(separator: "\n"))
    #expect(outcome.events.count == 5000)
    #expect(outcome.events.allSatisfy { $0.values[1] == "p" })
  }
}
