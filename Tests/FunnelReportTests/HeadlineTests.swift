import ExperimentStatistics
import FlowDefinition
import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import Testing

/// The one sentence that a report says first, by its order.
@Suite("Headlines")
struct HeadlineTests {
  /// 2026-02-02, the Monday after the week 2026-W05.
  private static let horizon: Int64 = 1_769_990_400_000

  private func flow(_ plan: String = "", targets: String = "") throws -> Flow {
    let split = "    split: {long: 50%, short: 50%}\n"
    let lines = plan.split(separator: "\n").map { "    \($0)\n" }.joined()
    let head = DemoFlow.text.split(separator: "targets:")[0]
    let text = head.replacing(split, with: split + lines) + targets
    return try FlowParser.parse(text + "statistics: {target_lift: 10%}\n", file: "h.yaml").flow
  }

  private func report(_ flow: Flow, _ groups: [DemoTally.Group]) throws -> Report {
    var demo = try DemoTally(flow)
    for group in groups { demo.add(group) }
    var provenance = DemoReport.provenance()
    provenance.sources = provenance.sources.filter(\.problems.isEmpty)
    provenance.horizonMilliseconds = Self.horizon
    return Report(Analysis(of: demo.tally, flow), provenance: provenance)
  }

  /// Both variants, of whom so many of 4000 finish.
  private func arms(_ long: Int, _ short: Int, of people: Int = 4000) -> [DemoTally.Group] {
    zip(["long", "short"], [long, short]).flatMap { name, finish -> [DemoTally.Group] in
      let list = name == "long" ? [0, 1, 2, 3] : [0, 2, 3]
      let state = VariantState.assigned(name)
      return [
        .init(
          count: finish, variant: state, outcome: .finished, viewed: list, answer: .granted,
          returned: true),
        .init(count: people - finish, variant: state, outcome: .abandoned, viewed: [0]),
      ]
    }
  }

  private let plan = "primary: completion"

  @Test func `a finished plan leads with its decision`() throws {
    let headline = try #require(report(flow(plan), arms(2440, 3480)).headline)
    #expect(headline.claim == "Ship short: completion 61 % → 87 %")
    #expect(headline.detail.hasPrefix("+26.0 points, 95 % CI +24."), "\(headline.detail)")
    #expect(headline.tone == .good && headline.chart == .experiment("length"))
    let worse = try #require(report(flow(plan), arms(3480, 2440)).headline)
    #expect(worse.claim == "Don’t ship short: completion 87 % → 61 %" && worse.tone == .bad)
  }

  @Test func `ship is qualified by every target that is not met`() throws {
    let undecided =
      "targets: [{metric: completion_rate, experiment: length, variant: short, "
      + "at_least: 87%}]\n"
    let open = try #require(report(flow(plan, targets: undecided), arms(2440, 3480)).headline)
    #expect(open.claim == "Ship short: completion 61 % → 87 %, but 1 target is undecided")
    #expect(open.tone == .neutral)
    let everyone = "targets: [{metric: completion_rate, at_least: 99%}]\n"
    let missed = try #require(report(flow(plan, targets: everyone), arms(2440, 3480)).headline)
    #expect(missed.claim.hasSuffix(", but 1 target is missed"), "\(missed.claim)")
    // What the other variant misses says nothing against this one.
    let control =
      "targets: [{metric: completion_rate, experiment: length, variant: long, "
      + "at_least: 99%}]\n"
    let other = try #require(report(flow(plan, targets: control), arms(2440, 3480)).headline)
    #expect(other.claim == "Ship short: completion 61 % → 87 %")
    // It lost: that it misses a target is no news.
    #expect(!other.detail.contains("missed"), "\(other.detail)")
  }

  @Test func `an open guardrail ships nothing`() throws {
    let guarded = try flow("primary: completion\nguardrails: {notifications: 10%}")
    // As many finish, and all who do opt in: the guardrail of the variant that wins holds.
    let holds = try #require(report(guarded, arms(2440, 3480)).headline)
    #expect(holds.claim.hasPrefix("Ship"))
    var groups = arms(2440, 3480)
    groups[2].answer = .noResult
    let violated = try #require(report(guarded, groups).headline)
    #expect(!violated.claim.hasPrefix("Ship"), "\(violated.claim)")
  }

  @Test func `without a plan the better variant is named and not shipped`() throws {
    let headline = try #require(report(flow(), arms(2440, 3480)).headline)
    #expect(headline.claim == "short is better: completion 61 % → 87 %")
    // The tally has no cohorts, so there is no diary that would say something else.
    let rule =
      " This holds for one look, today: no interim checks are planned."
    #expect(headline.detail.contains(rule), "\(headline.detail)")
    let planned = try #require(report(flow(plan), arms(2440, 3480)).headline)
    #expect(!planned.detail.contains("interim checks"), "\(planned.detail)")
    let sequential = try #require(
      report(flow("sequential: true"), arms(2440, 3480)).headline)
    #expect(!sequential.detail.contains("interim checks"), "\(sequential.detail)")
  }

  @Test func `an alarm comes before a decision`() throws {
    var report = try report(flow(plan), arms(2440, 3480))
    var provenance = report.provenance
    provenance.rejectsByReason = ["malformed_json": provenance.lines / 2]
    report = Report(report.analysis, provenance: provenance)
    let headline = try #require(report.headline)
    #expect(headline.tone == .alarm && headline.claim.contains("of the lines could not be used"))
    #expect(headline.detail.hasPrefix("74 % of people finish."), "\(headline.detail)")
  }

  @Test func `what changes a report changes what is concluded from it`() throws {
    let before = try report(flow(), arms(2440, 2440))
    let now = try report(flow(), arms(3480, 3480))
    let json = try #require(before.document("metrics.json"))
    let earlier = try EarlierNumbers(
      RecordedReport(bytes: json.bytes), of: now, name: "May")
    var asked = now
    let alone = try #require(asked.headline)
    asked.earlier = earlier
    var fresh = now
    fresh.earlier = earlier
    let held = try #require(asked.headline)
    #expect(held.text == fresh.headline?.text && held.text != alone.text, "\(held.text)")
    #expect(now.headline?.text == alone.text)
    #expect(asked.findings == fresh.findings)
  }

  @Test func `then comes the step that loses most, else that none does`() throws {
    var flow = try flow()
    // Without an experiment neither a split nor a difference has anything to say.
    flow.experiments = []
    func group(_ count: Int, _ viewed: [Int], isFinished: Bool = false) -> DemoTally.Group {
      .init(
        count: count, variant: .unassigned, outcome: isFinished ? .finished : .abandoned,
        viewed: viewed)
    }
    let finished = group(82, [0, 1, 2, 3], isFinished: true)
    let one = try #require(report(flow, [group(30, [0, 1]), group(5, [0]), finished]).headline)
    #expect(one.claim == "Your plan loses 27 % of the people who reach it")
    #expect(one.chart?.text == "funnel/plan")
    let none = try #require(
      report(flow, [group(15, [0, 1]), group(14, [0]), finished]).headline)
    #expect(none.claim == "74 % of people finish; no step stands out")
    let both = [group(15, [0, 1]), group(15, [0]), finished]
    let equal = try #require(report(flow, both).headline)
    #expect(equal.claim == "73 % of people finish; no step stands out")
    #expect(
      equal.detail.contains(
        "The most are lost at Welcome and at Your plan: 15 each of the 30 who don’t finish."),
      "\(equal.detail)")
    let texts = try report(flow, both).findings.map(\.text)
    #expect(texts.contains { $0.contains("are lost at Welcome and at Your plan: 15 each, 50.0 %") })
    #expect(
      none.detail.hasPrefix(
        "The steps’ rates differ too little to name a worst one. The most are lost at Your plan: "
          + "15 of the 29 who don’t finish."), "\(none.detail)")
    #expect(none.chart == .funnel)
  }

  @Test func `a version that finishes more comes before a drop-off`() throws {
    let text = DemoFlow.text.replacing(
      "experiments:",
      with: "versions: {\"0\": [welcome], \"1\": [welcome]}\nversion: \"2\"\nexperiments:")
    let flow = try FlowParser.parse(text, file: "v.yaml").flow
    func claim(_ now: Int) throws -> String {
      // Of two versions before it the one with more people counts.
      let few = DemoTally.Group(
        count: 20, variant: .unassigned, outcome: .finished, viewed: [0], version: "0")
      let groups = [("1", 100), ("2", now)].flatMap { version, finish -> [DemoTally.Group] in
        let list = version == "2" ? [0, 1, 2, 3] : [0]
        return [
          .init(
            count: finish, variant: .unassigned, outcome: .finished, viewed: list,
            version: version),
          .init(
            count: 200 - finish, variant: .unassigned, outcome: .abandoned, viewed: [0],
            version: version),
        ]
      }
      return try #require(report(flow, groups + [few]).headline).claim
    }
    #expect(try claim(160) == "More people finish flow version 2 than version 1: 80 % vs 50 %")
    #expect(try claim(60) == "Fewer people finish flow version 2 than version 1: 30 % vs 50 %")
    // 52 % against 50 % is chance.
    #expect(try !claim(104).contains("than version 1"))
  }

  @Test func `a few people give no more than a rate`() throws {
    let groups: [DemoTally.Group] = [
      .init(count: 3, variant: .assigned("long"), outcome: .finished, viewed: [0, 1, 2, 3]),
      .init(count: 1, variant: .assigned("long"), outcome: .abandoned, viewed: [0]),
    ]
    let headline = try #require(report(flow(), groups).headline)
    #expect(headline.claim == "75 % of people finish")
    #expect(headline.detail.hasPrefix("4 people counted."))
  }

  @Test func `a rate never looks like none or all`() {
    #expect(HeadlineWords.percent(0.996) == "99.6 %")
    #expect(HeadlineWords.percent(0.004) == "0.4 %")
    #expect(HeadlineWords.percent(1) == "100 %")
    #expect(HeadlineWords.arrow(0.684, 0.681) == "68.4 % → 68.1 %")
  }

  @Test func `ids of charts are letters that no other name has`() {
    #expect(ChartID.step("sign_in-2").text == "funnel/sign_in-2")
    #expect(ChartID.step("sign in").text != ChartID.step("sign.20in").text)
    #expect(ChartID.step("Ünï\n<b>").text.allSatisfy { $0.isASCII && $0 != "<" && $0 != "\n" })
  }
}
