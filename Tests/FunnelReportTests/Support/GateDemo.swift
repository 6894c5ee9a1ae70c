import FlowDefinition
@testable import FunnelEngine
import FunnelMetrics
import RegressionGate

/// Gates over the demo flow, with as many persons as a test needs.
enum GateDemo {
  /// Finished and abandoned persons of both variants; the two halves have different systems.
  static func report(
    finished: Int, of persons: Int, short: (finished: Int, of: Int)? = nil, leaving step: Int = 1,
    horizonMilliseconds: Int64 = 1_769_990_400_000, flow: Flow? = nil
  ) throws -> Report {
    let flow = try flow ?? DemoFlow.flow()
    var demo = try DemoTally(flow)
    let arms: [(String, (finished: Int, of: Int))] = [
      ("long", (finished, persons)), ("short", short ?? (finished, persons)),
    ]
    for (variant, counts) in arms {
      let state = VariantState.assigned(variant)
      let list = variant == "short" ? [0, 2, 3] : [0, 1, 2, 3]
      let last = variant == "short" ? [0] : Array(0...step)
      for (os, part) in [("iOS 26.1", 0), ("iOS 18.4", 1)] {
        demo.add(
          .init(
            count: (counts.finished + part) / 2, variant: state, outcome: .finished, viewed: list,
            answer: .granted, returned: true, os: os))
        demo.add(
          .init(
            count: (counts.of - counts.finished + part) / 2, variant: state, outcome: .abandoned,
            viewed: last, os: os))
      }
    }
    var provenance = DemoReport.provenance()
    provenance.sources = provenance.sources.filter(\.problems.isEmpty)
    provenance.horizonMilliseconds = horizonMilliseconds
    return Report(Analysis(of: demo.tally, flow), provenance: provenance)
  }

  static func gate(
    _ rules: String, head: String = "targets: ignore\n", flow: Flow? = nil
  ) throws -> Gate {
    try GateParser.parse(
      "\(head)rules:\n\(rules)\n", file: "ci/gate.yaml", for: try flow ?? DemoFlow.flow()
    ).gate
  }

  /// What `--accept` would have written for a report, read back.
  static func baseline(_ gate: Gate, _ report: Report) throws -> Baseline {
    let text = try GateRun(gate: gate, report: report, baseline: nil).baselineDocument()
    return try Baseline(json: Array(text.utf8), name: "base.json")
  }

  static func result(
    _ rules: String, now: Report, before: Report? = nil, head: String = "targets: ignore\n",
    today: Int? = nil
  ) throws -> GateResult {
    let gate = try gate(rules, head: head)
    let baseline: Baseline? = try before.map { try GateDemo.baseline(gate, $0) }
    return try GateRun(gate: gate, report: now, baseline: baseline, today: today).result()
  }
}
