import FlowDefinition
import Foundation
import Testing

@Suite struct FingerprintTests {
  static let base = """
    window: 24h
    goals: [{id: g, event: e}]
    retention: [{days: [7]}]
    friction: [{id: f, event: failed, step: a}]
    experiments: {x: {control: p, variants: [p, q]}}
    permissions: [camera]
    dimensions: [os, locale]
    not_activity: [push, renewed]
    """

  private func flow(_ lines: String, replacing old: String = "", with new: String = "") throws
    -> Flow
  {
    try parsedFlow(old.isEmpty ? lines : lines.replacing(old, with: new))
  }

  @Test(arguments: [
    ("window: 24h", "title: T\nwindow: 24h"), ("window: 24h", "window: 1440m  # a comment"),
    ("step: a", "step: b"), ("[os, locale]", "[{id: locale}, {id: os, path: context.os}]"),
    ("[push, renewed]", "[renewed, push]"), ("window: 24h", "window: 24h\nexpected_total: 2m"),
    ("window: 24h", "window: 24h\ntargets: [{metric: completion_rate, at_least: 1%}]"),
    ("variants: [p, q]", "split: {p: 50%, q: 50%}"),
    ("control: p", "control: p, title: T, titles: {p: P, q: Q}"),
    ("window: 24h", "identity: stitched"),
    ("window: 24h", "statistics: {alpha: 5%, correction: holm}"),
    ("window: 24h", "new_attempt_after: 30d"), ("window: 24h", "stitch_within: 90d"),
    ("window: 24h", "count: persons"),
  ])
  func `what changes no number leaves the fingerprint`(old: String, new: String) throws {
    let first = try flow(Self.base)
    let second = try flow(Self.base, replacing: old, with: new)
    #expect(first.canonicalJSON() == second.canonicalJSON())
    #expect(first.fingerprint == second.fingerprint)
  }

  @Test(arguments: [
    ("24h", "7d"), ("event: e", "event: f"), ("id: g", "id: h"), ("[7]", "[7, 14]"),
    ("event: failed", "event: lost"), ("control: p", "control: q"), ("[p, q]", "[p, q, r]"),
    ("camera", "location"), ("[os, locale]", "[os]"),
    ("[os, locale]", "[os, {id: locale, known: later}]"), ("renewed", "resumed"),
    ("window: 24h", "identity: user"), ("window: 24h", "existing_users: include"),
    ("window: 24h", "count: attempts"), ("window: 24h", "new_attempt_after: 7d"),
    ("window: 24h", "new_attempt_after: never"), ("window: 24h", "history: 90d"),
    ("window: 24h", "stitch_within: 30d"),
    ("window: 24h", "counts_from: 0"), ("window: 24h", "day: calendar"),
    ("window: 24h", "time_zone: Asia/Tokyo"), ("window: 24h", "skip: {leads_to: c}"),
    ("window: 24h", "versions: {1: [a, b]}"), ("window: 24h", "events: {a: b}"),
    ("window: 24h", "fields: {status: properties.result}"),
    ("window: 24h", "funnels: [{id: f, steps: [a, b]}]"),
    ("variants: [p, q]", "split: {p: 60%, q: 40%}"),
    ("window: 24h", "statistics: {alpha: 1%}"),
    ("variants: [p, q]", "variants: [p, q], sequential: true"),
    ("variants: [p, q]", "variants: [p, q], contaminated: exclude"),
    ("variants: [p, q]", "variants: [p, q], start: 2026-01-05"),
    ("variants: [p, q]", "variants: [p, q], end: 2026-01-05"),
    ("variants: [p, q]", "variants: [p, q], exposure: {event: e}"),
    ("variants: [p, q]", "splits: [{from: 2026-01-05, p: 50%, q: 50%}]"),
    ("variants: [p, q]", "variants: [p, q], steps: {q: [a, c]}"),
    ("variants: [p, q]", "variants: [p, q], primary: completion"),
    ("variants: [p, q]", "variants: [p, q], primary: used_skip, guardrails: {completion: 1%}"),
    ("variants: [p, q]", "variants: [p, q], stratify: os"),
    ("variants: [p, q]", "variants: [p, q], stratify: [os, locale]"),
    ("variants: [p, q]", "variants: [p, q], prior: 10%"),
    ("variants: [p, q]", "variants: [p, q], cluster: account_id"),
    (
      "variants: [p, q]",
      "variants: [p, q], sequential: true, primary: completion, planned: 4000"
    ),
  ])
  func `what changes a number changes the fingerprint`(old: String, new: String) throws {
    let first = try flow(Self.base)
    let second = try flow(Self.base, replacing: old, with: new)
    #expect(first.fingerprint != second.fingerprint)
  }

  @Test func `how amounts are compared changes the fingerprint and how it is written does not`()
    throws
  {
    let values = [
      "p", "{property: p, winsorise: 99%}", "{property: p, winsorise: 95%}",
      "{property: p, per_event: true}",
    ]
    let prints = try values.map {
      try flow(Self.base, replacing: "event: e", with: "event: e, value: \($0)").fingerprint
    }
    #expect(Set(prints).count == values.count)
    let plain = try flow(
      Self.base, replacing: "event: e", with: "event: e, value: {property: p, per_event: false}")
    #expect(plain.fingerprint == prints[0])
  }

  @Test func `another goal leaves every other metric's fingerprint`() throws {
    let first = try flow(Self.base)
    let second = try flow(Self.base, replacing: "[{id: g,", with: "[{id: new, event: n}, {id: g,")
    let untouched = [
      ("completion_rate", ""), ("goal_rate", "g"), ("goal_rate", "g:large"), ("retention_d7", ""),
      ("friction_rate", "f"), ("permission_opt_in", "camera"), ("step_reach", "a"),
      ("lift_completion_rate", ""), ("time_to_goal_p50", "g"), ("entered", ""), ("srm_p", ""),
      ("observational_lift_retention_d7", ""),
    ]
    for (metric, step) in untouched {
      #expect(
        first.fingerprint(ofMetric: MetricName(rawValue: metric), step: step)
          == second.fingerprint(ofMetric: MetricName(rawValue: metric), step: step),
        "\(metric) \(step)")
    }
    #expect(first.fingerprint != second.fingerprint)
    // Holm's adjustment is over all metrics.
    #expect(
      first.fingerprint(ofMetric: .completionRate.compared(by: .adjustedP), step: "")
        != second.fingerprint(ofMetric: .completionRate.compared(by: .adjustedP), step: ""))
  }

  @Test(arguments: [
    ("24h", "7d", "completion_rate", "", true), ("event: e", "event: f", "goal_rate", "g", true),
    ("event: e", "event: f", "time_to_goal_p90", "g", true),
    ("event: e", "event: f", "completion_rate", "", false),
    ("renewed", "resumed", "retention_d7", "", true),
    // What is no activity decides who is an existing user.
    ("renewed", "resumed", "completion_rate", "", true),
    ("window: 24h", "history: 90d", "completion_rate", "", true),
    ("variants: [p, q]", "split: {p: 60%, q: 40%}", "srm_p", "", true),
    ("variants: [p, q]", "split: {p: 60%, q: 40%}", "retention_d7", "", false),
    ("control: p", "control: q", "lift_retention_d7", "", true),
    ("control: p", "control: q", "observational_lift_retention_d7", "", false),
    ("variants: [p, q]", "variants: [p, q], contaminated: exclude", "completion_rate", "", true),
    ("variants: [p, q]", "variants: [p, q], steps: {q: [a, c]}", "step_reach", "b", true),
    ("event: failed", "event: lost", "friction_rate", "f", true),
    ("[os, locale]", "[os]", "observational_lift_stratified_retention_d7", "", true),
    ("[os, locale]", "[os]", "observational_lift_retention_d7", "", false),
    ("window: 24h", "day: calendar", "retention_d7", "", true),
    ("window: 24h", "day: calendar", "completion_rate", "", false),
    ("[os, locale]", "[os]", "a_metric_that_is_none", "", true),
  ])
  func `a metric's fingerprint follows what it depends on`(
    old: String, new: String, metric: String, step: String, changes: Bool
  ) throws {
    let name = MetricName(rawValue: metric)
    let first = try flow(Self.base).fingerprint(ofMetric: name, step: step)
    let second = try flow(Self.base, replacing: old, with: new)
      .fingerprint(ofMetric: name, step: step)
    #expect((first != second) == changes)
  }

  @Test func `without existing users what is no activity decides only who came back`() throws {
    let text = Self.base.replacing("window: 24h", with: "existing_users: include")
    for (metric, changes) in [(MetricName.completionRate, false), (.retention(day: 7), true)] {
      let first = try flow(text).fingerprint(ofMetric: metric, step: "")
      let second = try flow(text, replacing: "renewed", with: "resumed")
        .fingerprint(ofMetric: metric, step: "")
      #expect((first != second) == changes)
    }
  }

  @Test func `a limit of stitching changes nothing where nobody is stitched`() throws {
    let users = Self.base.replacing("window: 24h", with: "identity: user")
    let limited = users + "\nstitch_within: 10d"
    #expect(try flow(users).fingerprint == flow(limited).fingerprint)
    #expect(try flow(limited).choicesInWords.contains("stitch_within") == false)
  }

  @Test func `whom the flow leaves out decides every number, and names nobody`() throws {
    let leaving = Self.base + "\nleave_out: [{where: {test: true}}, {ids: [anna, bob]}]"
    #expect(try flow(Self.base).fingerprint != flow(leaving).fingerprint)
    let first = try flow(leaving).fingerprint(ofMetric: .completionRate, step: "")
    for (old, new) in [("test:", "tests:"), ("[anna", "[anne"), ("{test:", "{a: b, test:")] {
      let changed = try flow(leaving, replacing: old, with: new)
      #expect(changed.fingerprint(ofMetric: .completionRate, step: "") != first)
    }
    let same = try flow(leaving, replacing: "[anna, bob]", with: "[bob, anna]")
    #expect(try flow(leaving).fingerprint == same.fingerprint)
    #expect(try flow(leaving).canonicalJSON().contains("anna") == false)
    #expect(try flow(leaving).choicesInWords.contains(" leave_out=test=true, 2 ids "))
  }

  @Test func `a goal's metrics follow the goal it is anchored on`() throws {
    let text = "goals: [{id: f, event: e}, {id: g, event: h, anchor: {goal: f}}]"
    let first = try flow(text).fingerprint(ofMetric: .goalRate, step: "g")
    let second = try flow(text, replacing: "event: e", with: "event: z")
      .fingerprint(ofMetric: .goalRate, step: "g")
    #expect(first != second)
  }

  @Test func `the canonical text of a small flow`() throws {
    let flow = try FlowParser.parse(
      "flow: \"q\\\"\"\nsteps: [a, {id: b, branch_of: a}]\ngoals: [{id: g, event: e}]\n",
      file: "x.yaml"
    ).flow
    #expect(
      flow.canonicalJSON()
        == #"{"count":"persons","counts_from":1,"day":"24h","dimensions":[],"events":[],"existing_users":"exclude","#
        + #""experiments":[],"fields":[],"flow":"q\"","friction":[],"funnels":[],"#
        + #""goals":[{"anchor":"entry","id":"g","pattern":{"event":"e"},"within_ms":86400000}],"#
        + #""identity":"stitched","list":["a","b"],"new_attempt_after_ms":2592000000,"#
        + #""not_activity":[],"permissions":[],"#
        + #""retention":[],"semantics_version":4,"skip":"ends","step_order":["a","b"],"#
        + #""steps":[{"id":"a","optional":false},{"branch_of":"a","id":"b","optional":false}],"#
        + #""stitch_within_ms":7776000000,"#
        + #""time_zone":"UTC","variant_lists":[],"versions":[],"window_ms":86400000}"#)
    #expect(
      flow.fingerprint == "3d32541f28d0580f83470bc403c1b95cb843ecc0a15f4093e2325319fab69e01")
  }

  @Test(arguments: FlowFile.builtInNames)
  func `the canonical text is JSON with sorted keys`(name: String) throws {
    let text = try FlowFile.load(name).canonicalJSON()
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let sorted = try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    #expect(String(decoding: sorted, as: UTF8.self) == text)
  }

  @Test func `the choices in words`() throws {
    #expect(
      try FlowFile.load("dequeue").choicesInWords
        == "window=24h anchor=entry edge=inclusive count=persons new_attempt_after=30d "
        + "ties=flow-order existing_users=exclude identity=stitched skip=ends day=24h "
        + "time_zone=UTC counts_from=1 maturity=complete-windows resume_gap=30m "
        + "stitch_within=90d contaminated[length]=first "
        + "not_activity=push_delivered,widget_refreshed known_later=input,answer semantics=4")
    #expect(
      try FlowFile.load("memoss").choicesInWords.contains("skip=leads-to:notifications"))
  }
}
