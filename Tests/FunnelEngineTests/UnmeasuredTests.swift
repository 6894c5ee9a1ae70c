import FlowDefinition
import FunnelMetrics
import FunnelReport
import ReferenceEvaluator
import RegressionGate
import ReportFindings
import ReportText
import Testing

/// What the data cannot know is unknown, not 0.
struct UnmeasuredTests {
  private static let flow = """
    flow: case
    steps: [welcome, done]
    experiments: {e: {control: A, split: {A: 50%, B: 50%}}}
    permissions: [camera]
    goals: [{id: paid, event: paid, within: 2d}]
    retention: [{days: [1]}]

    """

  /// People who start and see both steps, and send some more.
  private static func lines(
    _ more: [(event: String, day: Int, rest: String)], variant: String = "A"
  ) -> [String] {
    let own = variant.isEmpty ? "" : ",\"experiments\":{\"e\":\"\(variant)\"}"
    return (10..<40).flatMap { person in
      let views = ["welcome", "done"].enumerated().map { index, page in
        ("onboarding_page_viewed", 5, index, ",\"properties\":{\"page_name\":\"\(page)\"}")
      }
      let events =
        [("onboarding_started", 5, 0, "")] + views + more.map { ($0.event, $0.day, 9, $0.rest) }
      return events.map { event, day, second, rest in
        "{\"event\":\"\(event)\",\"user_id\":\"u\(person)\",\"timestamp\":"
          + "\"2026-01-0\(day)T00:00:0\(second)Z\"\(own)\(rest)}"
      }
    }
  }

  private static func analysis(
    _ lines: [String], more: String = ""
  ) async throws -> Analysis {
    let flow = try FlowParser.parse(Self.flow + more, file: "case.yaml").flow
    let options = ReferenceOptions(asOfMilliseconds: 1_830_000_000_000)
    return try await Evaluated(files: [lines], flow: flow, options: options).analysis
  }

  private static func report(_ analysis: Analysis) -> Report {
    Report(
      analysis,
      provenance: Provenance(programVersion: "1", lines: 100, events: 100))
  }

  private static let answer =
    ",\"properties\":{\"permission\":\"camera\",\"status\":\"granted\"}"
  private static let whole = [
    ("onboarding_completed", 5, ""), ("permission_result", 5, answer),
    ("permission_prompted", 5, ",\"properties\":{\"permission\":\"camera\"}"), ("paid", 6, ""),
  ]

  @Test func `nothing is unknown where every event is there`() async throws {
    let analysis = try await Self.analysis(Self.lines(Self.whole))
    #expect(analysis.unmeasured.reasons == [])
    #expect(analysis.row(.completionRate)?.value == 1)
  }

  private static let skipNumbers = [
    (MetricName.skipRate, "all"), (.usedSkipRate, "all"), (.stepLeftSkipping, "welcome"),
  ]

  /// Whether people can skip is not seen where nobody does; that is no fault of the data.
  @Test(arguments: ["", "skip: ends\n", "events: {later: onboarding_skipped}\n"])
  func `skipping is unknown where no skip is in the data`(lines: String) async throws {
    let isMapped = lines.hasPrefix("events")
    let analysis = try await Self.analysis(Self.lines(Self.whole), more: lines)
    for (metric, step) in Self.skipNumbers {
      let row = try #require(analysis.row(metric, step: step))
      #expect(row.value == nil && row.high == nil && row.denominator == 30, "\(metric)")
    }
    let reason = try #require(analysis.unmeasured.all.first)
    #expect(analysis.unmeasured.all.count == 1)
    #expect(reason.sentence.hasPrefix("Skipping is unknown: no 'onboarding_skipped' is in"))
    #expect(reason.sentence.contains("skip: never") != isMapped)
    #expect(analysis.unmeasured.reasons.isEmpty != isMapped)
    let report = Self.report(analysis)
    #expect((report.findings.first?.kind == .unmeasured) == isMapped)
    let text = report.terminalSummary(style: TerminalStyle())
    #expect(text.contains("left by skipping unknown") && !text.contains("left by skipping 0"))
    #expect(report.document("quality.csv")?.text.contains("unknown,skipping") == true)
    let known = Self.report(try await Self.analysis(Self.lines(Self.whole), more: "skip: never\n"))
    #expect(isMapped || Self.grade(report) == Self.grade(known))
    #expect(analysis.row(.abandonRate)?.value == 0)
  }

  private static func grade(_ report: Report) -> Substring? {
    report.document("report.md")?.text.firstMatch(of: #/data quality \*\*(.)/#)?.output.1
  }

  @Test func `where nobody can skip nobody has skipped`() async throws {
    let analysis = try await Self.analysis(Self.lines(Self.whole), more: "skip: never\n")
    #expect(analysis.unmeasured.all == [])
    for (metric, step) in Self.skipNumbers {
      #expect(analysis.row(metric, step: step)?.value == 0, "\(metric)")
    }
  }

  /// One skip of anybody, in either form, shows that skips are sent.
  @Test(arguments: [
    ("onboarding_skipped", ""),
    ("onboarding_completed", ",\"properties\":{\"completion_method\":\"skipped\"}"),
  ])
  func `one skip makes zeros known`(event: String, rest: String) async throws {
    let analysis = try await Self.analysis(
      Self.lines(Self.whole) + [Self.stranger(event, day: 5, rest)])
    #expect(analysis.unmeasured.all == [])
    #expect(analysis.row(.skipRate)?.value == 0)
  }

  @Test func `an event that may be the skip is named`() async throws {
    let analysis = try await Self.analysis(
      Self.lines(Self.whole) + [
        Self.stranger("skip_tapped", day: 5), Self.stranger("onboarding_step_skipped", day: 5),
      ])
    #expect(analysis.unmeasured.all.map(\.candidates) == [["skip_tapped"]])
  }

  /// The page's name may stand in a column that nothing reads.
  @Test func `views that say no page leave the steps unknown`() async throws {
    let nameless = Self.lines(Self.whole).map {
      $0.replacing(#/"page_name":"[a-z]+"/#, with: "\"name\":\"x\"")
    }
    let analysis = try await Self.analysis(nameless)
    let reason = try #require(analysis.unmeasured.reasons.first)
    #expect(analysis.unmeasured.reasons.count == 1)
    #expect(reason.sentence.contains("no 'onboarding_page_viewed' says which page it is"))
    #expect(analysis.row(.stepReach, step: "welcome")?.value == nil)
    #expect(analysis.row(.completionRate)?.value == 1)
    // One that does is enough.
    let one = try await Self.analysis(nameless.dropLast() + Self.lines(Self.whole).suffix(7))
    #expect(one.unmeasured.reasons == [])
  }

  @Test(arguments: [
    (0, MetricName.completionRate, "all", "Completion is unknown"),
    (1, .permissionOptIn, "camera", "Permission camera is unknown"),
    (3, .goalRate, "paid", "Goal paid is unknown"),
    (3, .retention(day: 1), "all", "Retention is unknown"),
  ])
  func `a number without its event is unknown`(
    place: Int, metric: MetricName, step: String, words: String
  ) async throws {
    var events = Self.whole
    events.remove(at: place)
    if place == 1 { events.removeAll { $0.0 == "permission_prompted" } }
    let analysis = try await Self.analysis(Self.lines(events))
    let row = try #require(analysis.row(metric, step: step))
    #expect(row.value == nil && row.low == nil && row.denominator == 30)
    #expect(analysis.unmeasured.reasons.contains { $0.sentence.hasPrefix(words) })
    let report = Self.report(analysis)
    #expect(report.findings.first?.kind == .unmeasured)
    #expect(report.document("report.md")?.text.contains("data quality **D**") == true)
    let compared = analysis.experiments.flatMap(\.comparisons)
    #expect(!compared.contains { $0.metric == metric && $0.step == step })
  }

  @Test func `answers without prompts tell the opt-in but not who was asked`() async throws {
    let events = Self.whole.filter { $0.0 != "permission_prompted" }
    let analysis = try await Self.analysis(Self.lines(events))
    #expect(analysis.row(.permissionOptIn, step: "camera")?.value == 1)
    #expect(analysis.row(.permissionReach, step: "camera")?.value == nil)
    #expect(analysis.row(.permissionAcceptance, step: "camera")?.value == nil)
  }

  @Test(arguments: ["", ",\"prompted\":true"])
  func `answers that aren't understood don't say who was asked`(prompted: String) async throws {
    let answer = ",\"properties\":{\"permission\":\"camera\",\"status\":\"yep\"\(prompted)}"
    var events = Self.whole.filter { $0.0 != "permission_result" }
    events.append(("permission_result", 5, answer))
    let prompts = try await Self.analysis(Self.lines(events))
    #expect(prompts.row(.permissionReach, step: "camera")?.value == 1)
    let analysis = try await Self.analysis(
      Self.lines(events.filter { $0.0 != "permission_prompted" }))
    for metric in [MetricName.permissionReach, .permissionOptIn, .permissionAcceptance] {
      #expect(analysis.row(metric, step: "camera")?.value == nil, "\(metric)")
    }
  }

  @Test func `an event that looks like the missing one is named`() async throws {
    var events = Self.whole
    events[0].0 = "onboarding_finished"
    let report = Self.report(try await Self.analysis(Self.lines(events)))
    #expect(
      report.findings.first?.text
        == "Completion is unknown: no 'onboarding_completed' is in the data; did the app send it "
        + "as 'onboarding_finished'?")
    #expect(!report.findings.contains { $0.kind == .dropOff })
    #expect(report.terminalSummary(style: TerminalStyle()).contains("finished         unknown"))
  }

  @Test func `an experiment that nobody is in has no verdict`() async throws {
    let analysis = try await Self.analysis(Self.lines(Self.whole, variant: ""))
    #expect(analysis.unmeasured.experiments == ["e"])
    #expect(analysis.experiments.flatMap(\.comparisons).allSatisfy { $0.verdict == nil })
    #expect(
      Self.report(analysis).findings.first?.text.contains("none of the 30 people has a variant")
        == true)
  }

  /// Its name says nothing, but it is what people's attempts end with.
  @Test func `an event that attempts end with may be the missing completion`() async throws {
    var events = Self.whole
    events[0].0 = "all_set"
    events.append(("all_set", 6, ""))
    let reasons = try await Self.analysis(Self.lines(events)).unmeasured.reasons
    let completion = try #require(reasons.first { $0.subject == "completion" })
    #expect(completion.candidates == ["all_set"])
    // An event that means something else in the flow is no candidate.
    let paid = try await Self.analysis(Self.lines(Array(Self.whole.dropFirst()))).unmeasured
    #expect(paid.reasons.first { $0.subject == "completion" }?.candidates == [])
  }

  @Test(arguments: ["permission_result", "permission_prompted"])
  func `a permission under another name is named`(event: String) async throws {
    var events = Self.whole
    for index in events.indices where events[index].0 == event {
      events[index].2 = events[index].2.replacing("camera", with: "photos")
    }
    let reasons = try await Self.analysis(Self.lines(events)).unmeasured.reasons
    #expect(reasons.map(\.candidates) == [["photos"]])
  }

  private static func check(_ rules: String, _ lines: [String]) async throws -> [GateCheck] {
    let analysis = try await analysis(lines)
    let gate = try GateParser.parse("rules:\n\(rules)\n", file: "g.yaml", for: analysis.flow).gate
    return try GateRun(gate: gate, report: report(analysis), baseline: nil).result().checks
  }

  /// A gate neither fails on a 0 that is unknown nor leaves what is missing unsaid. Where so many
  /// people are judged that a rate that is asked for would show, the data are no measure.
  @Test(
    arguments: [
      ("completion_rate, at_least: 50%", "onboarding_completed", .invalid),
      ("finished, at_least: 20", "onboarding_completed", .inconclusive),
      ("abandoned, at_most: 3", "onboarding_completed", .inconclusive),
      ("time_to_complete_p50, at_most: 5m", "onboarding_completed", .inconclusive),
      ("lift_completion_rate, variant: B, at_least: 5%", "onboarding_completed", .inconclusive),
      ("goal_rate, goal: paid, at_least: 50%", "paid", .invalid),
      ("time_to_goal_p50, goal: paid, at_most: 5m", "paid", .inconclusive),
      ("permission_opt_in, permission: camera, at_least: 50%", "permission_result", .invalid),
      ("retention_d1, at_least: 10%", "a later date", .inconclusive),
    ] as [(String, String, GateVerdict)])
  func `a gate says what is missing of an unknown number`(
    rule: String, event: String, verdict: GateVerdict
  ) async throws {
    let lines =
      Self.lines([])
      + Self.lines([], variant: "B").map {
        $0.replacing("\"user_id\":\"u", with: "\"user_id\":\"b")
      }
    let check = try #require(try await Self.check("  - {metric: \(rule)}", lines).first)
    #expect(check.verdict == verdict)
    #expect(check.note.contains("unknown") && check.note.contains(event), "\(check.note)")
    #expect(check.current?.value == nil)
  }

  @Test func `a target on an unknown count is not missed`() async throws {
    let flow = try FlowParser.parse(
      Self.flow + "targets: [{metric: finished, at_least: 20}]\n", file: "case.yaml"
    ).flow
    let options = ReferenceOptions(asOfMilliseconds: 1_830_000_000_000)
    let analysis = try await Evaluated(files: [Self.lines([])], flow: flow, options: options)
      .analysis
    let text = try #require(Self.report(analysis).document("report.md")?.text)
    #expect(text.contains("no data") && !text.contains("1 missed"))
  }

  /// One event of somebody who never entered: it was sent, so zero is zero.
  private static func stranger(_ event: String, day: Int, _ rest: String = "") -> String {
    "{\"event\":\"\(event)\",\"user_id\":\"stranger\",\"timestamp\":"
      + "\"2026-01-0\(day)T00:00:00Z\"\(rest)}"
  }

  @Test func `what anybody sent was measured`() async throws {
    let events = Self.whole.filter { $0.0 != "permission_prompted" && $0.0 != "paid" }
    let prompt = ",\"properties\":{\"permission\":\"camera\"}"
    let analysis = try await Self.analysis(
      Self.lines(events) + [
        Self.stranger("permission_prompted", day: 5, prompt), Self.stranger("tap", day: 5),
        Self.stranger("tap", day: 7),
      ])
    #expect(analysis.row(.permissionReach, step: "camera")?.value == 0)
    #expect(analysis.row(.retention(day: 1))?.value == 0)
  }

  @Test func `prompts without answers say who was asked only`() async throws {
    let events = Self.whole.filter { $0.0 != "permission_result" }
    let analysis = try await Self.analysis(Self.lines(events))
    #expect(analysis.row(.permissionReach, step: "camera")?.value == 1)
    for metric in [MetricName.permissionOptIn, .permissionAcceptance, .permissionClassNoResult] {
      #expect(analysis.row(metric, step: "camera")?.value == nil)
    }
  }

  @Test func `an experiment with undeclared variants only has no verdict`() async throws {
    let analysis = try await Self.analysis(Self.lines(Self.whole, variant: "C"))
    #expect(analysis.unmeasured.experiments == ["e"])
    #expect(analysis.unmeasured.reasons.first?.candidates == ["C"])
  }
}
