import FlowDefinition
import Testing

@Suite struct FileTextTests {
  @Test(arguments: FlowFile.builtInNames)
  func `a built-in flow written out reads back the same`(name: String) throws {
    let flow = try FlowFile.load(name)
    let again = try FlowParser.parse(flow.fileText, file: "again.yaml")
    #expect(again.flow == flow)
    #expect(again.warnings == [])
    #expect(again.flow.fileText == flow.fileText)
  }

  @Test func `every key written out reads back the same`() throws {
    let flow = try FlowParser.parse(
      """
      flow: "1: odd \\"id\\" # ä"
      title: "true"
      window: 90m
      identity: user
      stitch_within: 12h
      existing_users: include
      new_attempt_after: never
      count: attempts
      history: 400d
      entry: {event: "app updated", where: {"to": "2.0"}}
      leave_out:
        - where: {$internal: [true, "1"], context.env: staging}
        - {event: "team member", where: {t.u: "null"}}
        - {event: marked}
        - ids: ["007", 42, "#7", "a b", "true"]
      skips_count_from: 1
      skip: {leads_to: "no. 3"}
      counts_from: 0
      steps: [a, {id: "2", branch_of: a, optional: true, asks: [camera, "2"]}, "no. 3"]
      version: "1.10"
      versions: {"1": [a, {id: old, title: "Old: one", expected: 1500ms}], "2": {steps: [a], expected_total: [5s, 9s]}}
      expected_total: 90s
      experiments:
        e: {control: q, split: {p: 12.5%, q: 87.5%}, contaminated: first, sequential: true}
        f: {control: p, variants: [p, q, r], steps: {q: [a, {id: extra}, old]}, expected_total: {q: 40s}, title: "F: one", titles: {r: "R, or \\"r\\"", p: p}}
      goals:
        - {id: g, event: "e v", where: {s: [a, "9.50", true], t.u: "null"}, by: k, within: 7d}
        - {id: h, event: e, of: {viewed: old}, anchor: {goal: g}}
        - {id: j, event: e, by: {property: k, take: last}, value: price}
        - {id: k, event: e, by: {property: k, prefer: [bought, "2"]}}
        - {id: l, event: e, value: {property: price, winsorise: 99.5%}}
        - {id: m, event: e, value: {property: price, per_event: true}}
        - {id: i, event: e, anchor: {event: f, where: {a: b}}}
      friction: [{id: z, event: failed, step: a}]
      retention:
        - {days: [1, 7]}
        - {on_or_after: 3}
        - {bracket: [0, 4], event: e, where: {a: b}, anchor: {goal: g}, id: own}
      day: calendar
      time_zone: Asia/Tokyo
      not_activity: ["push sent"]
      dimensions: [os, {id: m, path: context.a.b}, {id: n, known: later}, {id: o, known: later, within: 7d}]
      funnels:
        - id: f
          window_per: step
          order: any
          entry: best
          steps: [p, {event: q, optional: true}, {any: [r, {event: s, where: {a: 1}}]}]
          exclude: [{event: x, between: [1, 2], effect: drop}]
      targets:
        - {metric: goal_rate, goal: "g:big", at_least: 12.5%, variant: p, experiment: e}
        - {metric: time_to_complete_p90, at_most: 90, breakdown: used_skip=no}
        - {metric: srm_p, variant: p, experiment: e, at_least: 0.001%}
      statistics:
        {alpha: 10%, power: 90%, target_lift: 12.5%, correction: none,
        rate_interval: clopper_pearson, sequential_tuning: 800}
      events: {"Page Viewed": onboarding_page_viewed}
      fields:
        status: {path: a.b, values: {"1": granted}}
        flow: {constant: "42"}
        timestamp: {path: at, time_zone: Asia/Tokyo, date_order: month_first}
      """, file: "x.yaml"
    ).flow
    let again = try FlowParser.parse(flow.fileText, file: "again.yaml").flow
    #expect(again == flow, "\(flow.fileText)")
    #expect(again.fingerprint == flow.fingerprint)
  }
}
