import EventInput
import Testing

/// Properties and other objects that are written as a text, as a text twice, or as a list of one.
@Suite struct MisplacedObjectsTests {
  private static func pages(_ text: String) throws -> (pages: [String], reasons: [String]) {
    let outcome = try scan(text)
    return (outcome.events.map { $0.values[1] }, outcome.reasons)
  }

  @Test(arguments: [
    #"[{"page_name":"plan"}]"#, #" [ { "page_name" : "plan" } ] "#, #""{\"page_name\":\"plan\"}""#,
    #""[{\"page_name\":\"plan\"}]""#,
    #""\"{\\\"page_name\\\":\\\"plan\\\"}\"""#, #""\"[{\\\"page_name\\\":\\\"plan\\\"}]\"""#,
  ])
  func `one object is read in whatever it is packed`(properties: String) throws {
    // Behind and before others, so that nothing is left over.
    let other = line(#""properties":{"page_number":1}"#)
    let own = line("\"properties\":\(properties)")
    let found = try Self.pages([other, own, other, own].joined(separator: "\n"))
    #expect(found.pages == ["(none)", "plan", "(none)", "plan"] && found.reasons == [])
  }

  @Test(arguments: [
    #"[{"page_name":"plan"},{}]"#, #"["plan"]"#, "[1]", #""[1]""#,
    #""[{},{\"page_name\":\"plan\"}]""#,
    #""{\"page_name\":\"pl""#, #""plan""#,
  ])
  func `properties that are no object make no event`(properties: String) throws {
    let text = line(#""properties":"{\"page_name\":\"done\"}""#) + "\n"
    let found = try Self.pages(text + line("\"properties\":\(properties)") + "\n" + text)
    #expect(found.pages == ["done", "done"] && found.reasons == ["malformed_json"])
  }

  @Test(arguments: ["[]", "null", "{}", #""""#, #""[]""#, #""{}""#])
  func `properties that hold nothing are none`(properties: String) throws {
    let found = try Self.pages(line("\"properties\":\(properties)"))
    #expect(found.pages == ["(none)"] && found.reasons == [])
  }

  /// Beside properties, a text is a text unless it begins like JSON.
  @Test(arguments: [
    ("[draft] plan", true), ("{name}", true), ("plan", true), ("[]", true), ("[1, 2", true),
    ("{", true), ("[{", true), (#"[\"a\""#, true),
    (#"{\"os\":\"iO"#, false), (#"[{\"os\""#, false), ("{'os': 'iOS', ", false),
  ])
  func `a broken text of context is a reject`(context: String, isKept: Bool) throws {
    let text = line(#""context":"{\"os\":\"iOS\"}""#) + "\n"
    let outcome = try scan(text + line("\"context\":\"\(context)\"") + "\n" + text)
    #expect(outcome.reasons == (isKept ? [] : ["malformed_json"]))
    let values = outcome.events.map { $0.values[3] }
    #expect(values == (isKept ? ["iOS", "(none)", "iOS"] : ["iOS", "iOS"]))
  }

  /// What Snowplow's own tests of its models have: a list of one in a schema's column.
  @Test(arguments: [
    #"[{"page_name":"plan"}]"#, #""[{\"page_name\":\"plan\"}]""#, #"{"page_name":"plan"}"#,
  ])
  func `a schema's column may hold a list of one`(event: String) throws {
    let own = "\"unstruct_event_com_acme_page_view_1_0_0\":\(event)"
    let other = #""unstruct_event_com_acme_other_1_0_0":[]"#
    let root =
      #"{"event_name":"page_view","event_id":"e","user_id":"u1","#
      + #""collector_tstamp":"2026-01-21T10:00:00.000Z","#
    let found = try Self.pages("\(root)\(own),\(other)}\n\(root)\(other),\(own)}\n")
    #expect(found.pages == ["plan", "plan"] && found.reasons == [])
  }

  @Test func `parameters of GA4 that were cut off make no event`() throws {
    let params = #"[{\"key\":\"page_name\",\"value\":{\"string_value\":\"plan\"}}]"#
    func event(_ params: String) -> String {
      #"{"event_name":"view","event_timestamp":1768989600000000,"user_pseudo_id":"d","#
        + "\"event_params\":\"\(params)\"}"
    }
    let found = try Self.pages(
      [event(params), event(String(params.dropLast(3))), event("[]"), event("oops")]
        .joined(separator: "\n"))
    #expect(found.pages == ["plan", "(none)"])
    #expect(found.reasons == ["malformed_json", "malformed_json"])
  }
}
