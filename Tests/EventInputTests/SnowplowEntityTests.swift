import EventInput
import Foundation
import Testing

/// Data that name their own schemas, in Snowplow's enriched rows and in what its SDKs make of them:
/// <https://docs.snowplow.io/docs/events/custom-events/context-entities> has the shapes.
@Suite struct SnowplowEntityTests {
  /// Paths by the members of the SDKs, and the values that `rows` have there.
  private static let places: [(path: [String], value: String)] = [
    (["contexts_com_acme_thing_1", "name"], "first"),
    (["contexts_com_acme_thing_1[0]", "name"], "first"),
    (["contexts_com_acme_thing_1[1]", "name"], "second"),
    (["contexts_com_acme_thing_1[2]", "name"], "(none)"),
    (["contexts_com_acme_thing_2", "name"], "another model"),
    (["contexts_com_acme_corp_user_plan_1", "plan", "level"], "7"),
    (["contexts_com_iab_snowplow_spiders_and_robots_1", "spiderOrRobot"], "false"),
    (["unstruct_event_com_acme_page_view_1", "page_name"], "plan"),
    (["unstruct_event_com_acme_other_1", "page_name"], "(none)"),
    (["properties", "page_name"], "plan"),
  ]

  private static func described(_ schema: String, _ data: String) -> String {
    #"{"schema":"iglu:\#(schema)","data":\#(data)}"#
  }

  private static let contexts = described(
    "com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-1",
    "["
      + [
        described("com.acme/thing/jsonschema/1-0-0", #"{"name":"first"}"#),
        described("com.acme/thing/jsonschema/2-1-0", #"{"name":"another model"}"#),
        described("com.acme-corp/UserPlan/jsonschema/1-0-0", #"{"plan":{"level":7}}"#),
        described("com.acme/thing/jsonschema/1-0-3", #"{"name":"second","more":[{}]}"#),
      ].joined(separator: ",") + "]")
  private static let derived = described(
    "com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-0",
    "["
      + described(
        "com.iab.snowplow/spiders_and_robots/jsonschema/1-0-0", #"{"spiderOrRobot":false}"#) + "]")
  private static let event = described(
    "com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0",
    described("com.acme/page_view/jsonschema/1-0-0", #"{"page_name":"plan"}"#))

  /// A row of enriched events, by the columns' numbers in Snowplow's list.
  private static func row(contexts: String, derived: String, event: String) -> String {
    var values = Array(repeating: "", count: 131)
    values[0] = "shop"
    values[6] = "c6ef0000-0000-4000-8000-000000000003"
    values[12] = "u1"
    values[52] = contexts
    values[58] = event
    values[122] = derived
    values[124] = "2026-01-21 10:00:00.000"
    values[126] = "page_view"
    return values.joined(separator: "\t") + "\n"
  }

  private static func plan(_ paths: [[String]]) -> ScanPlan {
    var plan = TestPlan.plan()
    plan.fields = plan.fields.filter { if case .slot = $0.role { false } else { true } }
    plan.fields.append(FieldRule(path: ["event"], role: .slot(0)))
    for (slot, path) in paths.enumerated() {
      plan.fields.append(FieldRule(path: path, role: .slot(slot + 1), isOwn: true))
    }
    plan.slotTables = [0] + Array(repeating: 1, count: paths.count)
    return plan
  }

  @Test func `entities of enriched rows are read by the SDKs' names`() throws {
    let rows = Self.row(contexts: Self.contexts, derived: Self.derived, event: Self.event)
    let empty = Self.row(contexts: "", derived: "", event: "")
    let outcome = try scan(
      Array((rows + empty + rows).utf8), plan: Self.plan(Self.places.map(\.path)))
    #expect(outcome.reasons == [] && outcome.summary.format == .snowplow)
    let values = Self.places.map(\.value)
    let none = values.map { _ in "(none)" }
    #expect(outcome.events.map { Array($0.values.dropFirst()) } == [values, none, values])
  }

  @Test func `entities are read alike from what the SDKs make of them`() throws {
    let members = [
      #""contexts_com_acme_thing_1":[{"name":"first"},{"name":"second","more":[{}]}]"#,
      #""contexts_com_acme_thing_2":[{"name":"another model"}]"#,
      #""contexts_com_acme_corp_user_plan_1":[{"plan":{"level":7}}]"#,
      #""contexts_com_iab_snowplow_spiders_and_robots_1":[{"spiderOrRobot":false}]"#,
      #""unstruct_event_com_acme_page_view_1":{"page_name":"plan"}"#,
    ]
    let line =
      #"{"event_name":"page_view","event_id":"e","user_id":"u1","#
      + #""collector_tstamp":"2026-01-21T10:00:00.000Z","# + members.joined(separator: ",") + "}\n"
    let outcome = try scan(Array(line.utf8), plan: Self.plan(Self.places.map(\.path)))
    #expect(outcome.reasons == [] && outcome.summary.format == .snowplow)
    #expect(outcome.events.map { Array($0.values.dropFirst()) } == [Self.places.map(\.value)])
  }

  @Test func `a phone's ids are in its session, which is an entity`() throws {
    let session = Self.described(
      "com.snowplowanalytics.snowplow/client_session/jsonschema/1-0-2",
      #"{"userId":"anon-1","sessionId":"s"}"#)
    let contexts = Self.described("x/contexts/jsonschema/1-0-0", "[\(session)]")
    let row = Self.row(contexts: contexts, derived: "", event: "")
    let outcome = try scan(Array(row.utf8), plan: Self.plan([]))
    let device = IdentifierKey.fixed.hash(of: "anon-1", domain: .device)
    #expect(outcome.events.map(\.device) == [device])
  }

  @Test(arguments: [
    "no JSON", "{", "[]", "{}", #"{"data":[}"#, #"{"data":[1,null,{},{"schema":7}]}"#,
    #"{"data":{"schema":"iglu:com.acme/thing/jsonschema/1-0-0"}}"#,
    #"{"data":[{"schema":"iglu:com.acme/thing/1","data":{"name":"x"}}]}"#,
    #"{"data":[{"schema":"iglu:com.acme/thing/jsonschema/1-0-0","data":[]}]}"#,
  ])
  func `what is no list of entities is passed over`(contexts: String) throws {
    let row = Self.row(contexts: contexts, derived: "", event: "")
    let outcome = try scan(
      Array(row.utf8), plan: Self.plan([["contexts_com_acme_thing_1", "name"]]))
    #expect(outcome.reasons == [])
    #expect(outcome.events.map { $0.values[1] } == ["(none)"])
  }

  /// As warehouses have them: a column for each schema, of which an event fills one.
  @Test(arguments: ["null", "\"\"", "[]"])
  func `columns of other schemas take nothing from an event's own`(nothing: String) throws {
    let own = #""unstruct_event_com_acme_page_view_1":{"page_name":"plan"}"#
    let others = ["a", "z"].map { "\"unstruct_event_com_acme_\($0)_1\":\(nothing)" }
    let lines = [
      [own] + others, others + [own], [others[0], own, others[1]],
    ].map { members in
      #"{"event_name":"page_view","event_id":"e","user_id":"u1","#
        + #""collector_tstamp":"2026-01-21T10:00:00.000Z","#
        + members.joined(separator: ",") + "}\n"
    }
    let outcome = try scan(
      Array(lines.joined().utf8), plan: Self.plan([["properties", "page_name"]]))
    #expect(outcome.reasons == [])
    #expect(outcome.events.map { $0.values[1] } == ["plan", "plan", "plan"])
  }

  @Test(arguments: ["1", "1_0_2"], [("userId", "sessionId"), ("user_id", "session_id")])
  func `a phone's ids are found by the names of warehouses`(
    version: String, names: (user: String, session: String)
  ) throws {
    let member = "contexts_com_snowplowanalytics_snowplow_client_session_\(version)"
    let line =
      #"{"event_name":"page_view","event_id":"e","network_userid":"n","#
      + #""collector_tstamp":"2026-01-21T10:00:00.000Z","\#(member)":"#
      + #"[{"\#(names.user)":"anon-1","\#(names.session)":"s"}]}"# + "\n"
    let outcome = try scan(Array(line.utf8), plan: Self.plan([]))
    let device = IdentifierKey.fixed.hash(of: "anon-1", domain: .device)
    #expect(outcome.events.map(\.device) == [device])
  }
}
