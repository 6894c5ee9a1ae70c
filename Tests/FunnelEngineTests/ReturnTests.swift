import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// Worlds in which nobody comes back, or everybody alike, and an onboarding that is counted as a
/// return would say otherwise.
struct ReturnTests {
  private static let day = 86_400_000
  /// 2026-01-05T00:00:00Z.
  private static let monday = 1_767_571_200_000

  /// Events of one person as lines, in minutes since the first midnight.
  private static func lines(
    _ user: String, variant: String, _ events: [(minute: Double, name: String)]
  ) -> [String] {
    events.map { event in
      let time = monday + Int(event.minute * 60_000)
      return """
        {"event":"\(event.name)","user_id":"\(user)","timestamp":\(time),\
        "experiments":{"speed":"\(variant)"}}
        """
    }
  }

  private static func evaluate(
    _ settings: String, days: Int, _ lines: [String], oldRules: Set<ChangedRule> = []
  ) async throws -> Analysis {
    let text = """
      flow: night
      steps: [welcome, done]
      \(settings)
      experiments: {speed: {control: A, split: {A: 50%, B: 50%}}}
      """
    let flow = try FlowParser.parse(text, file: "night.yaml").flow
    let horizon = ReferenceOptions(asOfMilliseconds: Int64(monday + days * day - 1))
    let found = try await Evaluated(files: [lines], flow: flow, options: horizon)
    if oldRules.isEmpty { return found.analysis }
    var options = found.options
    options.oldRules = oldRules
    return Analysis(
      of: try await FlowEvaluator.tally(found.timelines, flow: flow, options: options, threads: 1),
      flow)
  }

  private static func shares(_ analysis: Analysis, _ metric: MetricName) -> [[Int?]] {
    ["A", "B"].map {
      let row = analysis.row(metric, in: Slice(experiment: "speed", variant: $0))
      return [row?.numerator, row?.denominator]
    }
  }

  /// Everybody starts at 23:30; A is through in 5 minutes and B in 45, behind midnight.
  private static func lateEvenings(opensHomeScreen: Bool) -> [String] {
    (0..<400).flatMap { person -> [String] in
      let isShort = person % 2 == 0
      let start = Double(23 * 60 + 30 + person % 7 * 24 * 60)
      let end = start + (isShort ? 5 : 45)
      var events = [(start, "onboarding_started"), (end, "onboarding_completed")]
      if opensHomeScreen { events.append((end + 1.0 / 60, "home_opened")) }
      return lines("u\(person)", variant: isShort ? "A" : "B", events)
    }
  }

  @Test(arguments: [false, true])
  func `an onboarding that runs past midnight brings nobody back`(
    opensHomeScreen: Bool
  ) async throws {
    let settings = "day: calendar\nwindow: 24h\nretention: [{days: [1]}]"
    let lines = Self.lateEvenings(opensHomeScreen: opensHomeScreen)
    let analysis = try await Self.evaluate(settings, days: 30, lines)
    #expect(Self.shares(analysis, .retention(day: 1)) == [[0, 200], [0, 200]])
    #expect(analysis.row(.retention(day: 1))?.numerator == 0)
    // The first edition found the slow variant far better.
    let first = try await Self.evaluate(
      settings, days: 30, lines, oldRules: [.returnsAfterVisit])
    #expect(Self.shares(first, .retention(day: 1)) == [[0, 200], [200, 200]])
    let lift = first.experiments.first?.comparisons.first { $0.metric == .retention(day: 1) }
    #expect((lift?.pAdjusted ?? 1) < 0.001)
  }

  /// Nobody returns; B's second half follows the next day, in a window of three days.
  @Test func `an onboarding in two parts is no first return`() async throws {
    let lines = (0..<200).flatMap { person -> [String] in
      let isShort = person % 2 == 0
      let start = Double(600 + person)
      let end = start + (isShort ? 5 : 25 * 60)
      return Self.lines(
        "u\(person)", variant: isShort ? "A" : "B",
        [(start, "onboarding_started"), (end, "onboarding_completed")])
    }
    let settings = "window: 72h\nretention: [{days: [1]}, {bracket: [1, 3]}]"
    func returned(_ analysis: Analysis) -> [Double?] {
      ["A", "B"].map { variant in
        analysis.curves.first {
          $0.metric == .returnedBy && $0.slice == Slice(experiment: "speed", variant: variant)
            && $0.milliseconds == Int64(2 * Self.day)
        }?.share
      }
    }
    let analysis = try await Self.evaluate(settings, days: 30, lines)
    #expect(Self.shares(analysis, .retention(day: 1)) == [[0, 100], [0, 100]])
    #expect(Self.shares(analysis, .retention("d1_3")) == [[0, 100], [0, 100]])
    #expect(returned(analysis) == [0, 0])
    let first = try await Self.evaluate(
      settings, days: 30, lines, oldRules: [.returnsAfterVisit])
    #expect(Self.shares(first, .retention("d1_3")) == [[0, 100], [100, 100]])
    #expect(returned(first) == [0, 1])
  }
}
