import EventInput
import Foundation
import Testing

/// Exports as the vendors document them; `Fixtures` has the same four events in each shape.
@Suite struct FormatTests {
  /// Formats that can be recognised in lines of JSON; `table` stands for tables of unknown columns.
  static let vendors = EventFormat.Name.allCases.filter { $0 != .canonical && $0 != .table }
  private static let start: Int64 = 1_768_989_600_000
  private static let paths = [
    ["event"], ["properties", "page_name"], ["properties", "page_number"], ["context", "os"],
    ["context", "app_version"], ["experiments", "copy"],
  ]

  static func plan(format: EventFormat.Name? = nil) -> ScanPlan {
    var plan = TestPlan.plan()
    plan.fields = plan.fields.filter { if case .slot = $0.role { false } else { true } }
    for (slot, path) in paths.enumerated() {
      plan.fields.append(FieldRule(path: path, role: .slot(slot)))
    }
    plan.slotTables = [0] + Array(repeating: 1, count: paths.count - 1)
    plan.format = format
    return plan
  }

  static func fixture(_ format: EventFormat.Name) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appending(path: "Fixtures/\(format.rawValue).ndjson")))
  }

  @Test(arguments: vendors)
  func `a dump's format is told from its first lines, and its events are read`(
    format: EventFormat.Name
  ) throws {
    let outcome = try scan(try Self.fixture(format), plan: Self.plan())
    #expect(outcome.reasons == [])
    #expect(outcome.summary.format == format)
    #expect(outcome.events.map(\.time) == [0, 10_000, 12_000, 13_000].map { Self.start + $0 })
    guard outcome.events.count == 4 else { return }
    let hasVariant = [.amplitude, .posthog, .ga4].contains(format)
    #expect(
      outcome.events[0].values == [
        "onboarding_page_viewed", "plan", "2", "iOS 26.1", "1.4.2", hasVariant ? "B" : "(none)",
      ])
    #expect(
      outcome.events[1].values
        == ["onboarding_page_viewed", "done", "(none)", "iOS", "(none)", "(none)"])
    // Where users' and devices' ids are in one space, equal ids have equal hashes.
    let isOneSpace = [.mixpanel, .mixpanelTable, .posthog].contains(format)
    let device = IdentifierKey.fixed.hash(of: "anon-1", domain: isOneSpace ? .user : .device)
    let user = IdentifierKey.fixed.hash(of: "u-7", domain: .user)
    #expect(outcome.events.map(\.user) == [.missing, user, user, .missing])
    #expect(outcome.events.map(\.device) == Array(repeating: device, count: 4))
    #expect(outcome.events[3].values[0] == (format == .segment ? "screen" : "Settings"))
  }

  /// The shape that Snowplow's SDKs make of enriched events: keys are called by schemas, and on
  /// phones the ids are in an object of the session.
  @Test func `Snowplow's events may be JSON of its SDKs`() throws {
    let time = #""collector_tstamp":"2026-01-21T10:00:00.000Z","user_id":null"#
    let session = "contexts_com_snowplowanalytics_snowplow_client_session_1"
    let lines = [
      #"{"event_name":"onboarding_page_viewed",\#(time),"domain_userid":"anon-1","#
        + #""unstruct_event_com_acme_onboarding_page_1":{"page_name":"plan","page_number":2}}"#,
      #"{"event_name":"onboarding_page_viewed",\#(time),"network_userid":"n","\#(session)":[{"#
        + #""userId":"anon-1","sessionId":"s"},{"userId":"other"}],"#
        + #""unstruct_event_com_acme_other_page_2":{"page_name":"done"}}"#,
      #"{"event_name":"event","se_category":"c","se_action":"tap",\#(time),"domain_userid":"anon-1"}"#,
    ]
    let outcome = try scan(Array(lines.joined(separator: "\n").utf8), plan: Self.plan())
    #expect(outcome.reasons == [] && outcome.summary.format == .snowplow)
    #expect(
      outcome.events.map { $0.values[0] } == [
        "onboarding_page_viewed", "onboarding_page_viewed", "tap",
      ])
    #expect(outcome.events.map { $0.values[1] } == ["plan", "done", "(none)"])
    #expect(outcome.events[0].values[2] == "2")
    let device = IdentifierKey.fixed.hash(of: "anon-1", domain: .device)
    #expect(outcome.events.map(\.device) == Array(repeating: device, count: 3))
  }

  /// Events without properties, whose values stand beside their own fields.
  @Test func `flat events are read like rows of a table`() throws {
    let line =
      #"{"event":"onboarding_page_viewed","user_id":"u","timestamp":1768989600,"page_name":"plan"}"#
    let outcome = try scan(Array((line + "\n" + line).utf8), plan: Self.plan())
    #expect(outcome.summary.format == .table)
    #expect(outcome.events.map { $0.values[1] } == ["plan", "plan"])
  }

  @Test func `what is no batch of mParticle's keeps its lines`() throws {
    let lines = [
      #"{"mpid":1,"events":[{"event_type":"custom_event","data":{"event_name":"a","timestamp_unixtime_ms":1768989600000}},7,{}]}"#,
      #"{"mpid":1,"events":[{"event_type":]}"#, #"{"mpid":2,"events":null}"#, #"{"mpid":3}"#,
    ]
    let outcome = try scan(Array(lines.joined(separator: "\n").utf8), plan: Self.plan())
    #expect(outcome.events.count == 1 && outcome.summary.format == .mparticle)
    #expect(outcome.summary.rejects >= 4)
  }

  @Test(arguments: vendors)
  func `a format that is asked for is not told anew`(format: EventFormat.Name) throws {
    let told = try scan(try Self.fixture(format), plan: Self.plan())
    let asked = try scan(try Self.fixture(format), plan: Self.plan(format: format))
    #expect(asked.events == told.events)
    let canonical = try scan(try Self.fixture(format), plan: Self.plan(format: .canonical))
    #expect(canonical.summary.format == .canonical)
    #expect(canonical.events != told.events)
  }

  @Test func `one scanner reads files of many formats with the same codes`() throws {
    let folder = try TemporaryFolder()
    let scanner = SourceScanner(plan: Self.plan(), key: .fixed)
    var codes: [UInt32] = []
    for format in Self.vendors + Self.vendors.reversed() {
      let path = try folder.write(try Self.fixture(format), format.rawValue)
      _ = try scanner.scan(.file(path), rejects: nil) { batch in codes.append(batch.values[1]) }
    }
    #expect(codes.count == 2 * Self.vendors.count)
    #expect(Set(codes).count == 1)
    #expect(scanner.tables[1].name(of: codes[0]) == "plan")
  }

  @Test func `a path of the flow file's own is looked for as it is written`() throws {
    var plan = Self.plan()
    for (index, field) in plan.fields.enumerated() where field.role == .slot(1) {
      plan.fields[index].path = ["context", "locale"]
      plan.fields[index].isOwn = true
    }
    let outcome = try scan(try Self.fixture(.segment), plan: plan)
    #expect(outcome.events.first?.values[1] == "en-US")
  }

  @Test func `a text of properties may have white space and line feeds`() throws {
    let line =
      #"{"uuid":"1","event":"a","distinct_id":"u","timestamp":"2026-01-21 10:00:00","#
      + #""properties":"{\n  \"page_name\" : \"plan\",\r\n\t\"page_number\":2\n}\n"}"#
    let outcome = try scan(Array(line.utf8), plan: Self.plan())
    #expect(outcome.reasons == [])
    #expect(outcome.events.first?.values[1...2] == ["plan", "2"])
  }

  @Test func `cut and scrambled exports are survived`() throws {
    var state: UInt64 = 88_172_645_463_325_252
    for format in Self.vendors {
      let bytes = try Self.fixture(format)
      var text: [UInt8] = []
      for _ in 0..<300 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        var line = Array(bytes.prefix(Int(state % UInt64(bytes.count))))
        for shift in [11, 23, 37] where !line.isEmpty {
          line[Int((state >> UInt64(shift)) % UInt64(line.count))] = UInt8(state >> 3 & 0x7F)
        }
        text += line + [UInt8(ascii: "\n")]
      }
      let told = try scan(text, plan: Self.plan(format: format))
      #expect(told.summary.lines == told.summary.events + told.summary.rejects)
      #expect(told.summary.lines >= 300)
      let folder = try TemporaryFolder()
      let path = try folder.write(text, "scrambled")
      let sample = DumpSampler(format: format).sample([.file(path)])
      #expect(sample.lines >= 300 && sample.problems.isEmpty)
    }
  }

  // A run in parts reads lines before it knows which id the flow needs.
  @Test(arguments: [RequiredIdentifiers.any, .user, .device])
  func `a line without a name is no event, whatever else it lacks`(
    identifiers: RequiredIdentifiers
  ) throws {
    let lines = [
      #"{"type":"track","event":null,"anonymousId":"d","timestamp":"2026-01-21T10:00:00Z"}"#,
      #"{"type":"track","event":"","userId":"u","timestamp":"2026-01-21T10:00:00Z"}"#,
      #"{"type":"track","timestamp":"2026-01-21T10:00:00Z"}"#,
    ]
    var plan = Self.plan(format: .segment)
    plan.identifiers = identifiers
    let outcome = try scan(Array(lines.joined(separator: "\n").utf8), plan: plan)
    #expect(outcome.reasons == Array(repeating: "missing_event", count: 3))
  }

  @Test func `damage is told in each format's own words`() throws {
    let lines = [
      #"{"uuid":"1","event":"a","distinct_id":"u","properties":"{no","timestamp":"2026-01-21"}"#,
      #"{"uuid":"2","event":"a","distinct_id":"","properties":"","timestamp":"2026-01-21 10:00:00"}"#,
      #"{"uuid":"3","event":"","distinct_id":"u","properties":"{}","timestamp":"2026-01-21"}"#,
      #"{"uuid":"4","event":"a","distinct_id":"u","properties":"{}"}"#,
      #"{"uuid":"5","event":"a","distinct_id":"u","timestamp":"2026-01-21 10:00:00"}"#,
    ]
    let outcome = try scan(Array(lines.joined(separator: "\n").utf8), plan: Self.plan())
    #expect(outcome.summary.format == .posthog)
    #expect(
      outcome.reasons == ["malformed_json", "missing_id", "missing_event", "missing_timestamp"])
    #expect(outcome.events.count == 1)
    #expect(outcome.summary.timestampsWithoutOffset == 0)
  }

  @Test func `line feeds in properties are white space between values and damage inside of them`()
    throws
  {
    let head = #"{"uuid":"1","event":"a","distinct_id":"u","timestamp":"2026-01-21 10:00:00","#
    let properties = [
      #""properties":"{\n  \"page_name\":\r\n\t\"plan\"\n}\n""#,
      #""properties":"{\"page_name\":\"pl\nan\"}""#, #""properties":"{\"page\nname\":\"plan\"}""#,
      #""properties":"{\"page_name\":\"pl\u0000an\"}""#,
    ]
    let text = properties.map { head + $0 + "}\n" }.joined()
    let outcome = try scan(Array(text.utf8), plan: Self.plan(format: .posthog))
    #expect(outcome.reasons == Array(repeating: "malformed_json", count: 3))
    #expect(outcome.events.map { $0.values[1] } == ["plan"])
  }

  @Test func `lists that are no lists and entries that are none are passed over`() throws {
    let head = #"{"event_name":"a","event_timestamp":"1768989600000000","user_id":"u","#
    let params = [
      #""event_params":{}"#, #""event_params":null"#, #""event_params":[1,"x",[],{}]"#,
      #""event_params":[{"key":7,"value":{"string_value":"x"}},{"value":{"string_value":"x"}}]"#,
      #""event_params":[{"key":"page_name"},{"key":"page_name","value":{"string_value":"plan"}}]"#,
      #""event_params":[{"value":{"string_value":"done"},"key":"page_name","more":[{}]}]"#,
    ]
    let text = params.map { head + $0 + "}\n" }.joined()
    let outcome = try scan(Array(text.utf8), plan: Self.plan())
    #expect(outcome.reasons == [])
    #expect(
      outcome.events.map { $0.values[1] } == Array(repeating: "(none)", count: 4) + [
        "plan", "done",
      ])
  }
}
