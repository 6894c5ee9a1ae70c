import ExperimentStatistics
import FlowDefinition
import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import Testing

/// What an experiment's plan says: by the primary metric, the guardrails, and the people missing.
struct ExperimentPlanTests {
  /// 2026-02-02, the Monday after the week 2026-W05.
  private static let horizon: Int64 = 1_769_990_400_000

  /// People of both variants, of whom some finish and some opt in.
  private struct Arms {
    var people = [4000, 4000]
    var finish = [2000, 2000]
    var optIn = [1600, 1600]
  }

  private func flow(
    _ plan: String, sequential: Bool = false, end: String = ""
  ) throws -> Flow {
    let split = "    split: {long: 50%, short: 50%}\n"
    let lines = (plan + "\nsequential: \(sequential)" + end).split(separator: "\n")
    let text = DemoFlow.text.replacing(
      split, with: split + lines.map { "    \($0)\n" }.joined())
    return try FlowParser.parse(
      text + "statistics: {target_lift: 10%}\n", file: "plan.yaml"
    ).flow
  }

  private func analysis(_ flow: Flow, _ arms: Arms, cohorts: [String] = ["2026-W04", "2026-W05"])
    throws -> Analysis
  {
    var demo = try DemoTally(flow)
    for (arm, name) in ["long", "short"].enumerated() {
      let state = VariantState.assigned(name)
      let list = arm == 0 ? [0, 1, 2, 3] : [0, 2, 3]
      // Who opts in finishes, so the rest of the finishers did not answer.
      let both = min(arms.optIn[arm], arms.finish[arm])
      for (place, cohort) in cohorts.enumerated() {
        func part(_ count: Int) -> Int {
          count * (place + 1) / cohorts.count - count * place / cohorts.count
        }
        demo.add(
          .init(
            count: part(both), variant: state, outcome: .finished, viewed: list, answer: .granted,
            returned: true, cohort: cohort))
        demo.add(
          .init(
            count: part(arms.finish[arm] - both), variant: state, outcome: .finished, viewed: list,
            cohort: cohort))
        demo.add(
          .init(
            count: part(arms.people[arm] - arms.finish[arm]), variant: state, outcome: .abandoned,
            viewed: [0], cohort: cohort))
      }
    }
    return Analysis(of: demo.tally, flow)
  }

  private func decision(_ flow: Flow, _ arms: Arms) throws -> Decision {
    try #require(Decision.all(analysis(flow, arms), horizon: Self.horizon).first)
  }

  private let both = "primary: completion\nguardrails: {notifications: 10%}"

  @Test func `a primary metric is decided by itself`() throws {
    let arms = Arms(finish: [2000, 2093])
    func completion(_ plan: String) throws -> MetricComparison {
      let comparisons = try analysis(flow(plan), arms).experiments[0].comparisons
      return try #require(comparisons.first { $0.metric == .completionRate })
    }
    let (planned, together) = (try completion("primary: completion"), try completion(""))
    #expect(planned.role == .primary && together.role == .together)
    // p is 0.037: enough for one metric, and not for all of them together.
    #expect(planned.p == together.p && planned.pAdjusted == planned.p)
    #expect(planned.verdict == .higher && planned.intervalLevel == 0.95)
    #expect(together.verdict != .higher && together.intervalLevel > 0.98)
  }

  @Test func `a diary ends with everybody, and marks the planned end`() throws {
    let planned = try flow(both + "\nplanned: 3900", sequential: true)
    let arms = Arms(people: [3000, 3000], finish: [1500, 1700])
    let weeks = (10...18).map { "2026-W\($0)" }
    let summary = try #require(try analysis(planned, arms, cohorts: weeks).experiments.first)
    let diary = try #require(summary.diaries.first)
    #expect(summary.diaries.count == 1 && diary.variant == "short")
    #expect(diary.metric == .completionRate && diary.plannedPeople == 3900)
    #expect(LookRule.basis(summary)?.hasPrefix("The verdict must hold at every check") == true)
    // Of nine weeks every other, from the last backwards, and the sixth: 3900 have entered by then.
    #expect(
      diary.entries.map(\.cohort).map { $0.suffix(2) } == ["10", "12", "14", "15", "16", "18"])
    #expect(diary.entries.filter(\.isPlannedEnd).map(\.cohort) == ["2026-W15"])
    #expect(diary.entries.map(\.people) == [664, 1999, 3331, 3998, 4664, 6000])
    for entry in diary.entries {
      let always = try #require(entry.difference.value)
      let once = try #require(entry.single.value)
      #expect(abs(always.estimate - once.estimate) < 1e-12)
      #expect(always.interval.lower < once.interval.lower)
      #expect(always.interval.upper > once.interval.upper)
    }
    #expect(try #require(diary.entries.last?.single.value?.estimate) == 1700.0 / 3000 - 0.5)
    let single = try analysis(planned, arms, cohorts: ["2026-W05"])
    #expect(single.experiments[0].diaries.isEmpty, "one cohort is no series of looks")
  }

  @Test func `secondary metrics are adjusted among themselves, and guardrails not at all`() throws {
    let found = try analysis(flow(both), Arms()).experiments[0].comparisons
    let secondary = found.filter { $0.role == .secondary }
    let levels = Set(secondary.map(\.intervalLevel))
    let tested = secondary.count { $0.p != nil }
    #expect(tested > 1 && levels == [1 - 0.05 / Double(tested)])
    let guardrail = try #require(found.first { $0.role.margin == 0.1 })
    #expect(guardrail.metric == .permissionOptIn && guardrail.pAdjusted == nil)
    #expect(abs(guardrail.intervalLevel - 0.9) < 1e-12)
    #expect(found.count { $0.role == .primary } == 1)
  }

  @Test func `a family's sample is planned for its strictest step`() throws {
    let arms = Arms(people: [2200, 2200], finish: [1100, 1100], optIn: [900, 900])
    func completion(_ plan: String) throws -> MetricComparison {
      let comparisons = try analysis(flow(plan), arms).experiments[0].comparisons
      return try #require(comparisons.first { $0.metric == .completionRate })
    }
    let (planned, together) = (try completion("primary: completion"), try completion(""))
    // 1565 of each are enough to show a lift of 10 % at 5 %, and not at 5 % over all metrics.
    #expect(planned.verdict == .noneShown)
    guard case .tooEarly(let missing?) = together.verdict else {
      Issue.record("\(String(describing: together.verdict))")
      return
    }
    #expect(missing.total > 0)
    let lifts = [planned, together].compactMap(\.smallestDetectableLift)
    #expect(lifts.count == 2 && lifts[0] < lifts[1])
  }

  @Test func `a variant is shipped when the primary is better and the guardrails hold`() throws {
    let arms = Arms(finish: [2000, 2300])
    let ship = try decision(flow(both), arms)
    #expect(ship.title == "Ship: short against long (experiment length)")
    #expect(ship.text.contains("Primary metric completion: better."))
    #expect(ship.text.contains("Guardrail notifications opt-in: holds"))
    let harmed = try decision(flow(both), Arms(finish: [2000, 2300], optIn: [1600, 1300]))
    #expect(harmed.title.hasPrefix("Don’t ship:"))
    #expect(harmed.text.contains("notifications opt-in: violated (the loss is larger than 10 %)"))
  }

  @Test func `a variant that shows nothing, or is worse, is not shipped`() throws {
    for finish in [[2000, 2010], [2000, 1700]] {
      let decision = try decision(flow("primary: completion"), Arms(finish: finish))
      #expect(decision.title.hasPrefix("Don’t ship:"), "\(decision)")
    }
    // Less skipping is better.
    #expect(try decision(flow("primary: skip"), Arms()).title.hasPrefix("Not decided:"))
  }

  @Test func `an experiment with too few people is kept running until a day`() throws {
    // 700 people a week in both, of the 3130 that are needed.
    let arms = Arms(people: [700, 700], finish: [350, 385], optIn: [300, 300])
    let decision = try decision(flow("primary: completion"), arms)
    #expect(decision.title.hasPrefix("Keep running until about 20 February 2026:"), "\(decision)")
    #expect(
      decision.text.contains("at the pace of 100 a day (26 Jan – 1 Feb 2026)"), "\(decision.text)")
    let over = try flow("primary: completion", end: "\nend: 2026-02-01")
    let ended = try self.decision(over, arms)
    #expect(ended.title.hasPrefix("Not decided:") && ended.text.contains("is over"), "\(ended)")
  }

  @Test func `a single look waits for the planned people, and a sequence does not`() throws {
    let arms = Arms(people: [1200, 1200], finish: [500, 700], optIn: [450, 650])
    let single = try decision(flow("primary: completion"), arms)
    #expect(single.title.hasPrefix("Keep running until about"), "\(single)")
    #expect(single.text.contains("better so far") && single.text.contains("single look"))
    let watched = try decision(flow("primary: completion", sequential: true), arms)
    #expect(watched.title.hasPrefix("Ship:"), "\(watched)")
  }

  @Test func `without a plan the decision has the words it had`() throws {
    let decision = try decision(flow(""), Arms(finish: [2000, 2300]))
    #expect(decision.title.hasPrefix("Decided at one look:"), "\(decision)")
  }

  /// Looked at every week, with no difference in anything.
  @Test func `a plan that is looked at every week rarely ships what changes nothing`() throws {
    var random = Random(state: 17)
    let runs = 150
    let flow = try flow("primary: completion")
    var (shipped, peeked) = (0, 0)
    for _ in 0..<runs {
      var arms = Arms(people: [0, 0], finish: [0, 0], optIn: [0, 0])
      var hasPeeked = false
      var outcome = PlannedDecision.Outcome.keepRunning
      for _ in 0..<8 where outcome == .keepRunning {
        for arm in 0..<2 {
          arms.people[arm] += 250
          arms.finish[arm] += (0..<250).count { _ in random.next() >> 63 == 1 }
        }
        let analysis = try analysis(flow, arms, cohorts: ["2026-W05"])
        let planned = try #require(
          PlannedDecision(analysis, analysis.experiments[0], "short", horizon: Self.horizon))
        outcome = planned.outcome
        if planned.primary.verdict == .higher { hasPeeked = true }
      }
      shipped += outcome == .ship ? 1 : 0
      peeked += hasPeeked ? 1 : 0
    }
    print("Shipped \(shipped), better at some look \(peeked), of \(runs)")
    // One side of 5 %, and three Monte-Carlo standard errors.
    let limit = 0.025 + 3 * (0.025 * 0.975 / Double(runs)).squareRoot()
    #expect(Double(shipped) / Double(runs) <= limit)
    #expect(peeked > shipped)
  }

  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ (state >> 29)) &* 0x9E37_79B9_7F4A_7C15
    }
  }

  @Test func `a split that is wrong on one system names it`() throws {
    let flow = try flow("")
    var demo = try DemoTally(flow)
    for (os, counts) in [("iOS 26.1", [1000, 1010]), ("iOS 18.4", [400, 150])] {
      for (arm, name) in ["long", "short"].enumerated() {
        demo.add(
          .init(
            count: counts[arm], variant: .assigned(name), outcome: .abandoned, viewed: [0], os: os))
      }
    }
    let summary = Analysis(of: demo.tally, flow).experiments[0]
    #expect(summary.hasSampleRatioMismatch)
    let first = try #require(summary.mismatchedSegments.first)
    #expect(first.value == "iOS 18.4" && first.explainsMismatch)
    let report = Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
    let text = try #require(report.document("report.md")).bytes
    #expect(
      String(decoding: text, as: UTF8.self).contains(
        "It is off among people with os = iOS 18.4"))
    #expect(String(decoding: text, as: UTF8.self).contains("no sign of it among the others."))
  }

  /// By chance it shows among the people of one system first.
  @Test func `a split that is wrong on all systems alike names none`() throws {
    let flow = try flow("")
    var demo = try DemoTally(flow)
    for (os, counts) in [("iOS 26.1", [1000, 880]), ("iOS 18.4", [1000, 830])] {
      for (arm, name) in ["long", "short"].enumerated() {
        demo.add(
          .init(
            count: counts[arm], variant: .assigned(name), outcome: .abandoned, viewed: [0], os: os))
      }
    }
    let analysis = Analysis(of: demo.tally, flow)
    let summary = analysis.experiments[0]
    #expect(summary.hasSampleRatioMismatch && summary.mismatchedSegments.isEmpty)
    let said = SplitSentences(analysis: analysis, summary: summary).mismatch.text
    let end = "The groups of os that can be compared don’t differ in it beyond chance."
    #expect(said.hasSuffix(end), "\(said)")
  }

  /// All have the control until an experiment begins that declares no start.
  @Test func `a variant that nobody has before a date has the date and the remedy`() throws {
    let flow = try flow("")
    var demo = try DemoTally(flow)
    for (cohort, counts) in [("2026-W04", [500, 0]), ("2026-W05", [250, 240])] {
      for (arm, name) in ["long", "short"].enumerated() where counts[arm] > 0 {
        demo.add(
          .init(
            count: counts[arm], variant: .assigned(name), outcome: .abandoned, viewed: [0],
            cohort: cohort))
      }
    }
    let analysis = Analysis(of: demo.tally, flow)
    let said = SplitSentences(analysis: analysis, summary: analysis.experiments[0]).mismatch.text
    #expect(said.contains("Nobody who started before 26 Jan 2026 has short."), "\(said)")
    #expect(said.contains("'start' of the experiment in the flow file"), "\(said)")
    let decision = try #require(Decision.all(analysis, horizon: Self.horizon).first)
    #expect(decision.text.contains("Nobody who started before 26 Jan 2026 has short."))
    // On a screen there is no room for all of it.
    let short = ShortText(decision.text, kept: decision.kept).fitting { $0.count < 180 }
    #expect(short.hasSuffix("has short. If it began late, declare its 'start' in the flow file."))
  }

  /// More of the variant's people finish, and far fewer opt in, which no guardrail watches.
  @Test func `what is shown to be worse is part of every claim`() throws {
    let arms = Arms(finish: [2000, 2400], optIn: [1600, 1200])
    for plan in ["primary: completion", ""] {
      let analysis = try analysis(flow(plan), arms)
      let report = Report(analysis, provenance: DemoReport.provenance())
      let worse = ", but notifications opt-in 40 % → 30 %"
      let headline = try #require(HeadlineWords(report).decision)
      #expect(headline.claim.contains(worse), "\(headline.claim)")
      let begin = plan.isEmpty ? "short is a trade-off: " : "Ship short by the plan: "
      #expect(headline.claim.hasPrefix(begin), "\(headline.claim)")
      let finding = try #require(report.findings.first { $0.kind == .experiment })
      let claim = finding.claim.text
      #expect(claim.hasPrefix("short: completion +10"), "\(claim)")
      #expect(claim.contains(" points, but notifications opt-in −10"), "\(claim)")
      #expect(finding.tone == .bad)
      let decision = try #require(Decision.all(analysis, horizon: Self.horizon).first)
      #expect(decision.text.contains("Worse: notifications opt-in"), "\(decision.text)")
      let isUnguarded = decision.text.contains("; no guardrail is declared for ")
      #expect(isUnguarded == !plan.isEmpty, "\(decision.text)")
    }
  }
}
