import FlowDefinition

/// A small flow that uses most of what reports show.
enum DemoFlow {
  static let text = """
    flow: demo
    title: Demo, first run
    window: 24h
    skip: ends
    counts_from: 1
    steps:
      - {id: welcome, title: Welcome, expected: 10s}
      - {id: plan, title: Your plan, expected: 20s}
      - {id: notifications, asks: notifications}
      - {id: done}
    expected_total: [30s, 1m]
    experiments:
      length:
        control: long
        split: {long: 50%, short: 50%}
        steps: {short: [welcome, notifications, done]}
    permissions: [notifications]
    goals: [{id: first_plan, event: plan_created, within: 2m}]
    friction: [{id: save_failed, event: save_failed, step: plan}]
    retention: [{days: [1, 7]}]
    dimensions: [os]
    targets:
      - {metric: completion_rate, at_least: 80%}
      - {metric: skip_rate, at_most: 50%}

    """

  static func flow() throws -> Flow { try FlowParser.parse(text, file: "demo.yaml").flow }

  /// The demo with more variants, each with a share of its own.
  static func flow(variants: Int) throws -> Flow {
    var flow = try flow()
    let own = flow.experiments[0].variants[1].steps
    flow.experiments[0].variants = (0..<variants).map { index in
      Variant(
        id: "variant_\(index + 1)", share: 1 / Double(variants), steps: index == 1 ? own : nil)
    }
    return flow
  }
}
