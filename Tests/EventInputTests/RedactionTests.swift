import EventInput
import Foundation
import Testing

/// What is redacted is neither read nor kept with a rejected line.
struct RedactionTests {
  /// A line without a time, which is so rejected, and what is kept of it.
  static let rejected: [(paths: [String], line: String, kept: String)] = [
    (
      ["a.name"], #"{"event":"e","a":{"name":"Anna","n":1}}"#,
      #"{"event":"e","a":{"name":"[redacted]","n":1}}"#
    ),
    (["a"], #"{"event":"e","a":{"name":"Anna"}}"#, #"{"event":"e","a":"[redacted]"}"#),
    (["a.*"], #"{"event":"e","a" : {"Anna":[1,{}]} }"#, #"{"event":"e","a" : "[redacted]" }"#),
    (
      ["a.n"], #"{"event":"e","a":{"n":-1.5e3,"m":2}}"#,
      #"{"event":"e","a":{"n":"[redacted]","m":2}}"#
    ),
    (
      ["a.name"], #"{"event":"e","a":{"n\u0061me":"An\"na"}}"#,
      #"{"event":"e","a":{"n\u0061me":"[redacted]"}}"#
    ),
    (
      ["a.name"], #"{"event":"e","a":{"name":"A","name":"B"}}"#,
      #"{"event":"e","a":{"name":"[redacted]","name":"[redacted]"}}"#
    ),
    (
      ["a.b.name"], #"{"event":"e","a":{"b":[{"name":"A"},{"name":"B","x":[]}]}}"#,
      #"{"event":"e","a":{"b":[{"name":"[redacted]"},{"name":"[redacted]","x":[]}]}}"#
    ),
    (
      ["a.b.name"], #"{"event":"e","a":"{\"b\":{\"name\":\"Anna\"}}"}"#,
      #"{"event":"e","a":"[redacted]"}"#
    ),
    (["a.b"], #"{"event":"e","a.b":"Anna"}"#, #"{"event":"e","a.b":"[redacted]"}"#),
    (
      ["properties.name"], #"{"event_type":"e","user_properties":{"name":"Anna","x":1}}"#,
      #"{"event_type":"e","user_properties":{"name":"[redacted]","x":1}}"#
    ),
    (
      ["properties.name"],
      #"{"event_name":"e","event_params":[{"key":"x","value":{"int_value":1}},{"value":{"string_value":"Anna"},"key":"name"}]}"#,
      #"{"event_name":"e","event_params":[{"key":"x","value":{"int_value":1}},"[redacted]"]}"#
    ),
    (["a.other"], #"{"event":"e","a":{"name":"Anna"}}"#, #"{"event":"e","a":{"name":"Anna"}}"#),
    (
      ["context"], #"{"event_type":"e","language":"Anna","os_name":"iOS","x":1}"#,
      #"{"event_type":"e","language":"[redacted]","os_name":"[redacted]","x":1}"#
    ),
  ]

  /// Places of what Snowplow's schemas describe, and what is kept of a line that has it as an
  /// object, as its SDKs name it, and as a text.
  static let described: [(path: String, line: String, kept: String)] = [
    (
      "contexts", #"{"contexts_com_acme_user_1":[{"name":"Anna"}],"x":1}"#,
      #"{"contexts_com_acme_user_1":"[redacted]","x":1}"#
    ),
    (
      "contexts.*", #"{"contexts_com_acme_user_1":"[{\"name\":\"Anna\"}]","x":1}"#,
      #"{"contexts_com_acme_user_1":"[redacted]","x":1}"#
    ),
    (
      "derived_contexts", #"{"contexts_com_acme_user_1":[{"name":"Anna"}],"x":1}"#,
      #"{"contexts_com_acme_user_1":"[redacted]","x":1}"#
    ),
    (
      "unstruct_event", #"{"unstruct_event_com_acme_page_1":{"name":"Anna"},"x":1}"#,
      #"{"unstruct_event_com_acme_page_1":"[redacted]","x":1}"#
    ),
    (
      "properties.name", #"{"unstruct_event_com_acme_page_1":{"name":"Anna","n":2},"x":1}"#,
      #"{"unstruct_event_com_acme_page_1":{"name":"[redacted]","n":2},"x":1}"#
    ),
    (
      "properties.name", #"{"unstruct_event_com_acme_page_1":"{\"name\":\"Anna\"}","x":1}"#,
      #"{"unstruct_event_com_acme_page_1":"[redacted]","x":1}"#
    ),
    (
      "contexts_com_acme_user_1.name",
      #"{"contexts":{"data":[{"schema":"iglu:x","data":{"name":"Anna"}}]},"x":1}"#,
      #"{"contexts":"[redacted]","x":1}"#
    ),
    (
      "contexts_com_acme_user_1.name", #"{"derived_contexts":"{\"name\":\"Anna\"}","x":1}"#,
      #"{"derived_contexts":"[redacted]","x":1}"#
    ),
    (
      "contexts_com_acme_user_1[1].name",
      #"{"contexts_com_acme_user_1":[{"n":1},{"name":"Anna"}],"x":1}"#,
      #"{"contexts_com_acme_user_1":[{"n":1},{"name":"[redacted]"}],"x":1}"#
    ),
    (
      "unstruct_event_com_acme_page_1.name",
      #"{"unstruct_event":{"data":{"schema":"iglu:x","data":{"name":"Anna"}}},"x":1}"#,
      #"{"unstruct_event":"[redacted]","x":1}"#
    ),
    (
      "contexts_com_acme_user_1.name",
      #"{"contexts_com_acme_plan_1":[{"name":"A"}],"unstruct_event":{"name":"B"},"x":1}"#,
      #"{"contexts_com_acme_plan_1":[{"name":"A"}],"unstruct_event":{"name":"B"},"x":1}"#
    ),
  ]

  private func plan(_ paths: [String]) -> ScanPlan {
    var plan = TestPlan.plan()
    plan.redaction.paths = RedactedPaths(paths)
    plan.format = .canonical
    return plan
  }

  @Test(arguments: rejected.indices)
  func `a rejected line is kept without redacted values`(_ index: Int) throws {
    let test = Self.rejected[index]
    let outcome = try scan(test.line + "\n", plan: plan(test.paths))
    #expect(outcome.rejects.map { $0["text"] } == [test.kept])
  }

  @Test(arguments: described.indices)
  func `what a schema describes is redacted wherever it stands`(_ index: Int) throws {
    let test = Self.described[index]
    let outcome = try scan(test.line + "\n", plan: plan([test.path]))
    #expect(outcome.rejects.map { $0["text"] } == [test.kept])
  }

  @Test(arguments: [
    #"{"event":"e","properties":{"name":"Anna""#, #"[[{"properties":{"name":"Anna"}}]]"#,
    #""Anna""#,
    #"{"properties":{"name":"Anna"},}"#,
  ])
  func `of a line that can't be parsed only the place is kept`(_ text: String) throws {
    let outcome = try scan(text + "\n", plan: plan(["properties.name"]))
    #expect(outcome.rejects.map { $0["text"] } == ["[redacted]"])
    #expect(outcome.rejects.map { $0["line"] } == ["1"])
    #expect(outcome.rejects[0]["detail"]?.contains("'redact' can't be applied") == true)
    #expect(try scan(text + "\n").rejects.map { $0["text"] } == [text])
  }

  @Test func `bytes that are no text are not kept either`() throws {
    let bytes = Array(#"{"properties":{"name":"Anna"#.utf8) + [0xFF] + Array("\"}}\n".utf8)
    let outcome = try scan(bytes, plan: plan(["properties.name"]))
    #expect(outcome.rejects.map { $0["text"] } == ["[redacted]"])
    #expect(outcome.rejects.map { $0["bytes_base64"] } == [nil])
  }

  @Test func `a field at a redacted place is not read`() throws {
    let text = line("\"context\":{\"os\":\"iOS\"},\"properties\":{\"page_name\":\"plan\"}") + "\n"
    #expect(try scan(text, plan: plan([])).events.map { $0.values[3] } == ["iOS"])
    for path in ["context.os", "context", "context.*"] {
      let events = try scan(text, plan: plan([path])).events
      #expect(events.map { $0.values[3] } == ["(none)"], "\(path)")
      #expect(events.map { $0.values[1] } == ["plan"])
    }
  }

  @Test(arguments: [
    ("contexts", "contexts_com_acme_user_1.name", true),
    ("contexts.*", "contexts_com_acme_user_1[2].name", true),
    ("derived_contexts", "contexts_com_acme_user_1.name", true),
    ("contexts_com_acme_user_1", "contexts_com_acme_user_1[2].name", true),
    ("contexts_com_acme_user_1[0].name", "contexts_com_acme_user_1.name", true),
    ("contexts_com_acme_user_1[1].name", "contexts_com_acme_user_1.name", false),
    ("contexts_com_acme_user_1.name", "contexts_com_acme_plan_1.name", false),
    ("unstruct_event", "unstruct_event_com_acme_page_1.name", true),
    ("unstruct_event_com_acme_page_1.name", "unstruct_event_com_acme_other_1.name", false),
    ("context", "contexts_com_acme_user_1.name", false),
  ])
  func `a redacted place is one by all its names`(
    redacted: String, path: String, isCovered: Bool
  ) {
    #expect(RedactedPaths([redacted]).covers(path) == isCovered)
  }
}
