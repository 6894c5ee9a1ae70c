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
    ("variants: [p, q]", "split: {p: 50%, q: 50%}"), ("window: 24h", "identity: stitched"),
    ("window: 24h", "statistics: {alpha: 5%, correction: holm}"),
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
    ("camera", "location"), ("[os, locale]", "[os]"), ("renewed", "resumed"),
    ("window: 24h", "identity: user"), ("window: 24h", "existing_users: include"),
    ("window: 24h", "counts_from: 0"), ("window: 24h", "day: calendar"),
    ("window: 24h", "time_zone: Asia/Tokyo"), ("window: 24h", "skip: {leads_to: c}"),
    ("window: 24h", "versions: {1: [a, b]}"), ("window: 24h", "events: {a: b}"),
    ("window: 24h", "fields: {status: properties.result}"),
    ("window: 24h", "funnels: [{id: f, steps: [a, b]}]"),
    ("variants: [p, q]", "split: {p: 60%, q: 40%}"),
    ("window: 24h", "statistics: {alpha: 1%}"),
    ("variants: [p, q]", "variants: [p, q], sequential: true"),
    ("variants: [p, q]", "variants: [p, q], contaminated: first"),
    ("variants: [p, q]", "variants: [p, q], steps: {q: [a, c]}"),
  ])
  func `what changes a number changes the fingerprint`(old: String, new: String) throws {
    let first = try flow(Self.base)
    let second = try flow(Self.base, replacing: old, with: new)
    #expect(first.fingerprint != second.fingerprint)
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
        first.fingerprint(ofMetric: metric, step: step)
          == second.fingerprint(ofMetric: metric, step: step), "\(metric) \(step)")
    }
    #expect(first.fingerprint != second.fingerprint)
    // Holm's adjustment is over all metrics.
    #expect(
      first.fingerprint(ofMetric: "p_adjusted_completion_rate", step: "")
        != second.fingerprint(ofMetric: "p_adjusted_completion_rate", step: ""))
  }

  @Test(arguments: [
    ("24h", "7d", "completion_rate", "", true), ("event: e", "event: f", "goal_rate", "g", true),
    ("event: e", "event: f", "time_to_goal_p90", "g", true),
    ("event: e", "event: f", "completion_rate", "", false),
    ("renewed", "resumed", "retention_d7", "", true),
    ("renewed", "resumed", "completion_rate", "", false),
    ("variants: [p, q]", "split: {p: 60%, q: 40%}", "srm_p", "", true),
    ("variants: [p, q]", "split: {p: 60%, q: 40%}", "retention_d7", "", false),
    ("control: p", "control: q", "lift_retention_d7", "", true),
    ("control: p", "control: q", "observational_lift_retention_d7", "", false),
    ("variants: [p, q]", "variants: [p, q], contaminated: first", "completion_rate", "", true),
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
    let first = try flow(Self.base).fingerprint(ofMetric: metric, step: step)
    let second = try flow(Self.base, replacing: old, with: new)
      .fingerprint(ofMetric: metric, step: step)
    #expect((first != second) == changes)
  }

  @Test func `a goal's metrics follow the goal it is anchored on`() throws {
    let text = "goals: [{id: f, event: e}, {id: g, event: h, anchor: {goal: f}}]"
    let first = try flow(text).fingerprint(ofMetric: "goal_rate", step: "g")
    let second = try flow(text, replacing: "event: e", with: "event: z")
      .fingerprint(ofMetric: "goal_rate", step: "g")
    #expect(first != second)
  }

  @Test func `the canonical text of a small flow`() throws {
    let flow = try FlowParser.parse(
      "flow: \"q\\\"\"\nsteps: [a, {id: b, branch_of: a}]\ngoals: [{id: g, event: e}]\n",
      file: "x.yaml"
    ).flow
    #expect(
      flow.canonicalJSON()
        == #"{"counts_from":1,"day":"24h","dimensions":[],"events":[],"existing_users":"exclude","#
        + #""experiments":[],"fields":[],"flow":"q\"","friction":[],"funnels":[],"#
        + #""goals":[{"anchor":"entry","id":"g","pattern":{"event":"e"},"within_ms":86400000}],"#
        + #""identity":"stitched","list":["a","b"],"not_activity":[],"permissions":[],"#
        + #""retention":[],"semantics_version":2,"skip":"ends","step_order":["a","b"],"#
        + #""steps":[{"id":"a","optional":false},{"branch_of":"a","id":"b","optional":false}],"#
        + #""time_zone":"UTC","variant_lists":[],"versions":[],"window_ms":86400000}"#)
    #expect(
      flow.fingerprint == "99b70ad6359b806599b50043322a07b434d4d4e55c0a4f6a238e99b99077b022")
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
        == "window=24h anchor=entry edge=inclusive entry=first ties=flow-order "
        + "existing_users=exclude identity=stitched skip=ends day=24h time_zone=UTC counts_from=1 "
        + "maturity=complete-windows resume_gap=30m contaminated[length]=exclude "
        + "not_activity=push_delivered,widget_refreshed semantics=2")
    #expect(
      try FlowFile.load("memoss").choicesInWords.contains("skip=leads-to:notifications"))
  }
}
