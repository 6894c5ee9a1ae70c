import ExperimentStatistics
import FlowDefinition
import FunnelMetrics
import ReferenceEvaluator
import ReportFindings
import Testing

/// What the analysis adds to counts: curves, durations, always-valid intervals, honesty.
struct AnalysisTests {
  private static func flow(_ extra: String = "") throws -> Flow {
    try FlowParser.parse(
      """
      flow: case
      steps: [welcome, done]
      experiments: {e: {control: A, split: {A: 50%, B: 50%}\(extra)}}
      goals: [{id: paid, event: paid, within: 2d}]
      """, file: "case.yaml"
    ).flow
  }

  /// A person who starts at midnight of 2026-01-05 and finishes after some seconds, or leaves.
  private static func person(
    _ name: String, _ variant: String, finishes seconds: Int?, pays: Bool = false
  ) -> [String] {
    func line(_ event: String, _ time: String) -> String {
      """
      {"event":"\(event)","user_id":"\(name)","timestamp":"\(time)",\
      "experiments":{"e":"\(variant)"}}
      """
    }
    var lines = [line("onboarding_started", "2026-01-05T00:00:00Z")]
    if let seconds {
      let time = "2026-01-05T00:\(seconds / 60 + 10):\(seconds % 60 + 10)Z"
      lines.append(line("onboarding_completed", time))
    }
    if pays { lines.append(line("paid", "2026-01-06T00:00:00Z")) }
    return lines
  }

  private static let options = ReferenceOptions(asOfMilliseconds: 1_830_000_000_000)

  @Test func curvesEndAtTheRates() async throws {
    for seed in 0..<8 {
      let flow = try FlowFile.load("dequeue")
      var random = RandomTimelines(seed: UInt64(500 + seed), flow: flow)
      let lines = random.lines(persons: 50)
      let found = try await Evaluated(files: [lines], flow: flow, options: Self.options).analysis
      let persons = try #require(found.row(.persons)?.numerator)
      #expect(persons == found.row(.entered)?.numerator)
      let rates: [(MetricName, MetricName)] = [
        (.incidenceFinished, .completionRate), (.incidenceSkipped, .skipRate),
        (.incidenceAbandoned, .abandonRate),
      ]
      for (curve, rate) in rates {
        let row = found.row(curve, step: "24h")
        let count = try #require(found.row(rate)?.numerator)
        #expect(abs((row?.value ?? -1) - Double(count) / Double(persons)) < 1e-9)
      }
      let shares = found.curves.filter { $0.slice == .all && $0.metric == .returnedBy }
        .compactMap(\.share)
      #expect(shares == shares.sorted())
      #expect(shares.count > 3)
    }
  }

  @Test func durationsAreComparedByTheirQuantiles() async throws {
    // A finishes 1, 2 … 40 s after a common time, B 5 s later each.
    let lines = (1...40).flatMap { index in
      Self.person("a\(index)", "A", finishes: index)
        + Self.person("b\(index)", "B", finishes: index + 5)
    }
    let found = try await Evaluated(files: [lines], flow: Self.flow(), options: Self.options)
    let slice = Slice(experiment: "e", variant: "B")
    let row = try #require(
      found.analysis.row(.timeToComplete.percentile(50).compared(by: .difference), in: slice))
    // Medians 10 min 30 s and 10 min 35 s; buckets of 512 ms hold them apart to within one.
    #expect(abs(try #require(row.value) - 5) < 0.6)
    #expect(try #require(row.low) < 5 && #require(row.high) > 5)
    // It is of those who finish, in whom the variant has a part: nothing is tested.
    #expect(found.analysis.row(.timeToComplete.compared(by: .p), in: slice) == nil)
  }

  @Test func sequentialIntervalsAreWider() async throws {
    let lines = (0..<200).flatMap { index in
      Self.person("a\(index)", "A", finishes: index % 2 == 0 ? 1 : nil)
        + Self.person("b\(index)", "B", finishes: index % 3 == 0 ? nil : 1)
    }
    let slice = Slice(experiment: "e", variant: "B")
    func interval(_ extra: String) async throws -> (low: Double, high: Double) {
      let found = try await Evaluated(
        files: [lines], flow: Self.flow(extra), options: Self.options)
      let row = try #require(
        found.analysis.row(.completionRate.compared(by: .difference), in: slice))
      return (try #require(row.low), try #require(row.high))
    }
    let usual = try await interval("")
    let always = try await interval(", sequential: true")
    #expect(always.low < usual.low)
    #expect(always.high > usual.high)
  }

  /// Half of 200 against three fifths of 200: shown at 5 %, not at 0.1 %.
  @Test func verdictsFollowTheSettingsOfTheFlow() async throws {
    let lines = (0..<200).flatMap { index in
      Self.person("a\(index)", "A", finishes: index % 2 == 0 ? 1 : nil)
        + Self.person("b\(index)", "B", finishes: index % 5 < 3 ? 1 : nil)
    }
    func completion(_ settings: String) async throws -> (MetricComparison, Report) {
      var flow = try Self.flow()
      flow.statistics = try FlowParser.parse(
        "flow: x\nsteps: [a]\nstatistics: {\(settings)}\n", file: "x.yaml"
      ).flow.statistics
      let found = try await Evaluated(files: [lines], flow: flow, options: Self.options)
      let comparison = try #require(
        found.analysis.experiments.first?.comparisons.first { $0.metric == .completionRate })
      let report = Report(
        found.analysis,
        provenance: Provenance(
          programVersion: "1", sources: [], rejectsByReason: [:], lines: lines.count,
          events: lines.count, timestampsWithoutOffset: 0, timelineCounts: [:],
          horizonMilliseconds: nil, options: [:], maximumRejectRate: 0.05))
      return (comparison, report)
    }
    #expect(try await completion("correction: none").0.verdict == .higher)
    let unadjusted = try await completion("correction: none").0
    #expect(unadjusted.pAdjusted == unadjusted.p)
    let strict = try await completion("alpha: 0.1%, correction: none, target_lift: 90%")
    #expect(strict.0.verdict == .noneShown)
    #expect(
      strict.1.findings.contains { $0.text.contains("no difference shown (a change beyond −") })
    let narrow = try await completion("alpha: 0.1%, correction: none, target_lift: 1%")
    guard case .tooEarly(let missing?) = narrow.0.verdict else {
      Issue.record("not too early: \(String(describing: narrow.0.verdict))")
      return
    }
    #expect(missing.total > 100_000)
  }

  /// 100 of 200: Wilson's interval ends at 0.5686, Clopper and Pearson's at 0.5713.
  @Test func theIntervalOfARateIsTheOneAskedFor() async throws {
    let lines = (0..<200).flatMap { Self.person("a\($0)", "A", finishes: $0 < 100 ? 1 : nil) }
    func high(_ interval: StatisticsSettings.RateInterval) async throws -> Double {
      var flow = try Self.flow()
      flow.statistics.rateInterval = interval
      let found = try await Evaluated(files: [lines], flow: flow, options: Self.options)
      return try #require(found.analysis.row(.completionRate)?.high)
    }
    #expect(abs(try await high(.wilson) - 0.568_639) < 1e-6)
    #expect(abs(try await high(.clopperPearson) - 0.571_342) < 1e-6)
  }

  @Test func aRateAmongFinishersThatMisleadsIsNamed() async throws {
    // B lets twice as many finish. Of its finishers fewer pay, of all its persons more do.
    let lines = (0..<300).flatMap { index in
      Self.person("a\(index)", "A", finishes: index < 100 ? 1 : nil, pays: index < 60)
        + Self.person("b\(index)", "B", finishes: index < 220 ? 1 : nil, pays: index < 90)
    }
    let found = try await Evaluated(files: [lines], flow: Self.flow(), options: Self.options)
    let check = try #require(found.analysis.honesty.first { $0.metric == .goalRate })
    #expect(check.differenceOverAll > 0)
    #expect(check.differenceAmongFinished < 0)
    #expect(found.analysis.honesty.count == 1)
  }

  /// More finish and more pay, over all clearly; among finishers a little fewer, by chance.
  @Test func chanceAmongFinishersPointsNowhere() async throws {
    let lines = (0..<300).flatMap { index in
      Self.person("a\(index)", "A", finishes: index < 100 ? 1 : nil, pays: index < 61)
        + Self.person("b\(index)", "B", finishes: index < 220 ? 1 : nil, pays: index < 132)
    }
    let found = try await Evaluated(files: [lines], flow: Self.flow(), options: Self.options)
    #expect(found.analysis.honesty.isEmpty)
  }

  @Test func noVerdictWhereTheSplitIsWrong() async throws {
    let lines =
      (0..<300).flatMap { Self.person("a\($0)", "A", finishes: 1) }
      + (0..<200).flatMap { Self.person("b\($0)", "B", finishes: nil) }
    let found = try await Evaluated(files: [lines], flow: Self.flow(), options: Self.options)
    let summary = try #require(found.analysis.experiments.first)
    #expect(summary.hasSampleRatioMismatch)
    #expect(summary.comparisons.allSatisfy { $0.verdict == nil })
    #expect(try #require(summary.comparisons.first?.p) < 0.001)
  }
}
