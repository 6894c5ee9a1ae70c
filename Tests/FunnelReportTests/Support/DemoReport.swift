import FlowDefinition
@testable import FunnelEngine
import FunnelMetrics

/// Reports of the demo flow.
enum DemoReport {
  /// Two variants, some skipping, some denying, one wrong-named page.
  static func ordinary(_ given: Flow? = nil) throws -> Report {
    let flow = try given ?? DemoFlow.flow()
    var demo = try DemoTally(flow)
    let long = VariantState.assigned("long")
    let short = VariantState.assigned("short")
    for group: DemoTally.Group in [
      .init(
        count: 40, variant: long, outcome: .finished, viewed: [0, 1, 2, 3], answer: .granted,
        returned: true),
      .init(
        count: 25, variant: long, outcome: .finished, viewed: [0, 1, 2, 3], answer: .denied,
        cohort: "2026-W05", os: "iOS 18.4", seconds: 95),
      .init(
        count: 20, variant: long, outcome: .skipped, viewed: [0, 1], skippedAt: 1,
        next: .named("app_opened")),
      .init(count: 12, variant: long, outcome: .abandoned, viewed: [0, 1, 2], answer: .denied),
      .init(count: 3, variant: long, outcome: .abandoned, viewed: []),
      .init(
        count: 60, variant: short, outcome: .finished, viewed: [0, 2, 3], answer: .granted,
        returned: true, seconds: 25),
      .init(
        count: 15, variant: short, outcome: .finished, viewed: [0, 2, 3], answer: .notNow,
        isMatureForDay7: false, cohort: "2026-W05"),
      .init(count: 10, variant: short, outcome: .skipped, viewed: [0], skippedAt: 0),
      .init(count: 15, variant: short, outcome: .abandoned, viewed: [0]),
      .init(count: 6, variant: short, outcome: .open, viewed: [], cohort: "2026-W05"),
      .init(count: 2, variant: .unassigned, outcome: .abandoned, viewed: [0]),
      .init(
        count: 1, variant: .contaminated(["long", "short"]), outcome: .finished,
        viewed: [0, 1, 2, 3], answer: .granted),
    ] { demo.add(group) }
    demo.setQuality {
      $0.orphans = 4
      $0.impliedStarts = 9
      $0.undeclaredPages = ["paywall": 12, "#7": 3]
    }
    return Report(Analysis(of: demo.tally, flow), provenance: provenance())
  }

  /// Everybody finished, in as many variants as asked for; the second has its own list.
  static func variants(_ count: Int) throws -> Report {
    let flow = try DemoFlow.flow(variants: count)
    var demo = try DemoTally(flow)
    for (index, variant) in flow.experiments[0].variants.enumerated() {
      demo.add(
        .init(
          count: 30 + index, variant: .assigned(variant.id), outcome: .finished,
          viewed: variant.steps ?? flow.defaultList, answer: .granted, returned: true))
      demo.add(
        .init(count: 12, variant: .assigned(variant.id), outcome: .abandoned, viewed: [0]))
    }
    return Report(Analysis(of: demo.tally, flow), provenance: provenance())
  }

  /// Two steps and no experiment, for the long files.
  static func tiny() throws -> Report {
    let flow = try FlowParser.parse(
      """
      flow: tiny
      title: Tiny "quoted"
      window: 24h
      steps: [welcome, {id: ask, asks: notifications}]
      permissions: [notifications]
      goals: [{id: first_plan, event: plan_created, within: 2m}]
      retention: [{days: [1]}]
      """, file: "tiny.yaml"
    ).flow
    var demo = try DemoTally(flow)
    for group: DemoTally.Group in [
      .init(
        count: 7, variant: .unassigned, outcome: .finished, viewed: [0, 1], answer: .granted,
        returned: true),
      .init(count: 2, variant: .unassigned, outcome: .skipped, viewed: [0], skippedAt: 0),
      .init(count: 3, variant: .unassigned, outcome: .abandoned, viewed: [0, 1], answer: .denied),
    ] { demo.add(group) }
    return Report(Analysis(of: demo.tally, flow), provenance: provenance())
  }

  static func empty() throws -> Report {
    let flow = try DemoFlow.flow()
    var provenance = provenance()
    provenance.lines = 0
    provenance.events = 0
    provenance.rejectsByReason = [:]
    provenance.horizonMilliseconds = nil
    provenance.lookBack = nil
    return Report(
      Analysis(of: try DemoTally(flow).tally, flow), provenance: provenance)
  }

  static func provenance() -> Provenance {
    var provenance = Provenance(
      programVersion: "0.0.0",
      sources: [
        .init(
          name: "b.ndjson.gz", digest: "xxh3-128:" + String(repeating: "0a", count: 16), lines: 600,
          events: 598, rejects: 2, problems: []),
        .init(
          name: "a.ndjson", digest: "xxh3-128:" + String(repeating: "ff", count: 16), lines: 400,
          events: 400, rejects: 0, problems: ["at byte 812: truncated"]),
        .init(
          name: "gone.ndjson", digest: nil, lines: 0, events: 0, rejects: 0,
          problems: ["no such file"]),
      ],
      rejectsByReason: ["missing_id": 1, "bad_timestamp": 1], lines: 1000, events: 998,
      timestampsWithoutOffset: 0, timelineCounts: ["facts": 990, "repeated_facts": 8],
      horizonMilliseconds: 1_769_990_400_000, options: ["cohorts": "week"],
      maximumRejectRate: 0.01)
    provenance.lookBack = LookBack(days: 12)
    return provenance
  }
}
