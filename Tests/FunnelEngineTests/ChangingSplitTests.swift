import ExperimentStatistics
import FlowDefinition
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// Worlds whose truth is known by construction: an experiment whose split changes while the base
/// rate falls, one that people outside of it would blur, and one that few people meet.
struct ChangingSplitTests {
  /// People who start on one day, as lines.
  private struct Group {
    var count: Int
    var variant: String?
    var day: Int
    var finishing: Int
    var event: String?

    /// - Parameter finishing: how many of them finish.
    init(_ count: Int, _ variant: String?, day: Int, finishing: Int, event: String? = nil) {
      self.count = count
      self.variant = variant
      self.day = day
      self.finishing = finishing
      self.event = event
    }
  }

  private static func analysis(_ groups: [Group], experiment: String) async throws -> Analysis {
    let flow = try FlowParser.parse(
      "flow: case\nsteps: [welcome, done]\nexperiments: {copy: {control: A, \(experiment)}}",
      file: "case.yaml"
    ).flow
    var lines: [String] = []
    for (number, group) in groups.enumerated() {
      for person in 0..<group.count {
        func add(_ event: String, _ second: Int) {
          let time = 1_767_571_200 + group.day * 86_400 + person % 3600 + second
          let variant = group.variant.map { ",\"experiments\":{\"copy\":\"\($0)\"}" } ?? ""
          lines.append(
            "{\"event\":\"\(event)\",\"user_id\":\"p\(number)-\(person)\",\"timestamp\":\(time)"
              + variant + "}")
        }
        add("onboarding_started", 0)
        if let event = group.event { add(event, 1) }
        if person < group.finishing { add("onboarding_completed", 60) }
      }
    }
    return try await Evaluated(
      files: [lines], flow: flow, options: ReferenceOptions(asOfMilliseconds: 1_780_000_000_000)
    ).analysis
  }

  private static let ramp = [
    // 90 to 10, then 50 to 50; of both variants 80 % finish at first and 40 % later.
    Group(1800, "A", day: 0, finishing: 1440), Group(200, "B", day: 0, finishing: 160),
    Group(1000, "A", day: 7, finishing: 400), Group(1000, "B", day: 7, finishing: 400),
  ]

  @Test func `a ramp with a falling base rate shows no effect where there is none`() async throws {
    let splits = """
      splits: [{from: 2026-01-05, A: 90%, B: 10%}, {from: 2026-01-12, A: 50%, B: 50%}]
      """
    let found = try await Self.analysis(Self.ramp, experiment: splits)
    let summary = try #require(found.experiments.first)
    #expect(summary.doubts.isEmpty)
    #expect((summary.sampleRatio.value?.pValue ?? 0) > 0.99)
    #expect(summary.sampleRatio.value?.degreesOfFreedom == 2)
    let completion = try #require(summary.comparisons.first { $0.metric == .completionRate })
    #expect(abs(completion.difference.value?.estimate ?? 1) < 1e-12)
    #expect(abs(completion.lift.value?.estimate ?? 1) < 1e-12)
    #expect((completion.p ?? 0) > 0.99)
    #expect(completion.comparedRates.treatment == completion.comparedRates.control)
    // The rates of all persons, whatever their period, differ by 18.9 points.
    let crude = try #require(completion.periods.total.difference().value)
    #expect(crude.interval.upper < -0.1)
  }

  @Test func `without its splits the same ramp is a mismatch and gets no verdict`() async throws {
    let found = try await Self.analysis(Self.ramp, experiment: "variants: [A, B]")
    let summary = try #require(found.experiments.first)
    #expect(summary.doubts == [.sampleRatioMismatch])
    #expect(summary.comparisons.allSatisfy { $0.verdict == nil })
  }

  @Test func `an effect within periods is found whatever the ramp`() async throws {
    // B adds 5 points in each period; thrown together it seems to cost some.
    var ramp = Self.ramp
    ramp[1].finishing = 170
    ramp[3].finishing = 500
    for sequential in ["false", "true"] {
      let found = try await Self.analysis(
        ramp,
        experiment: """
          sequential: \(sequential), \
          splits: [{from: 2026-01-05, A: 90%, B: 10%}, {from: 2026-01-12, A: 50%, B: 50%}]
          """)
      let completion = try #require(
        found.experiments.first?.comparisons.first { $0.metric == .completionRate })
      #expect(completion.verdict == .higher)
      #expect((completion.difference.value?.interval.lower ?? -1) > 0)
      #expect((completion.lift.value?.interval.lower ?? -1) > 0)
      #expect((completion.periods.total.difference().value?.estimate ?? 1) < 0)
    }
  }

  @Test func `people outside an experiment's days are not in it`() async throws {
    // B is everybody's version after the end, and its people finish more seldom by then.
    let groups = [
      Group(500, "A", day: 0, finishing: 300), Group(500, "B", day: 0, finishing: 300),
      Group(900, "B", day: 30, finishing: 90), Group(300, nil, day: 30, finishing: 30),
    ]
    let found = try await Self.analysis(
      groups, experiment: "variants: [A, B], start: 2026-01-05, end: 2026-01-20")
    let summary = try #require(found.experiments.first)
    #expect(summary.doubts.isEmpty)
    #expect(summary.outside == 1200)
    #expect(summary.unassigned == 0)
    #expect(summary.arms.map(\.entered) == [500, 500])
    let completion = try #require(summary.comparisons.first { $0.metric == .completionRate })
    #expect(completion.difference.value?.estimate == 0)
  }

  @Test func `with exposure declared the exposed are compared and the assigned stand beside`()
    async throws
  {
    // One in five reaches the paywall; there B doubles the rate. Those who never see it are alike.
    let groups = [
      Group(200, "A", day: 0, finishing: 40, event: "paywall"),
      Group(200, "B", day: 0, finishing: 80, event: "paywall"),
      Group(800, "A", day: 0, finishing: 400), Group(800, "B", day: 0, finishing: 400),
    ]
    let found = try await Self.analysis(
      groups, experiment: "variants: [A, B], exposure: {event: paywall}")
    let summary = try #require(found.experiments.first)
    #expect(summary.arms.map(\.entered) == [200, 200])
    #expect(summary.arms.map(\.assigned) == [1000, 1000])
    #expect(summary.arms.map { $0.assignedCompletion?.estimate } == [0.44, 0.48])
    #expect((summary.assignedRatio?.value?.pValue ?? 0) > 0.99)
    let completion = try #require(summary.comparisons.first { $0.metric == .completionRate })
    #expect(completion.verdict == .higher)
    #expect(abs((completion.difference.value?.estimate ?? 0) - 0.2) < 1e-12)
  }

  @Test func `exposure that the variant itself decides is a mismatch`() async throws {
    let groups = [
      Group(400, "A", day: 0, finishing: 40, event: "paywall"),
      Group(200, "B", day: 0, finishing: 80, event: "paywall"),
      Group(600, "A", day: 0, finishing: 400), Group(800, "B", day: 0, finishing: 400),
    ]
    let found = try await Self.analysis(
      groups, experiment: "variants: [A, B], exposure: {event: paywall}")
    #expect(found.experiments.first?.doubts == [.sampleRatioMismatch])
  }

  @Test func `too many without a variant leave no verdict`() async throws {
    let groups = [
      Group(500, "A", day: 0, finishing: 300), Group(500, "B", day: 0, finishing: 400),
      Group(400, nil, day: 0, finishing: 0),
    ]
    let found = try await Self.analysis(groups, experiment: "variants: [A, B]")
    #expect(found.experiments.first?.doubts == [.unassigned(share: 400.0 / 1400)])
    // A week before anybody had one says nothing about them.
    let earlier = groups.prefix(2) + [Group(400, nil, day: -14, finishing: 0)]
    let other = try await Self.analysis(Array(earlier), experiment: "variants: [A, B]")
    #expect(other.experiments.first?.doubts == [])
  }
}
