import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// The catalogue of metrics against the rows that reports make: what a target may ask for is what
/// there can be.
struct MetricPlaceTests {
  private struct World {
    var flow: Flow
    var analysis: Analysis
    var catalog: MetricCatalog
  }

  private static func world(_ name: String) async throws -> World {
    var flow = try name == "own" ? ownFlow() : FlowFile.load(name)
    flow.existingUsers = .include
    var lines: [String] = []
    for seed in 0..<4 {
      var random = RandomTimelines(seed: UInt64(900 + seed), flow: flow)
      lines += random.lines(persons: 150).map {
        $0.replacing("\"user_id\":\"", with: "\"user_id\":\"\(seed)")
      }
    }
    let options = ReferenceOptions(asOfMilliseconds: 1_830_000_000_000)
    let analysis = try await Evaluated(files: [lines], flow: flow, options: options).analysis
    return World(flow: flow, analysis: analysis, catalog: MetricCatalog(flow))
  }

  /// Versions, two experiments, a branch, and goals and measures that are one quantity.
  private static func ownFlow() throws -> Flow {
    try FlowParser.parse(
      """
      flow: own
      window: 24h
      steps: [welcome, plan, {id: premium, branch_of: plan}, done]
      versions: {"1": [welcome, done]}
      experiments:
        length: {control: long, variants: [long, short], steps: {short: [welcome, plan, done]}}
        copy: {control: A, variants: [A, B, C]}
      permissions: [camera]
      goals:
        - {id: paid, event: paid, within: 2d}
        - {id: bought, event: paid, within: 2d}
        - {id: upgraded, event: paid, within: 2d, of: {viewed: plan}}
      friction: [{id: failed, event: failed}]
      retention: [{days: [1, 7]}, {bracket: [7, 30]}, {on_or_after: 7, until: 31}]
      dimensions: [os]
      funnels: [{id: value, window: 7d, steps: [onboarding_started, paid]}]
      """, file: "own.yaml"
    ).flow
  }

  /// The target that names a row's slice; `nil` where a file can't name it.
  private static func target(of row: MetricRow, in world: World) -> Target? {
    var slice: [NameMapping] = []
    func add(_ key: String, _ value: String) { slice.append(NameMapping(from: key, to: value)) }
    guard row.slice.cohort == "all" else { return nil }
    if row.slice.version != "all" { add("version", row.slice.version) }
    if row.slice.variant != "all" {
      let experiment = world.flow.experiments.first { $0.id == row.slice.experiment }
      guard experiment?.variants.contains(where: { $0.id == row.slice.variant }) == true else {
        return nil
      }
      add("experiment", row.slice.experiment)
      add("variant", row.slice.variant)
    }
    if row.slice.breakdownText != "all" { add("breakdown", row.slice.breakdownText) }
    let step = row.step == "all" ? "" : row.step
    return Target(metric: row.metric, step: step, slice: slice, bound: .atLeast(0))
  }

  @Test(arguments: ["own", "dequeue", "memoss", "unforgotten"])
  func `no number of a report is refused, and each has its metric's unit`(name: String)
    async throws
  {
    let world = try await Self.world(name)
    var checked = 0
    for row in world.analysis.rows {
      #expect(MetricCatalog.unit(of: row.metric) == row.unit, "\(row.metric)")
      guard world.catalog.kind(of: row.metric) != nil, row.value != nil,
        let target = Self.target(of: row, in: world)
      else { continue }
      checked += 1
      let reason = world.catalog.impossibility(of: target)
      #expect(reason == nil, "\(row.metric) \(row.step) \(row.slice): \(reason ?? "")")
    }
    #expect(checked > 1000)
  }

  @Test(arguments: ["own", "dequeue", "memoss", "unforgotten"])
  func `what a target may ask for has a row`(name: String) async throws {
    let world = try await Self.world(name)
    let slices = Self.slices(world)
    var checked = 0
    for (metric, step) in Self.numbers(world.flow) {
      for slice in slices {
        var row = MetricRow(slice: slice, metric: metric, step: step, unit: .rate)
        guard let target = Self.target(of: row, in: world),
          world.catalog.kind(of: metric) != nil,
          world.catalog.impossibility(of: target) == nil,
          // Few people deny, and who did not skip has no page of a skip.
          slice.breakdown == .all || !Self.isOfFew(metric)
        else { continue }
        checked += 1
        row.slice = slice
        #expect(
          world.analysis.row(metric, step: step, in: slice) != nil,
          "\(metric) \(step) in \(slice) may be asked for and is never there")
      }
    }
    #expect(checked > 300)
  }

  @Test func `people whose window is open are only counted`() async throws {
    let catalog = MetricCatalog(try Self.ownFlow())
    let open = [NameMapping(from: "breakdown", to: "outcome=(open)")]
    let accepted = catalog.metrics.map(\.name).filter {
      catalog.impossibility(of: Target(metric: $0, step: "", slice: open, bound: .atLeast(0)))
        == nil
    }
    #expect(accepted == [.entered, .immature])
  }

  private static func isOfFew(_ metric: MetricName) -> Bool {
    [.skipShare, .permissionRecovered, .permissionLeftAfterDenial].contains(metric)
  }

  /// Slices with people whose outcome is known, one of each shape for the dimensions.
  private static func slices(_ world: World) -> [Slice] {
    var shapes: Set<String> = []
    return world.analysis.rows.filter { $0.metric == .persons && ($0.numerator ?? 0) > 100 }
      .map(\.slice).filter { slice in
        let shape = "\(slice.uncut)\(slice.breakdown.dimension)"
        return slice.breakdown == .all || shapes.insert(shape).inserted
      }
  }

  /// Every metric with each of its steps, derived ones too; without times, which people may lack.
  private static func numbers(_ flow: Flow) -> [(metric: MetricName, step: String)] {
    let catalog = MetricCatalog(flow)
    var numbers: [(MetricName, String)] = []
    for (metric, kind) in catalog.metrics where MetricCatalog.unit(of: metric) != .seconds {
      if metric.rawValue.hasPrefix("time_") { continue }
      let steps: [String] =
        switch kind {
        case .none: ["all"]
        case .step: flow.steps.map(\.id) + ["(entry)", "(unknown)"]
        case .permission: flow.permissions
        case .goal: flow.goals.map(\.id)
        case .friction: flow.friction.map(\.id)
        case .funnel:
          flow.funnels.flatMap { funnel in
            funnel.steps.indices.map { "\(funnel.id):\($0 + 1)" }
          }
        }
      let compared = MetricName.Comparison.allCases.map { metric.compared(by: $0) }
      for name in [metric] + compared where catalog.kind(of: name) != nil {
        numbers += steps.map { (name, $0) }
      }
    }
    return numbers
  }
}
