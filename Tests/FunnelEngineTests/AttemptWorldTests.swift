import ExperimentStatistics
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// Worlds whose truth is known, in which people come more than once: what counts, and what the
/// first edition of the definitions made of them.
struct AttemptWorldTests {
  private static let day: Int64 = 86_400_000
  /// 2026-01-01 and 2026-03-01, UTC.
  private static let january: Int64 = 1_767_225_600_000
  private static let march = january + 59 * day

  private static func flow(_ settings: String = "") throws -> Flow {
    let text = "flow: app\nsteps: [welcome, plan, done]\nnot_activity: [push]\n" + settings
    return try FlowParser.parse(text, file: "app.yaml").flow
  }

  private static func line(
    _ event: String, at time: Int64, user: String? = nil, device: String? = nil
  ) -> String {
    let ids = [user.map { ",\"user_id\":\"\($0)\"" }, device.map { ",\"device_id\":\"\($0)\"" }]
    return "{\"event\":\"\(event)\",\"timestamp\":\(time)\(ids.compactMap { $0 }.joined())}"
  }

  private static func evaluated(
    _ lines: [String], _ flow: Flow, from: Int64? = nil, historyFrom: Int64? = nil,
    old: Set<ChangedRule> = []
  ) async throws -> Evaluated {
    let options = ReferenceOptions(
      asOfMilliseconds: january + 300 * day, fromMilliseconds: from,
      historyFromMilliseconds: historyFrom)
    let found = try await Evaluated(
      files: [lines], flow: flow, options: options, threads: 2, oldRules: old)
    if old.isEmpty {
      let reference = ReferenceEvaluator(flow: flow, options: options).evaluate(lines: lines)
      #expect(found.disagreements(with: reference) == [])
    }
    return found
  }

  private static func counts(_ found: Evaluated) -> [MetricName: Int] {
    var counts: [MetricName: Int] = [:]
    let metrics: [MetricName] = [
      .entered, .finished, .abandoned, .existingUsers, .completedLate,
    ]
    for metric in metrics {
      counts[metric] = found.analysis.row(metric)?.numerator
    }
    return counts
  }

  /// Begun on a device without a user in January; signed in, begun again and finished in March.
  private static let returning: [String] = (0..<1000).flatMap { person -> [String] in
    let first = january + Int64(person) * 900_000
    let second = march + Int64(person) * 900_000
    let (user, device) = ("u\(person)", "d\(person)")
    return [
      line("onboarding_started", at: first, device: device),
      line("app_opened", at: first + 60_000, device: device),
      line("onboarding_started", at: second, user: user, device: device),
      line("onboarding_completed", at: second + 60_000, user: user, device: device),
    ]
  }

  @Test func `people who come back in March are counted in March`() async throws {
    let flow = try Self.flow()
    let whole = Self.counts(try await Self.evaluated(Self.returning, flow))
    #expect(whole[.entered] == 1000)
    #expect(whole[.abandoned] == 1000)
    #expect(whole[.completedLate] == 0)
    let march = Self.counts(try await Self.evaluated(Self.returning, flow, from: Self.march))
    #expect(march[.entered] == 1000)
    #expect(march[.finished] == 1000)
    #expect(march[.existingUsers] == 0)
  }

  @Test func `every attempt counts where attempts are counted`() async throws {
    let found = try await Self.evaluated(Self.returning, try Self.flow("count: attempts\n"))
    #expect(Self.counts(found)[.entered] == 2000)
    #expect(Self.counts(found)[.finished] == 1000)
  }

  @Test func `nothing is tested over attempts`() async throws {
    let experiment = "experiments: {copy: {control: A, split: {A: 50%, B: 50%}}}\n"
    let lines = (0..<400).flatMap { person -> [String] in
      let variant = ",\"experiment\":\"copy\",\"variant\":\"\(person % 2 == 0 ? "A" : "B")\"}"
      let start = Self.january + Int64(person) * 60_000
      let ends = person % 2 == 0 || person % 5 == 0
      return [start, start + 50 * Self.day].flatMap { time in
        [
          Self.line("onboarding_started", at: time, user: "u\(person)"),
          Self.line(
            ends && time > start ? "onboarding_completed" : "onboarding_page_viewed",
            at: time + 1000, user: "u\(person)"),
        ]
      }.map { $0.dropLast() + variant }
    }
    for (settings, isTested) in [(experiment, true), (experiment + "count: attempts\n", false)] {
      let found = try await Self.evaluated(
        lines, try Self.flow(settings), from: Self.january + 40 * Self.day)
      let summary = try #require(found.analysis.experiments.first)
      #expect((summary.sampleRatio.value != nil) == isTested)
      let completion = try #require(
        summary.comparisons.first { $0.metric == .completionRate })
      #expect(completion.controlRate.trials == 200)
      #expect((completion.p != nil) == isTested)
      #expect((completion.verdict != nil) == isTested)
      #expect((completion.probabilityBetter != nil) == isTested)
    }
  }

  @Test func `by the first edition's rules nobody came back`() async throws {
    let flow = try Self.flow()
    let one = try await Self.evaluated(
      Self.returning, flow, from: Self.march, old: [.laterAttempts])
    #expect(Self.counts(one)[.entered] == 0)
    #expect(Self.counts(one)[.existingUsers] == 0)
    let whole = try await Self.evaluated(Self.returning, flow, old: [.laterAttempts])
    #expect(Self.counts(whole)[.completedLate] == 1000)
    let any = try await Self.evaluated(
      Self.returning, flow, from: Self.march, old: [.existingByActivity])
    #expect(Self.counts(any)[.entered] == 0)
    #expect(Self.counts(any)[.existingUsers] == 1000)
  }

  /// A tablet is tried in January, and has a new owner in June.
  private static let handedDown: [String] = (0..<300).flatMap { person -> [String] in
    let first = january + Int64(person) * 3_600_000
    let second = january + 150 * day + Int64(person) * 3_600_000
    let (user, device) = ("u\(person)", "d\(person)")
    return [
      line("onboarding_started", at: first, device: device),
      line("onboarding_started", at: second, user: user, device: device),
      line("onboarding_completed", at: second + 60_000, user: user, device: device),
    ]
  }

  @Test func `a handed-down device leaves its first owner's attempt behind`() async throws {
    let found = Self.counts(try await Self.evaluated(Self.handedDown, try Self.flow()))
    #expect(found[.entered] == 600)
    #expect(found[.abandoned] == 300)
    #expect(found[.finished] == 300)
    // Without a limit, as in the first edition, the new owner is the old one.
    let endless = Self.counts(
      try await Self.evaluated(Self.handedDown, try Self.flow("stitch_within: 3650d\n")))
    #expect(endless[.entered] == 300)
    #expect(endless[.finished] == 0)
  }

  /// 500 people whom a push reaches before they open the app, and 200 who used it before.
  private static let pushed: [String] = (0..<700).flatMap { person -> [String] in
    let start = march + Int64(person) * 60_000
    let user = "u\(person)"
    let finishes = person < 500 ? person % 2 == 0 : person < 650
    return [
      line(person < 500 ? "push" : "app_opened", at: start - 5 * day, user: user),
      line("onboarding_started", at: start, user: user),
      line(finishes ? "onboarding_completed" : "app_opened", at: start + 60_000, user: user),
    ]
  }

  @Test func `a push makes nobody an existing user`() async throws {
    let found = try await Self.evaluated(Self.pushed, try Self.flow())
    #expect(Self.counts(found)[.entered] == 500)
    #expect(Self.counts(found)[.finished] == 250)
    #expect(Self.counts(found)[.existingUsers] == 200)
    #expect(found.quality["existing_users_finished"] == 150)
    let old = try await Self.evaluated(Self.pushed, try Self.flow(), old: [.existingByActivity])
    #expect(Self.counts(old)[.entered] == 0)
    #expect(Self.counts(old)[.existingUsers] == 700)
  }

  /// 500 new people in March, half of whom finish, and 300 who used the app in January, all of
  /// whom do.
  private static let market: [String] = (0..<800).flatMap { person -> [String] in
    let start = march + Int64(person) * 600_000
    let user = "u\(person)"
    let isNew = person >= 300
    let before = isNew ? [] : [line("app_opened", at: start - 45 * day, user: user)]
    let finishes = !isNew || person % 2 == 0
    return before + [
      line("onboarding_started", at: start, user: user),
      line(finishes ? "onboarding_completed" : "app_opened", at: start + 60_000, user: user),
    ]
  }

  @Test func `the look-back decides who is new, and says so`() async throws {
    let flow = try Self.flow()
    // Enough people open the app on New Year's Day; one clock is ten months late.
    let opened =
      ["a", "b", "c"].map { Self.line("app_opened", at: Self.january, user: "other-\($0)") }
      + [Self.line("app_opened", at: Self.january - 300 * Self.day, user: "late")]
    let all = opened + Self.market
    let whole = try await Self.evaluated(all, flow, from: Self.march)
    #expect(Self.counts(whole)[.finished] == 250)
    #expect(Self.counts(whole)[.entered] == 500)
    let late = try await Self.evaluated(
      all, flow, from: Self.march, historyFrom: Self.march)
    #expect(Self.counts(late)[.finished] == 550)
    #expect(Self.counts(late)[.entered] == 800)
    #expect(whole.options.lookBack(whole.analysis.tally.quality, flow)?.days == 61)
    #expect(late.options.lookBack(late.analysis.tally.quality, flow)?.days == 0)
    // Within 50 days everybody is known, within 40 nobody is.
    let long = try Self.flow("history: 50d\n")
    let short = try Self.flow("history: 40d\n")
    let known = try await Self.evaluated(all, long, from: Self.march)
    #expect(Self.counts(known)[.entered] == 500)
    #expect(known.options.lookBack(known.analysis.tally.quality, long)?.days == 50)
    let unknown = try await Self.evaluated(all, short, from: Self.march)
    #expect(Self.counts(unknown)[.entered] == 800)
    #expect(unknown.options.lookBack(unknown.analysis.tally.quality, short)?.days == 40)
  }
}
