import ExperimentStatistics
import FlowDefinition
import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import RegressionGate
@testable import ReportFindings
import Testing

/// What is shown is what decides: an interval that leaves out 0 is a verdict, and the converse.
struct DecidingIntervalTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ (state >> 29)) &* 0x9E37_79B9_7F4A_7C15
    }
  }

  /// Three variants of random sizes, some of them alike and some far apart.
  private func report(_ random: inout Random, _ settings: StatisticsSettings, sequential: Bool)
    throws -> Report
  {
    var flow = try DemoFlow.flow(variants: 3)
    flow.statistics = settings
    flow.experiments[0].isSequential = sequential
    var demo = try DemoTally(flow)
    for variant in flow.experiments[0].variants {
      let list = variant.steps ?? flow.defaultList
      func count(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
      let state = VariantState.assigned(variant.id)
      for returned in [false, true] {
        demo.add(
          .init(
            count: 120 + count(120), variant: state, outcome: .finished, viewed: list,
            answer: .granted, returned: returned))
        demo.add(
          .init(
            count: 60 + count(60), variant: state, outcome: .skipped, viewed: [0], skippedAt: 0,
            returned: returned))
      }
      demo.add(.init(count: 100 + count(80), variant: state, outcome: .abandoned, viewed: [0]))
    }
    return Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
  }

  @Test(arguments: StatisticsSettings.Correction.allCases)
  func `an interval leaves out 0 exactly where the verdict is better or worse`(
    correction: StatisticsSettings.Correction
  ) throws {
    var random = Random(state: 41)
    var (decided, open) = (0, 0)
    for round in 0..<60 {
      let alpha = [0.01, 0.05, 0.2][round % 3]
      let report = try report(
        &random, StatisticsSettings(alpha: alpha, correction: correction),
        sequential: round % 4 == 0)
      for comparison in report.analysis.experiments.flatMap(\.comparisons) {
        guard let verdict = comparison.verdict else { continue }
        let isDecided = verdict == .higher || verdict == .lower
        decided += isDecided ? 1 : 0
        open += isDecided ? 0 : 1
        let slice = Slice(experiment: comparison.experiment, variant: comparison.variant)
        for how in [MetricName.Comparison.difference, .lift] {
          let row = try #require(
            report.analysis.row(
              comparison.metric.compared(by: how), step: comparison.step, in: slice))
          guard let low = row.low, let high = row.high else { continue }
          let found: Verdict? = low > 0 ? .higher : high < 0 ? .lower : nil
          #expect((found != nil) == isDecided, "\(comparison)")
          if isDecided { #expect(found == verdict, "\(comparison)") }
          #expect(row.level == comparison.intervalLevel && row.level >= 1 - alpha - 1e-12)
        }
      }
    }
    #expect(decided > 50 && open > 50, "\(decided) \(open)")
  }

  @Test func `two runs are compared by the interval that decides`() throws {
    var random = Random(state: 42)
    var (decided, open) = (0, 0)
    for _ in 0..<20 {
      let sides = try (0..<2).map { _ in
        let report = try report(&random, StatisticsSettings(), sequential: false)
        return try RecordedReport(bytes: #require(report.document("metrics.json")).bytes)
      }
      for change in RunComparison(sides[0], sides[1]).changes {
        guard let p = change.pAdjusted, let interval = change.difference.value?.interval else {
          continue
        }
        decided += p < 0.05 ? 1 : 0
        open += p < 0.05 ? 0 : 1
        #expect(interval.contains(0) == (p >= 0.05), "\(change)")
      }
    }
    #expect(decided > 10 && open > 10, "\(decided) \(open)")
  }

  /// Who used skip and finished all the same is not skipped.
  @Test func `having skipped and having used skip are compared each for itself`() throws {
    let report = try DemoReport.ordinary()
    let compared = report.analysis.experiments.flatMap(\.comparisons).map(\.metric)
    for rate in [MetricName.skipRate, .usedSkipRate] {
      #expect(compared.count { $0 == rate } == report.analysis.experiments.count, "\(rate)")
    }
  }

  @Test func `a target on a time is decided by the interval of its percentile`() throws {
    var flow = try DemoFlow.flow()
    let analysis = try DemoReport.ordinary(flow).analysis
    let metric = MetricName.timeToComplete.percentile(50)
    let median = try #require(analysis.row(metric)?.value)
    let interval = try #require(analysis.durationInterval(metric))
    #expect(interval.contains(median) && interval.lowerBound < interval.upperBound, "\(interval)")
    let crumb = (interval.upperBound - interval.lowerBound) / 1000
    flow.targets = [
      interval.upperBound, interval.upperBound - crumb, interval.lowerBound,
      interval.lowerBound - crumb,
    ].map { Target(metric: metric, step: "", slice: [], bound: .atMost($0)) }
    let checks = TargetCheck.all(try DemoReport.ordinary(flow).analysis)
    #expect(checks.map(\.verdict) == [.met, .unclear, .unclear, .missed])
    #expect(checks[0].seen.text.contains("95 % CI"), "\(checks[0].seen.text)")
  }

  @Test func `a bound in seconds is shown in seconds without any data`() throws {
    var flow = try DemoFlow.flow()
    flow.targets = [
      Target(metric: .timeToGoal.percentile(50), step: "first_plan", bound: .atMost(18_000)),
      Target(
        metric: .completionRate.compared(by: .lift),
        slice: [NameMapping(from: "variant", to: "none")], bound: .atLeast(-0.02)),
      Target(metric: .persons, slice: [NameMapping(from: "version", to: "9")], bound: .atLeast(5)),
    ]
    let report = try DemoReport.ordinary(flow)
    let checks = TargetCheck.all(report.analysis)
    #expect(checks.map(\.boundText) == ["at most 5 h", "at least −2.0 %", "at least 5"])
    let gate = try GateRun(gate: Gate(flow: flow), report: report, baseline: nil).result()
    let demands = gate.checks.map { GateWords($0).demand }
    #expect(demands == ["at most 5 h", "at least -2 %", "at least 5"])
  }
}
