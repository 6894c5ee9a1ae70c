import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// Retention by outcome, where an outcome can take longer than the days that are asked for.
struct LandmarkTests {
  /// Everybody finishes after 25 hours or skips at once; of the skippers half are there on day 1,
  /// and of all half on day 8.
  private static func analysis(_ settings: String, old: Bool = false) async throws -> Analysis {
    let flow = try FlowParser.parse(
      "flow: slow\nsteps: [welcome, done]\n\(settings)", file: "slow.yaml"
    ).flow
    var lines: [String] = []
    for person in 0..<200 {
      func add(_ hour: Int, _ event: String) {
        let time = 1_767_571_200 + 3600 * hour + person
        lines.append(
          #"{"event":"\#(event)","user_id":"u\#(person)","timestamp":\#(time)}"#)
      }
      add(0, "onboarding_started")
      if person % 2 == 0 { add(25, "onboarding_completed") } else { add(1, "onboarding_skipped") }
      if person % 4 == 1 { add(26, "app_opened") }
      if person % 8 < 4 { add(8 * 24 + 2, "app_opened") }
    }
    let horizon = ReferenceOptions(asOfMilliseconds: 1_770_000_000_000)
    let found = try await Evaluated(files: [lines], flow: flow, options: horizon)
    guard old else { return found.analysis }
    var options = found.options
    options.oldRules = [.returnsAfterVisit]
    let tally = try await FlowEvaluator.tally(
      found.timelines, flow: flow, options: options, threads: 1)
    return Analysis(of: tally, flow)
  }

  private static func cut(_ outcome: String) -> Slice {
    Slice(breakdown: BreakdownKey(dimension: "outcome", value: outcome))
  }

  @Test func `a day inside the window has no number by outcome`() async throws {
    let analysis = try await Self.analysis("window: 7d\nretention: [{days: [1, 8]}]", old: true)
    // The counts are what they were: 100 % against 50 %.
    let finished = try #require(analysis.row(.retention(day: 1), in: Self.cut("finished")))
    let skipped = try #require(analysis.row(.retention(day: 1), in: Self.cut("skipped")))
    #expect([finished.numerator, finished.denominator] == [100, 100])
    #expect([skipped.numerator, skipped.denominator] == [50, 100])
    #expect([finished.value, finished.low, finished.high] == [nil, nil, nil])
    #expect(skipped.value == nil)
    let lifts = analysis.observationalLifts.filter { $0.slice == .all }.map(\.metric)
    #expect(lifts == [.retention(day: 8)])
    #expect(analysis.row(.retention(day: 1).compared(by: .observationalLift)) == nil)
    // Of everybody it is a number, and day 8 is one in each slice.
    #expect(analysis.row(.retention(day: 1))?.value == 0.75)
    #expect(analysis.row(.retention(day: 8), in: Self.cut("finished"))?.value == 0.5)
  }

  @Test func `nor has it one over everybody`() async throws {
    let analysis = try await Self.analysis(
      "window: 7d\nretention: [{days: [1, 20], anchor: {event: onboarding_started}}]", old: true)
    let measures = analysis.flow.retention.map { MetricName.retention($0).overall }
    let early = try #require(analysis.row(measures[0], in: Self.cut("finished")))
    #expect([early.numerator, early.denominator] == [100, 100] && early.value == nil)
    #expect(try #require(analysis.row(measures[1], in: Self.cut("finished"))).value != nil)
    #expect(try #require(analysis.row(measures[0])).value == 0.75)
  }

  @Test(arguments: [
    ("window: 24h", "{days: [1]}", true), ("window: 25h", "{days: [1, 2]}", false),
    ("window: 24h\nday: calendar", "{days: [1]}", false),
    ("window: 24h\nday: calendar", "{days: [2]}", true),
    ("window: 24h", "{days: [1], anchor: {event: installed}}", false),
    ("window: 24h", "{days: [2], anchor: {event: installed}}", true),
    ("window: 24h", "{days: [1], anchor: {goal: late}}", false),
    ("window: 24h", "{days: [1], anchor: {goal: soon}}", true),
    ("window: 7d", "{bracket: [6, 30], event: paid}", false),
    ("window: 7d", "{on_or_after: 7}", true),
  ])
  func `a landmark is behind the window for everybody`(
    settings: String, measure: String, has: Bool
  ) throws {
    let text = """
      flow: slow
      steps: [welcome, done]
      goals:
        - {id: soon, event: tried, within: 1d}
        - {id: late, event: tried, within: 1d, anchor: {event: installed}}
      retention: [\(measure)]
      \(settings)
      """
    let flow = try FlowParser.parse(text, file: "slow.yaml").flow
    let first = try #require(flow.retention.first)
    #expect(flow.hasLandmark(first) == has)
    let catalog = MetricCatalog(flow)
    let outcome = [NameMapping(from: "breakdown", to: "outcome=finished")]
    let rate = MetricName.retention(first)
    var places = [
      (rate, outcome),
      (rate, [NameMapping(from: "breakdown", to: "used_skip=yes")]),
      (rate.compared(by: .observationalLift), []),
    ]
    if first.anchor != .entry { places.append((rate.overall, outcome)) }
    for (metric, slice) in places {
      let target = Target(metric: metric, slice: slice, bound: .atLeast(0.1))
      let reason = catalog.impossibility(of: target)
      #expect((reason == nil) == has, "\(metric) \(reason ?? "")")
      #expect(has || reason?.contains("before the outcome is decided") == true)
    }
    let whole = Target(metric: rate, bound: .atLeast(0.1))
    #expect(catalog.impossibility(of: whole) == nil)
  }
}
