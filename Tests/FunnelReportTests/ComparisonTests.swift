import ExperimentStatistics
import FlowDefinition
import Foundation
@testable import FunnelMetrics
@testable import FunnelReport
@testable import RegressionGate
@testable import ReportText
import Testing

@Suite("Two runs side by side")
struct ComparisonTests {
  private func recorded(_ report: Report) throws -> RecordedReport {
    let json = try #require(report.documents().first { $0.name == "metrics.json" })
    return try RecordedReport(bytes: json.bytes)
  }

  /// A value with successes and trials of both sides.
  private func stratum(_ value: String, _ before: (Int, Int), _ after: (Int, Int))
    -> MixAndRate.Stratum
  {
    .init(
      values: [value], before: Proportion(successes: before.0, trials: before.1),
      after: Proportion(successes: after.0, trials: after.1))
  }

  @Test func `mix and rate by hand`() throws {
    // Shares 1/2 and 1/2 become 1/4 and 3/4; rates 0.8 and 0.4 become 0.8 and 0.5.
    let found = try #require(
      MixAndRate(
        [stratum("new", (20, 50), (75, 150)), stratum("old", (40, 50), (40, 50))],
        dimensions: ["app_version"]))
    #expect(abs(found.difference - (0.575 - 0.6)) < 1e-12)
    // Σ Δw (r̄ − R̄) = 0.25·0.45 − 0.25·0.8; Σ w̄ Δr = 0.625·0.1.
    #expect(abs(found.mix - (0.25 * 0.45 - 0.25 * 0.8)) < 1e-12)
    #expect(abs(found.rate - 0.0625) < 1e-12)
    #expect(found.matched == 1)
    #expect(found.parts.map { $0.values } == [["new"], ["old"]])
  }

  @Test func `a kind that one side does not have is a part of its own`() throws {
    let found = try #require(
      MixAndRate(
        [
          stratum("a", (5, 10), (5, 10)),
          stratum("b", (0, 0), (9, 10)),
        ], dimensions: ["os"]))
    #expect(abs(found.rate) < 1e-12)
    #expect(abs(found.mix) < 1e-12)
    // Half of the second side, 0.4 above its other half.
    #expect(abs(found.newKinds - 0.2) < 1e-12)
    #expect(abs(found.matched - 0.75) < 1e-12)
  }

  @Test func `sides with nothing in common have neither mix nor rate`() throws {
    let found = try #require(
      MixAndRate(
        [
          stratum("1.0", (160, 200), (0, 0)),
          stratum("1.1", (0, 0), (120, 200)),
        ], dimensions: ["app_version"]))
    #expect([found.mix, found.rate, found.matched] == [0, 0, 0])
    #expect(found.rateMargin == nil)
    #expect(abs(found.newKinds + 0.2) < 1e-12)
  }

  @Test func `the last person on an old release does not stand for all who had it`() throws {
    // By shares 1 and 1/1,001 and rates 0.66 and 0: a mix of +34 and a rate of −36 points.
    func found(_ left: (Int, Int)) throws -> MixAndRate {
      try #require(
        MixAndRate(
          [stratum("2.3.0", (893, 1353), left), stratum("2.3.1", (0, 0), (650, 1000))],
          dimensions: ["app_version"]))
    }
    let one = try found((0, 1))
    #expect([one.mix, one.rate, one.matched] == [0, 0, 0] && one.rateMargin == nil)
    #expect(abs(one.newKinds - one.difference) < 1e-12)
    #expect(one.parts.map { $0.isNew(in: one) } == [false, true])
    // Twenty are compared: with an interval that knows how few they are.
    let twenty = try found((0, 20))
    #expect(twenty.rate < -0.3 && twenty.parts[0].isMatched)
    let margin = try #require(twenty.rateMargin)
    // Wilson has 16.1 % as the upper end for 0 of 20; this is half of all weight.
    #expect(margin > 0.04 && margin < 0.1, "\(margin)")
  }

  @Test func `kinds that are rare on both sides are compared`() throws {
    let found = try #require(
      MixAndRate(
        [stratum("a", (500, 1000), (400, 1000)), stratum("b", (2, 9), (3, 6))], dimensions: ["os"]))
    #expect(found.parts.allSatisfy(\.isMatched) && found.newKinds == 0)
  }

  @Test func `mix, rate and new kinds add up to the difference, whatever the counts`() throws {
    var state: UInt64 = 20_260_101
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    for _ in 0..<200 {
      let strata = (0..<(2 + next(12))).map { index -> MixAndRate.Stratum in
        let trials = (next(40), next(40))
        return .init(
          values: ["\(index)"],
          before: Proportion(successes: next(trials.0 + 1), trials: trials.0),
          after: Proportion(successes: next(trials.1 + 1), trials: trials.1))
      }
      guard let found = MixAndRate(strata, dimensions: ["x"]) else { continue }
      #expect(abs(found.mix + found.rate + found.newKinds - found.difference) < 1e-9)
      let parts = found.parts.reduce(0) { $0 + $1.mix + $1.rate + $1.newKinds }
      #expect(abs(parts - found.difference) < 1e-9)
    }
  }

  @Test func `a report against itself changes nothing`() throws {
    let report = try recorded(DemoReport.ordinary())
    let comparison = RunComparison(report, report)
    #expect(comparison.changes.count > 8)
    #expect(!comparison.isUnlike)
    for change in comparison.changes {
      #expect(change.isLike)
      #expect(change.before == change.after)
      if let difference = change.difference.value { #expect(difference.estimate == 0) }
    }
    for cause in comparison.causes.flatMap({ $0 }) {
      #expect(abs(cause.difference) < 1e-12)
      #expect(abs(cause.mix) < 1e-12)
      #expect(abs(cause.rate) < 1e-12)
    }
    #expect(comparison.sharedInputs == 2)
  }

  @Test func `inputs are the same by digests of the same kind`() throws {
    func report(_ digests: String...) throws -> RecordedReport {
      let report = try DemoReport.ordinary()
      var provenance = report.provenance
      provenance.sources = digests.map {
        .init(name: "a", digest: $0, lines: 1, events: 1, rejects: 0, problems: [])
      }
      return try recorded(Report(report.analysis, provenance: provenance))
    }
    let digits = String(repeating: "0a", count: 32)
    // Before digests named their kind, they were SHA-256.
    let earlier = RunComparison(try report(digits), try report("sha256:\(digits)"))
    #expect(earlier.sharedInputs == 1)
    #expect(!earlier.text(style: TerminalStyle()).contains("isn't known"))
    let unlike = RunComparison(try report(digits), try report("xxh3-128:\(digits.prefix(32))"))
    #expect(unlike.sharedInputs == 0)
    let told = unlike.text(style: TerminalStyle()).split { $0.isWhitespace }.joined(separator: " ")
    #expect(told.contains("they are named by sha256; after, by xxh3-128"))
    let others = RunComparison(try report("sha256:\(digits)"), try report("sha256:00"))
    #expect(others.sharedInputs == 0)
    #expect(!others.text(style: TerminalStyle()).contains("isn't known"))
  }

  @Test func `a quantity is compared once, by whatever names`() throws {
    let text =
      DemoFlow.text.replacing(
        "goals: [", with: "goals: [{id: again, event: plan_created, within: 2m}, "
      ).replacing("{days: [1, 7]}", with: "{days: [1, 7]}, {bracket: [7, 7]}")
    let flow = try FlowParser.parse(text, file: "demo.yaml").flow
    let report = try recorded(DemoReport.ordinary(flow))
    let names = RunComparison(report, report).changes.map { "\($0.metric) \($0.step)" }
    #expect(names.contains("skip_rate all") && names.contains("used_skip_rate all"))
    #expect(names.contains("goal_rate again") && !names.contains("goal_rate first_plan"))
    #expect(names.count { $0.hasPrefix("retention_d7") } == 1)
    #expect(Set(names).count == names.count)
  }

  @Test func `a skip that ends nothing is another quantity, and abandoning none`() throws {
    let text = DemoFlow.text.replacing("skip: ends", with: "skip: {leads_to: done}")
      .replacing("  - {metric: skip_rate, at_most: 50%}\n", with: "")
    let flow = try FlowParser.parse(text, file: "demo.yaml").flow
    let report = try recorded(DemoReport.ordinary(flow))
    let names = RunComparison(report, report).changes.map(\.metric)
    #expect(names.contains(.usedSkipRate) && names.contains(.completionRate))
    #expect(!names.contains(.abandonRate))
  }

  @Test func `variants of one file against each other`() throws {
    let report = try recorded(DemoReport.ordinary())
    let comparison = RunComparison(
      report, report, sliceBefore: .init(experiment: "length", variant: "long"),
      sliceAfter: .init(experiment: "length", variant: "short"))
    let completion = try #require(comparison.changes.first { $0.metric == .completionRate })
    #expect(completion.before == Proportion(successes: 65, trials: 100))
    #expect(completion.after == Proportion(successes: 75, trials: 100))
    let place = try #require(comparison.changes.firstIndex { $0.metric == .completionRate })
    let cause = try #require(comparison.causes[place].first)
    #expect(cause.dimensions == ["os"])
    #expect(abs(cause.difference - 0.1) < 1e-12)
    #expect(abs(cause.mix + cause.rate + cause.newKinds - 0.1) < 1e-12)
    let text = comparison.text(style: TerminalStyle())
    #expect(text.contains("Completion  "))
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.of($0) <= 80 })
  }

  @Test func `other definitions are marked and not tested`() throws {
    let ordinary = try recorded(DemoReport.ordinary())
    let tiny = try recorded(DemoReport.tiny())
    let comparison = RunComparison(ordinary, tiny)
    #expect(comparison.changes.contains { $0.metric == .completionRate })
    #expect(comparison.isUnlike == comparison.changes.allSatisfy { !$0.isLike })
    for (change, causes) in zip(comparison.changes, comparison.causes) where !change.isLike {
      #expect(change.pAdjusted == nil)
      #expect(causes.isEmpty)
    }
    #expect(comparison.text(style: TerminalStyle()).contains("≠"))
  }

  @Test func `what is no metrics.json is told`() {
    #expect(throws: RecordedReportError.malformed) { try RecordedReport(bytes: Array("[]".utf8)) }
    #expect(throws: RecordedReportError.notJSON) { try RecordedReport(bytes: Array("no".utf8)) }
    #expect(throws: RecordedReportError.missing("schema")) {
      try RecordedReport(bytes: Array("{}".utf8))
    }
  }

  @Test func `a slice that a file does not have is told with those that it has`() throws {
    let report = try recorded(DemoReport.ordinary())
    var slice = ComparedSlice()
    #expect(report.lacks(slice) == nil)
    slice.version = "7"
    #expect(report.lacks(slice) == "has no version '7'; it has none")
    slice = ComparedSlice()
    (slice.experiment, slice.variant) = ("lenght", "long")
    #expect(report.lacks(slice)?.hasSuffix("did you mean 'length'?") == true)
    (slice.experiment, slice.variant) = ("length", "lang")
    #expect(
      report.lacks(slice)?.hasPrefix("has no variant 'lang' of experiment 'length'; there are long")
        == true)
    (slice.experiment, slice.variant) = ("length", "short")
    #expect(report.lacks(slice) == nil)
  }

  @Test func `a file of another version is told as that, whatever else it lacks`() {
    let error = RecordedReportError.otherSchema("firstmile.metrics/7")
    #expect(throws: error) {
      try RecordedReport(bytes: Array(#"{"schema": "firstmile.metrics/7", "rows": 1}"#.utf8))
    }
    #expect(error.description.contains("this program reads 'firstmile.metrics/2'"))
  }

  @Test func `fingerprints are read in both forms`() throws {
    func report(_ prints: String, _ more: String = "") throws -> RecordedReport {
      let text = """
        {"schema": "firstmile.metrics/\(more.isEmpty ? 1 : 2)", "semantics_version": 2,
        "flow": {"id": "a", "title": "A"}, "fingerprint": "f", "choices": "", "horizon": null,
        "metric_fingerprints": [\(prints)], \(more)
        "metrics": {"rows": []}, "provenance": {"sources": []}}
        """
      return try RecordedReport(bytes: Array(text.utf8))
    }
    let old = try report(
      """
      {"metric": "entered", "fingerprint": "x"},
      {"metric": "used_skip_rate", "fingerprint": "x", "repeats": {"metric": "skip_rate"}},
      {"metric": "step_reach", "step": "one", "fingerprint": "y"}
      """)
    let new = try report(
      """
      {"fingerprint": "x", "metrics": {"entered": ["all"], "used_skip_rate": ["all"]}},
      {"fingerprint": "y", "metrics": {"step_reach": ["one"]}}
      """, #""repeated_rates": [{"metric": "used_skip_rate", "repeats": {"metric": "skip_rate"}}],"#
    )
    #expect(old.fingerprints == new.fingerprints && old.fingerprints.count == 3)
    #expect(old.repetitions == new.repetitions)
    let skipped = RecordedReport.Rate(metric: .usedSkipRate, step: "all")
    #expect(new.repetitions[skipped]?.metric == .skipRate)
  }

  @Test func `a baseline is read by gates and is no side of a comparison`() throws {
    let gate = try GateDemo.gate("  - {metric: completion_rate, not_worse_by: 2%}")
    let report = try GateDemo.report(finished: 400, of: 500)
    let text = try GateRun(gate: gate, report: report, baseline: nil).baselineDocument()
    let bytes = Array(text.utf8)
    #expect(throws: RecordedReportError.otherSchema("firstmile.baseline/1")) {
      try RecordedReport(bytes: bytes)
    }
    let baseline = try Baseline(json: bytes, name: "b.json")
    let finished = report.analysis.row(.completionRate)?.numerator
    #expect(baseline.row(.completionRate)?.numerator == finished && (finished ?? 0) > 0)
  }
}
