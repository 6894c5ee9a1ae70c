import FlowDefinition
import Testing

/// The example that docs/flow-file.md opens with uses most of the grammar.
@Suite struct SpecificationExampleTests {
  static let text = """
    flow: example                 # the id in the events' "flow"
    title: Example, first run
    window: 24h                   # durations: 500ms, 15s, 2m, 24h, 7d
    identity: stitched            # | user | device
    existing_users: exclude       # | include
    skip: ends                    # | {leads_to: notifications}
    counts_from: 1                # page numbers
    steps:                        # in order
      - {id: welcome, expected: 15s}
      - {id: plan, expected: 20s}
      - {id: premium, branch_of: plan}          # shown to those who choose it
      - {id: photo, optional: true}
      - {id: notifications, asks: notifications}
      - {id: done}
    versions: {"1": [welcome, plan, done]}      # the newest, undeclared, is the list above
    expected_total: [2m, 3m]
    experiments:
      length:
        control: long
        split: {long: 50%, short: 50%}
        steps: {short: [welcome, plan, notifications, done]}
        sequential: true
    permissions: [notifications]
    goals:
      - {id: first_stack, event: stack_created, within: 2m}
      - {id: subscribed, event: purchase_result, where: {status: [purchased, restored]}, \
    by: product, of: {viewed: premium}, within: 7d}
    friction: [{id: invalid_code, event: friend_code_failed, step: plan}]
    retention:
      - {days: [1, 3, 7, 14, 30]}
      - {on_or_after: [7], until: 31}
      - {bracket: [80, 110], event: test_completed, anchor: {goal: first_stack}}
    day: 24h                      # | calendar
    time_zone: UTC
    not_activity: [push_delivered, subscription_renewed]
    dimensions: [app_version, os, locale, {id: reduce_motion, \
    path: context.accessibility.reduce_motion}]
    funnels:
      - {id: to_value, window: 7d, steps: [onboarding_started, {event: onboarding_page_viewed, \
    where: {page_name: plan}}, stack_created]}
    targets:
      - {metric: completion_rate, at_least: 80%}
    events: {"Onboarding Page Viewed": onboarding_page_viewed}
    fields: {page_name: properties.page, status: {path: properties.result, \
    values: {authorized: granted}}}
    """

  @Test func `it parses without a remark`() throws {
    let parsed = try FlowParser.parse(Self.text, file: "example.yaml")
    #expect(parsed.warnings == [])
    let flow = parsed.flow
    #expect(flow.newestVersion == "2")
    #expect(flow.versions == [VersionList(name: "1", steps: [0, 1, 5])])
    #expect(flow.experiments.first?.variants.map(\.steps) == [nil, [0, 1, 4, 5]])
    #expect(
      flow.retention.map(\.id)
        == ["d1", "d3", "d7", "d14", "d30", "on_or_after_d7", "d80_110"])
    #expect(flow.goals.map(\.ofViewedStep) == [nil, 2])
    #expect(flow.funnels.first?.steps.count == 3)
  }
}
