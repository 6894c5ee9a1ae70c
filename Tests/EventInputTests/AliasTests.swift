import EventInput
import Testing

/// Calls that say which ids are one person's, as the vendors document them.
@Suite struct AliasTests {
  struct Call: Sendable, CustomTestStringConvertible {
    var format: EventFormat.Name
    var line: String
    /// Ids: user, device, and the user that is the same.
    var user: String?
    var device: String?
    var other: String?
    var testDescription: String { "\(format.rawValue) \(line)" }
  }

  private static func mixpanel(_ event: String, _ properties: String) -> String {
    "{\"event\":\"\(event)\",\"properties\":{\"time\":1770000000,\(properties)}}"
  }

  private static func posthog(_ event: String, _ distinct: String, _ properties: String) -> String {
    "{\"uuid\":\"1\",\"event\":\"\(event)\",\"timestamp\":\"2026-02-02 02:40:00.000000\","
      + "\"distinct_id\":\"\(distinct)\",\"properties\":\(properties)}"
  }

  /// A row of Segment's warehouse tables.
  private static func row(_ more: String) -> String {
    "{\"id\":\"1\",\"received_at\":\"2026-02-02T02:40:00Z\","
      + "\"timestamp\":\"2026-02-02T02:40:00Z\",\(more)}"
  }

  /// What Mixpanel's pipelines write.
  private static func export(
    _ column: String, _ event: String, _ properties: String
  ) -> String {
    "{\"\(column)\":\"\(event)\",\"distinct_id\":\"a\",\"time\":\"2026-02-02 02:40:00\","
      + "\"properties\":{\(properties)}}"
  }

  private static func segment(_ more: String, type: String = "alias") -> String {
    "{\"type\":\"\(type)\",\"event\":null,\"timestamp\":\"2026-02-02T02:40:00Z\",\(more)}"
  }

  static let calls = [
    Call(
      format: .segment, line: segment("\"userId\":\"new\",\"previousId\":\"old\""), user: "new",
      device: "old", other: "old"),
    Call(
      format: .rudderstack,
      line: segment("\"anonymousId\":\"a\",\"userId\":\"new\",\"previousId\":\"old\""),
      user: "new", device: "a", other: "old"),
    Call(
      format: .segment,
      line: segment("\"anonymousId\":\"a\",\"userId\":\"new\",\"previousId\":\"a\""), user: "new",
      device: "a"),
    Call(
      format: .segment, line: segment("\"userId\":\"new\",\"previousId\":\"undefined\""),
      user: "new"),
    Call(
      format: .segment,
      line: segment("\"userId\":\"new\",\"previousId\":\"old\"", type: "identify"), user: "new"),
    Call(
      format: .mixpanel, line: mixpanel("$create_alias", "\"distinct_id\":\"u\",\"alias\":\"v\""),
      user: "u", device: "v", other: "v"),
    Call(
      format: .mixpanel,
      line: mixpanel("$create_alias", "\"distinct_id\":\"$device:d\",\"alias\":\"v\""), user: "v",
      device: "d"),
    Call(
      format: .mixpanel, line: mixpanel("$merge", "\"$distinct_ids\":[\"u\" , \"v\"]"), user: "u",
      device: "v", other: "v"),
    Call(
      format: .mixpanel, line: mixpanel("$merge", "\"$distinct_ids\":[\"$device:d\",\"v\"]"),
      user: "v", device: "d"),
    Call(
      format: .mixpanel,
      line: mixpanel("$identify", "\"$identified_id\":\"u\",\"$anon_id\":\"$device:d\""), user: "u",
      device: "d"),
    Call(
      format: .mixpanel, line: mixpanel("Alias Set", "\"distinct_id\":\"u\",\"alias\":\"Bo\""),
      device: "u"),
    Call(
      format: .mixpanel,
      line: mixpanel("A", "\"distinct_id\":\"u\",\"$distinct_id_before_identity\":\"$device:d\""),
      user: "u", device: "d", other: "d"),
    Call(
      format: .mixpanel,
      line: mixpanel(
        "A",
        "\"distinct_id\":\"u\",\"$device_id\":\"d\",\"$distinct_id_before_identity\":\"$device:d\""),
      user: "u", device: "d"),
    Call(
      format: .mixpanel,
      line: mixpanel(
        "$identify",
        "\"distinct_id\":\"d\",\"$distinct_id_before_identity\":\"u\",\"$identified_id\":\"u\","
          + "\"$anon_id\":\"d\""),
      user: "u", device: "d"),
    Call(
      format: .mixpanel,
      line: mixpanel("A", "\"distinct_id\":\"v\",\"$user_id\":\"u\",\"$device_id\":\"d\""),
      user: "u", device: "d", other: "v"),
    Call(
      format: .posthog, line: posthog("$create_alias", "u", "{\"alias\":\"v\"}"), user: "u",
      device: "v", other: "v"),
    Call(
      format: .posthog, line: posthog("$create_alias", "u", "\"{\\\"alias\\\":\\\"v\\\"}\""),
      user: "u", device: "v", other: "v"),
    Call(
      format: .posthog,
      line: posthog("$create_alias", "a", "{\"alias\":\"v\",\"$device_id\":\"a\"}"), user: "v",
      device: "a"),
    Call(
      format: .posthog,
      line: posthog("$merge_dangerously", "u", "{\"alias\":\"v\",\"$device_id\":\"a\"}"), user: "u",
      device: "a", other: "v"),
    // SDKs send the first anonymous id again when another user signs in, so it unites no users.
    Call(
      format: .posthog,
      line: posthog("$identify", "u", "{\"$anon_distinct_id\":\"x\",\"$device_id\":\"d\"}"),
      user: "u", device: "x"),
    Call(
      format: .mixpanel,
      line: mixpanel(
        "$identify", "\"$identified_id\":\"u\",\"$anon_id\":\"x\",\"$device_id\":\"d\""),
      user: "u", device: "x"),
    Call(
      format: .segmentTables, line: row("\"user_id\":\"new\",\"previous_id\":\"old\""),
      user: "new", device: "old", other: "old"),
    Call(
      format: .segmentTables,
      line: row(
        "\"anonymous_id\":\"a\",\"user_id\":\"new\",\"previous_id\":\"old\","
          + "\"event\":\"order_moved\",\"event_text\":\"Order Moved\""),
      user: "new", device: "a"),
    Call(
      format: .segmentTables,
      line: row(
        "\"anonymous_id\":\"a\",\"user_id\":\"new\",\"previous_id\":\"old\",\"group_id\":\"g\""),
      user: "new", device: "a"),
    Call(
      format: .mixpanelTable,
      line: export("event_name", "$identify", "\"$identified_id\":\"u\",\"$anon_id\":\"d\""),
      user: "u", device: "d", other: "a"),
    Call(
      format: .mixpanelTable, line: export("event", "$create_alias", "\"alias\":\"v\""),
      user: "a", device: "v", other: "v"),
    Call(
      format: .mixpanelTable,
      line: export("name", "$merge", "\"$distinct_ids\":[\"a\",\"v\"]"), user: "a",
      device: "v", other: "v"),
    Call(
      format: .mixpanelTable,
      line: export("event_name", "A", "\"$distinct_id_before_identity\":\"b\""), user: "a",
      device: "b", other: "b"),
    Call(
      format: .canonical,
      line: "{\"event\":\"x\",\"timestamp\":1770000000,\"user_id\":\"u\",\"previous_id\":42}",
      user: "u", device: "42", other: "42"),
  ]

  @Test(arguments: calls)
  func `what a call says about ids is read`(call: Call) throws {
    var plan = TestPlan.plan()
    plan.fields.append(FieldRule(path: ["previous_id"], role: .otherUser))
    plan.format = call.format
    let outcome = try scan(call.line + "\n", plan: plan)
    #expect(outcome.reasons == [])
    func hash(_ id: String?, _ domain: IdentifierDomain) -> IdentifierHash {
      IdentifierKey.fixed.hash(of: id ?? "", domain: domain)
    }
    #expect(outcome.events.map(\.user) == [hash(call.user, .user)])
    // Where users' and devices' ids are in one space, equal ids have equal hashes.
    let isOneSpace = [.mixpanel, .mixpanelTable, .posthog].contains(call.format)
    #expect(outcome.events.map(\.device) == [hash(call.device, isOneSpace ? .user : .device)])
    let expected = call.other.map {
      UserLink(
        user: hash(call.user, .user), other: hash($0, .user), timeMilliseconds: 1_770_000_000_000)
    }
    #expect(outcome.links == [expected].compactMap { $0 })
  }
}
