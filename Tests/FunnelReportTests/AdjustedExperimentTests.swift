import ExperimentStatistics
import FlowDefinition
import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportText
import Testing

/// Experiments that are compared within strata, whose effect differs between people, or that are
/// decided at a planned size.
struct AdjustedExperimentTests {
  /// 2026-02-16, the Monday after the week 2026-W07.
  private static let horizon: Int64 = 1_771_200_000_000

  /// People of one cohort and system: of each variant how many there are, and how many finish.
  private struct Part {
    var os = "iOS"
    var cohort = "2026-W04"
    var people = [1000, 1000]
    var finish = [500, 500]
    /// People whose window is still open.
    var open = 0
  }

  private func flow(_ lines: [String]) throws -> Flow {
    let split = "    split: {long: 50%, short: 50%}\n"
    let text = DemoFlow.text.replacing(split, with: split + lines.map { "    \($0)\n" }.joined())
    return try FlowParser.parse(text, file: "adjusted.yaml").flow
  }

  private func analysis(_ flow: Flow, _ parts: [Part]) throws -> Analysis {
    var demo = try DemoTally(flow)
    for part in parts {
      for (arm, name) in ["long", "short"].enumerated() {
        let state = VariantState.assigned(name)
        let list = arm == 0 ? [0, 1, 2, 3] : [0, 2, 3]
        demo.add(
          .init(
            count: part.finish[arm], variant: state, outcome: .finished, viewed: list,
            cohort: part.cohort, os: part.os))
        demo.add(
          .init(
            count: part.people[arm] - part.finish[arm], variant: state, outcome: .abandoned,
            viewed: [0], cohort: part.cohort, os: part.os))
        if part.open > 0 {
          demo.add(
            .init(
              count: part.open, variant: state, outcome: .open, viewed: [], cohort: part.cohort,
              os: part.os))
        }
      }
    }
    return Analysis(of: demo.tally, flow)
  }

  private func completion(_ analysis: Analysis) throws -> MetricComparison {
    try #require(analysis.experiments[0].comparisons.first { $0.metric == .completionRate })
  }

  private func text(_ analysis: Analysis, _ name: String) throws -> String {
    let report = Report(analysis, provenance: DemoReport.provenance())
    if name == "terminal" { return report.terminalSummary(style: TerminalStyle()) }
    return String(decoding: try #require(report.document(name)).bytes, as: UTF8.self)
  }

  /// In one line, with a comma between thousands.
  private func words(_ text: String) -> String {
    text.replacing("\u{202F}", with: ",").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// More people of the system that finishes rarely have the variant: all together hide what it
  /// does on either.
  private let uneven = [
    Part(os: "iOS", people: [1000, 800], finish: [800, 680]),
    Part(os: "Android", people: [1000, 1200], finish: [300, 420]),
  ]

  @Test func `a difference of small rates is seen wherever it is claimed`() throws {
    let rare = [Part(people: [10_000_000, 10_000_000], finish: [300, 100])]
    for (name, difference) in [
      ("terminal", "0.001 % 0.003 % −0.002 (−0.002 to −0.00"),
      ("report.md", "| −0.002 (−0.002 to −0.00"),
      ("report.html", ">−0.002"),
    ] {
      let said = words(try text(analysis(flow([]), rare), name))
      #expect(said.contains(difference), "\(name)")
    }
  }

  @Test func `values that are not kept are said to be one stratum`() throws {
    let parts = uneven + [Part(os: "(other)", people: [400, 700], finish: [100, 300])]
    let sentence = "1,100 people have a value of os beyond the 100 that are kept"
    for name in ["terminal", "report.md", "report.html"] {
      let said = words(try text(analysis(flow(["stratify: os"]), parts), name))
      #expect(said.contains(sentence), "\(name)")
      #expect(!(try text(analysis(flow(["stratify: os"]), uneven), name)).contains("are kept:"))
    }
  }

  @Test func `rates are compared within strata where the flow says so`() throws {
    let plain = try completion(analysis(flow([]), uneven))
    let stratified = try completion(analysis(flow(["stratify: os"]), uneven))
    // (0.85 − 0.8) × 1800 / 4000 + (0.35 − 0.3) × 2200 / 4000
    let difference = try #require(stratified.difference.value)
    #expect(abs(difference.estimate - 0.05) < 1e-12)
    #expect(stratified.verdict == .higher && plain.verdict != .higher)
    #expect(abs(try #require(plain.difference.value).estimate) < 1e-12)
    #expect(stratified.treatmentRate == plain.treatmentRate)
    let strata = try #require(stratified.stratification)
    #expect(strata.strata == 2 && strata.joined == 0 && strata.dimensions == ["os"])
    #expect(try #require(strata.gain) > 0.2)
  }

  @Test func `every report says what rates are compared within, and nothing else does`() throws {
    let stratified = try analysis(flow(["stratify: [os]"]), uneven)
    let sentence = "Rates are compared within each value of os and weighted by its share of people."
    for name in ["report.md", "report.html"] {
      #expect(try text(stratified, name).contains(sentence), "\(name)")
      #expect(!(try text(analysis(flow([]), uneven), name)).contains("compared within"))
    }
    let report = Report(stratified, provenance: DemoReport.provenance())
    let terminal = report.terminalSummary(style: .init(width: 200)).replacing("\n", with: " ")
    #expect(terminal.contains("Rates are compared within each value of os"))
    #expect(try text(stratified, "experiments.csv").contains("randomised; stratified by os"))
    #expect(try text(stratified, "metrics.json").contains("\"stratified\""))
    #expect(!(try text(analysis(flow([]), uneven), "metrics.json")).contains("\"stratified\""))
  }

  @Test func `an effect that depends on the system is shown with its values`() throws {
    let parts = [
      Part(os: "iOS", people: [2000, 2000], finish: [1000, 1200]),
      Part(os: "Android", people: [2000, 2000], finish: [1000, 1000]),
    ]
    let analysis = try analysis(flow([]), parts)
    let found = analysis.experiments[0].effectDifferences
    let first = try #require(found.first { $0.metric == .completionRate })
    #expect(first.dimension == "os" && first.parts.map(\.value) == ["Android", "iOS"])
    #expect(first.pAdjusted < 0.05 && first.pAdjusted >= first.p)
    let sentence = "The effect of short on completion depends on os, adjusted p"
    let markdown = try text(analysis, "report.md")
    #expect(markdown.contains(sentence) && markdown.contains("iOS +10.0 ("), "\(markdown)")
    #expect(try text(analysis, "report.html").contains(sentence))
    #expect(try text(analysis, "metrics.json").contains("\"effect_differences\""))
    #expect(try text(analysis, "experiments.csv").contains("effect by os"))
  }

  @Test func `an effect that is the same for everyone is not cut`() throws {
    let parts = [
      Part(os: "iOS", people: [2000, 2000], finish: [1000, 1150]),
      Part(os: "Android", people: [2000, 2000], finish: [600, 690]),
    ]
    let analysis = try analysis(flow([]), parts)
    #expect(analysis.experiments[0].effectDifferences.isEmpty)
    #expect(!(try text(analysis, "metrics.json")).contains("effect_differences"))
  }

  @Test func `a declared prior draws the lift towards it, in every report`() throws {
    let parts = [Part(people: [400, 400], finish: [200, 230])]
    let plain = try completion(analysis(flow([]), parts))
    let analysis = try analysis(flow(["prior: 5%"]), parts)
    let found = try completion(analysis)
    let posterior = try #require(found.posterior)
    let seen = try #require(found.lift.value).estimate
    #expect(posterior.lift > 0 && posterior.lift < seen / 2)
    #expect(found.probabilityBetter == posterior.probabilityBetter)
    #expect(found.expectedLoss == posterior.expectedLoss())
    let uniform = try #require(plain.probabilityBetter)
    #expect(uniform > posterior.probabilityBetter)
    // It decides nothing.
    #expect(plain.posterior == nil && plain.p == found.p && plain.lift.value == found.lift.value)
    let sentence = "If lifts of such changes spread by 5 % around 0, that of short in completion is"
    for name in ["report.md", "report.html"] {
      #expect(try text(analysis, name).contains(sentence), "\(name)")
    }
    #expect(try text(analysis, "metrics.json").contains("\"posterior\""))
    #expect(!(try text(self.analysis(flow([]), parts), "metrics.json")).contains("posterior"))
  }

  // MARK: The planned size

  private let plan = ["primary: completion", "sequential: true", "planned: 3000"]

  private func planned(_ parts: [Part]) throws -> PlannedDecision {
    let analysis = try analysis(flow(plan), parts)
    return try #require(
      PlannedDecision(analysis, analysis.experiments[0], "short", horizon: Self.horizon))
  }

  private func part(_ week: Int, _ finish: [Int], people: Int = 500, open: Int = 0) -> Part {
    Part(cohort: "2026-W0\(week)", people: [people, people], finish: finish, open: open)
  }

  @Test func `before the planned size only a clear effect decides`() throws {
    // 0.05 at 500 of each is shown by a single look (p 0.03), and not by what is watched.
    let open = try planned([part(3, [250, 284])])
    #expect(open.outcome == .keepRunning && open.primary.isSequential)
    #expect(open.text.contains("2,000 more people are planned"), "\(open.text)")
    #expect(open.title.hasPrefix("Keep running"), "\(open.title)")
    let clear = try planned([part(3, [200, 320])])
    #expect(clear.outcome == .ship)
    #expect(clear.text.contains("Decided by the always-valid interval"), "\(clear.text)")
  }

  @Test func `at the planned size the interval of a single look decides`() throws {
    let parts = [part(3, [250, 270]), part(4, [250, 270]), part(5, [250, 275])]
    let decided = try planned(parts)
    #expect(decided.primary.phase == .planned(3000, lastCohort: "2026-W05"))
    #expect(decided.outcome == .ship && !decided.primary.isSequential)
    #expect(decided.text.contains("Decided at the planned size of 3,000 people"))
    // Of alpha four fifths are left: p is what the single look has, divided by them.
    let single = ProportionComparison(
      treatment: Proportion(successes: 815, trials: 1500),
      control: Proportion(successes: 750, trials: 1500))
    let p = try #require(single.scoreTest().value).twoSidedP
    #expect(abs(try #require(decided.primary.p) - p / 0.8) < 1e-12)
    let interval = try #require(decided.primary.difference.value).interval
    #expect(interval == single.difference(level: 1 - 0.8 * 0.05).value?.interval)
    // Nothing shown by then is no reason to go on.
    let none = try planned([part(3, [250, 250]), part(4, [250, 255]), part(5, [250, 250])])
    #expect(none.outcome == .reject && none.primary.verdict == .noneShown)
  }

  @Test func `who comes after the planned people changes nothing`() throws {
    let parts = [part(3, [250, 270]), part(4, [250, 270]), part(5, [250, 275])]
    let (before, after) = (try planned(parts), try planned(parts + [part(6, [250, 100])]))
    #expect(before.primary.difference.value == after.primary.difference.value)
    #expect(before.text == after.text && before.outcome == after.outcome)
  }

  @Test func `planned people whose window is open are waited for`() throws {
    let waiting = try planned([part(3, [250, 270]), part(4, [250, 270], open: 520)])
    #expect(waiting.outcome == .keepRunning && waiting.primary.isSequential)
    #expect(waiting.text.contains("All planned people have entered"), "\(waiting.text)")
    #expect(waiting.title == "Keep running: short against long (experiment length)")
  }

  @Test func `decisions of a plan stand in every report`() throws {
    let analysis = try analysis(flow(plan), [part(3, [200, 320])])
    #expect(try text(analysis, "metrics.json").contains("\"decision\": \"ship\""))
    let report = Report(analysis, provenance: DemoReport.provenance())
    let terminal = report.terminalSummary(style: .init(width: 200))
    #expect(terminal.contains("Ship: short against long (experiment length)."))
    #expect(try text(analysis, "experiments.csv").contains("always valid until the planned size"))
    let without = try self.analysis(flow([]), [part(3, [200, 320])])
    #expect(!(try text(without, "metrics.json")).contains("decisions"))
  }
}
