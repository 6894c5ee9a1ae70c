import Testing

@testable import EventInput

/// Ids: the hash is the published one, and domains and keys don't mix.
struct IdentifierTests {
  /// From `vectors.h` of the reference implementation: key 00 01 … 0f, input 00 01 … of growing
  /// length, 128-bit output, here as its two little-endian words.
  static let vectors: [(count: Int, low: UInt64, high: UInt64)] = [
    (0, 0xe6a8_25ba_047f_81a3, 0x9302_55c7_1472_f66d),
    (1, 0x44af_996b_d8c1_87da, 0x45fc_229b_1159_7634),
    (2, 0xc75d_a4a4_8d22_7781, 0xe4ff_0af6_de8b_a3fc),
    (3, 0x4ea9_6752_0cb6_709c, 0x51ed_8529_b0b6_335f),
    // From 7 on as OpenSSL's SIPHASH gives them.
    (7, 0x53c1_dbd8_beeb_f1a1, 0x3982_f01f_a64a_b8c0),
    (8, 0x61f5_5862_baa9_623b, 0xb497_14f3_64e2_830f),
    (15, 0x11a8_b033_99e9_9354, 0xd9c3_cf97_0fec_087e),
    (16, 0xbb54_b067_caa4_e26e, 0x7705_2385_bf15_33fd),
    (36, 0x4648_c429_1f7d_c43d, 0x1167_4f90_ed76_9e1e),
    (63, 0x4a83_502f_77d1_5051, 0x7cbd_3f97_9a06_3e50),
  ]

  @Test(arguments: vectors)
  func referenceVectors(count: Int, low: UInt64, high: UInt64) {
    let hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
    let result = (0..<UInt8(count)).map { $0 }.withUnsafeBytes { hash.hash($0) }
    #expect(result.low == low)
    #expect(result.high == high)
  }

  @Test func equalIdsInTwoDomainsAndUnderTwoKeysDiffer() {
    let other = IdentifierKey(bytes: Array(1...16))
    let hashes = IdentifierDomain.allCases.flatMap { domain in
      [IdentifierKey.fixed.hash(of: "u1", domain: domain), other.hash(of: "u1", domain: domain)]
    }
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func theScannerHashesAsTheKeyDoes() throws {
    for id in ["a", "1234567", "12345678", "größe", String(repeating: "x", count: 100)] {
      let event = try scan(
        """
        {"event":"x","user_id":"\(id)","device_id":"d\(id)","session_id":"s\(id)",\
        "timestamp":1768989600}
        """
      ).events.first
      #expect(event?.user == IdentifierKey.fixed.hash(of: id, domain: .user))
      #expect(event?.device == IdentifierKey.fixed.hash(of: "d\(id)", domain: .device))
      let session = IdentifierKey.fixed.hash(of: "s\(id)", domain: .session)
      #expect(event.map { UInt64($0.session) } == session.low)
    }
  }
}

/// Ids that are none (definitions 3.1).
struct PlaceholderIdentifierTests {
  static let words = [
    "undefined", "null", "nil", "none", "nan", "n/a", "[object Object]", "anonymous", "guest",
    "unknown", "(not set)", "not_authenticated", "distinct_id", "distinctid", "id", "email", "true",
    "false", "-1", "9774d56d682e549c", "lmy47d", "0", "00000000-0000-0000-0000-000000000000", "-",
    "", "<na>",
  ]
  static let ids = [
    "na", "anon", "test", "admin", "user", "1", "-2", "--1", "01", "10", "0x0", "undefined1", "nul",
    "nullable", "not set", "object Object", "(undefined", "undefined)", "[null)",
    "((null))", "''''",
    "unde fined", "ünknown", "nil\u{301}", "9774d56d682e549d", "a", "u", "9c", "e", "\u{A0}",
    "0000-0001", "1-0", String(repeating: "n", count: 300), "0f3e0000-0000-4000-8000-000000000000",
  ]

  private func isMissing(_ text: String) -> Bool {
    IdentifierKey.fixed.hash(of: text, domain: .user).isMissing
  }

  @Test(arguments: words)
  func `a placeholder is no id, in any case, with blanks and one pair of signs around it`(
    word: String
  ) {
    for text in [word, word.uppercased(), word.lowercased()] {
      for (opening, closing) in ["", "\"\"", "''", "()", "<>", "[]", "{}"].map({
        ($0.prefix(1), $0.suffix(1))
      }) {
        for blank in ["", " ", "\t\n", "\0", String(repeating: " ", count: 400)] {
          let wrapped = "\(blank)\(opening)\(blank)\(text)\(blank)\(closing)\(blank)"
          #expect(isMissing(wrapped), "\(wrapped.debugDescription)")
        }
      }
    }
  }

  @Test(arguments: ids)
  func `what people may be called is an id`(id: String) {
    #expect(!isMissing(id))
    #expect(!isMissing("<\(id)>x"))
  }

  /// The quick look may let nothing through that the whole rule takes for none.
  @Test func `the quick look agrees with the rule on short texts`() {
    var generator = SeededGenerator(seed: 20_261_126)
    let pieces =
      Self.words + [" ", "\"", "'", "(", ")", "<", ">", "[", "]", "{", "}", "\t", "1", "x", "E"]
    var missing = 0
    for _ in 0..<200_000 {
      let text = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      let isPlaceholder = Array(text.utf8).withUnsafeBytes {
        $0.isEmpty || PlaceholderIdentifier.found(in: $0) != nil
      }
      if isMissing(text) != isPlaceholder { Issue.record("\(text.debugDescription)") }
      missing += isPlaceholder ? 1 : 0
    }
    #expect(missing > 5_000)
  }

  /// Lines of several shapes, so that some keys are predicted and others are not.
  private static func dump(_ repetitions: Int) -> (lines: [String], counts: [String: Int]) {
    var lines: [String] = []
    let time = "\"timestamp\":\"2026-01-21T10:00:00Z\""
    for number in 0..<repetitions {
      lines += [
        "{\"event\":\"x\",\"user_id\":\"undefined\",\"device_id\":\"d\(number)\",\(time)}",
        "{\"event\":\"x\",\"user_id\":\"u\(number)\",\"device_id\":\"(null)\",\(time)}",
        "{\"event\":\"x\",\"user_id\":\"u\(number)\",\"device_id\":\"d\(number)\",\(time)}",
        "{\"event\":\"x\",\"user_id\":\"\",\"device_id\":\"d\(number)\",\(time)}",
        "{\"event\":\"x\", \"user_id\":\"NULL\",\(time)}",
        "{\"event\":\"x\",\"device_id\":\"d\",\(time),\"user_id\":\"un\\u0064efined\"}",
        "{\"event\":\"x\",\"device_id\":\"d\",\(time),\"user_id\":-1}",
        "{\"event\":\"x\",\"device_id\":\"d\",\(time),\"user_id\":false}",
        "{\"event\":\"x\",\"device_id\":\"0-0\",\(time),\"user_id\":\"nan\"}",
      ]
    }
    let once = ["undefined": 2, "null": 2, "-1": 1, "false": 1, "NaN": 1]
    return (lines, once.mapValues { $0 * repetitions })
  }

  @Test func `placeholders are missing and counted, however their lines are read`() throws {
    let (lines, counts) = Self.dump(60)
    let outcome = try scan(lines.joined(separator: "\n"))
    #expect(outcome.summary.placeholders == counts)
    #expect(outcome.reasons == Array(repeating: "missing_id", count: 120))
    #expect(outcome.events.count == 7 * 60)
    let users = outcome.events.filter { !$0.user.isMissing }
    #expect(users.count == 2 * 60)
    #expect(Set(users.map(\.user)).count == 60)
    #expect(outcome.events.filter { $0.user.isMissing && $0.device.isMissing }.isEmpty)
  }

  static let formats: [(EventFormat.Name, String, Bool)] = [
    (
      .mixpanel,
      "{\"event\":\"A\",\"properties\":{\"time\":1770000000,\"distinct_id\":\"ID\"}}", false
    ),
    (
      .mixpanel,
      "{\"event\":\"A\",\"properties\":{\"time\":1770000000,\"distinct_id\":\"$device:ID\"}}",
      false
    ),
    (
      .posthog,
      "{\"uuid\":\"1\",\"event\":\"A\",\"timestamp\":\"2026-02-02 02:40:00.000000\","
        + "\"distinct_id\":\"ID\",\"properties\":{\"$device_id\":\"d\"}}", true
    ),
    (
      .segment,
      "{\"type\":\"track\",\"event\":\"A\",\"timestamp\":\"2026-02-02T02:40:00Z\","
        + "\"userId\":\"ID\",\"anonymousId\":\"d\"}", true
    ),
    (
      .amplitude,
      "{\"event_type\":\"A\",\"event_time\":\"2026-02-02 02:40:00.000000\",\"user_id\":\"ID\","
        + "\"device_id\":\"d\"}", true
    ),
  ]

  @Test(arguments: formats)
  func `they are missing in the formats of vendors`(
    format: EventFormat.Name, line: String, hasDevice: Bool
  ) throws {
    var plan = TestPlan.plan()
    plan.format = format
    let text = ["undefined", "[object Object]", "real"].map { line.replacing("ID", with: $0) }
    let outcome = try scan(text.joined(separator: "\n"), plan: plan)
    #expect(outcome.summary.placeholders == ["undefined": 1, "[object Object]": 1])
    #expect(outcome.events.count == (hasDevice ? 3 : 1))
    #expect(outcome.reasons == (hasDevice ? [] : ["missing_id", "missing_id"]))
    if hasDevice {
      #expect(outcome.events.map(\.user.isMissing) == [true, true, false])
      #expect(Set(outcome.events.map(\.device)).count == 1)
    }
  }
}
