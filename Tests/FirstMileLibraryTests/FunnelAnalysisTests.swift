import EventInput
import FirstMile
import FirstMileStore
import Foundation
import Testing
import Timelines

@Suite struct FunnelAnalysisTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static let begin: Int64 = 1_767_225_600_000  // 2026-01-01

  private static func event(
    _ action: OnboardingAction, _ person: Int, minute: Int64, variant: String? = nil
  ) -> OnboardingEvent {
    OnboardingEvent(
      action, at: EventTime(milliseconds: begin + minute * 60_000), deviceID: "d-\(person)",
      flow: "signup", experiments: variant.map { ["copy": $0] } ?? [:])
  }

  private static let flow = Flow("signup", title: "Sign-up") {
    Step("welcome")
    Step("account", title: "Your account")
    Goal("paid", event: "paid", within: .days(1))
    Experiment("copy", control: "A", split: ["A": 0.5, "B": 0.5])
    CustomFunnel("purchase", within: .days(1), "onboarding_started", "paid")
  }

  /// 40 people, half with each variant: of A a quarter finishes, of B three quarters; a fifth pays.
  private static let events: [OnboardingEvent] = (0..<40).flatMap { person in
    let variant = person % 2 == 0 ? "A" : "B"
    let finishes = (person / 2) % 4 < (variant == "A" ? 1 : 3)
    let start = Int64(person)
    return [
      event(.started, person, minute: start, variant: variant),
      event(.pageViewed("welcome"), person, minute: start, variant: variant),
    ]
      + (finishes
        ? [
          event(.pageViewed("account"), person, minute: start + 1, variant: variant),
          event(.completed(), person, minute: start + 2, variant: variant),
        ] : [])
      + (person % 5 == 0 ? [event(OnboardingAction("paid"), person, minute: start + 90)] : [])
      // Long after, so that everyone's window is over.
      + [event(OnboardingAction("opened"), person, minute: start + 60 * 24 * 9)]
  }

  @Test func `events in memory give typed results`() async throws {
    let result = try await FunnelAnalysis(flow: Self.flow).run(events: Self.events)
    #expect(result.entered == 40 && result.people == 40)
    #expect(result.completion.rate == 0.5)
    #expect(result.completion.count == 20 && result.completion.total == 40)
    #expect(try #require(result.completion.interval).contains(0.5))
    #expect(result.steps.map(\.id) == ["welcome", "account"])
    #expect(result.steps["welcome"]?.reached == 40 && result.steps["account"]?.reached == 20)
    #expect(result.steps["welcome"]?.conversion.rate == 0.5)
    #expect(result.steps["account"]?.title == "Your account" && result.steps["nosuch"] == nil)
    #expect(result.rate(of: .goal("paid"))?.count == 8)
    #expect(result.rate(of: .goal("nosuch")) == nil)
    #expect(result.rate(of: .completion, in: .variant("B", of: "copy"))?.rate == 0.75)
    #expect(result.funnel("purchase")?.reached == [40, 8])
    #expect(result.funnel("purchase")?.rate == 0.2)
    #expect(result.input.events == Self.events.count && result.input.rejects.isEmpty)
  }

  @Test func `an experiment gives the lift of a rate, with its verdict`() async throws {
    let result = try await FunnelAnalysis(flow: Self.flow).run(events: Self.events)
    let copy = try #require(result.experiment("copy"))
    #expect(copy.control == "A" && copy.variants == ["A", "B"] && copy.doubts.isEmpty)
    let lift = try #require(copy.lift(of: .completion))
    #expect(lift.lift == 2 && lift.difference == 0.5 && lift.variant == "B")
    #expect(lift.verdict == .higher && (lift.pValue ?? 1) < 0.05)
    #expect(lift.interval?.contains(0) == false)
    #expect(copy.lift(of: .completion, variant: "A") == nil)
    #expect(copy.lift(of: .reach(of: "account")) == nil)
    #expect(result.experiment("nosuch") == nil)
  }

  @Test func `sequences of either kind, a dump in memory and a file give the same bytes`()
    async throws
  {
    let analysis = FunnelAnalysis(flow: Self.flow)
    let expected = try #require(
      try await analysis.run(events: Self.events).text(of: "metrics.csv"))
    let stream = AsyncStream { continuation in
      for event in Self.events.reversed() { continuation.yield(event) }
      continuation.finish()
    }
    #expect(try await analysis.run(events: stream).text(of: "metrics.csv") == expected)
    let dump = try Self.events.flatMap { try $0.line() }
    #expect(try await analysis.run(dump: dump).text(of: "metrics.csv") == expected)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dump-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(dump).write(to: folder.appendingPathComponent("events.ndjson"))
    let result = try await analysis.run(files: [folder.path])
    #expect(result.text(of: "metrics.csv") == expected)

    let out = folder.appendingPathComponent("reports/here").path
    try result.write([.html, .csv], to: out)
    let names = try FileManager.default.contentsOfDirectory(atPath: out)
    #expect(names.contains("report.html") && !names.contains("report.md"))
    #expect(!names.contains { $0.hasPrefix(".") })
    #expect(try String(contentsOfFile: "\(out)/metrics.csv", encoding: .utf8) == expected)
  }

  @Test func `a store gives what its dump gives, and says what it lacks`() async throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("store-\(UUID().uuidString).sqlite").path
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    let analysis = FunnelAnalysis(flow: Self.flow)
    let dump = try Self.events.flatMap { try $0.line() }
    let store = try FactStore(path: path, access: .create)
    let layout = StoredLayout(try FactSchema(flows: [Self.flow]))
    _ = try await SourceIngest(store: store, layout: layout).run([
      InputSource(kind: .memory(InMemoryBytes(name: "memory-1", content: dump)))
    ])
    try store.close()
    let expected = try await analysis.run(dump: dump).text(of: "metrics.csv")
    #expect(try await analysis.run(store: path).text(of: "metrics.csv") == expected)

    let other = Flow("signup") {
      Step("welcome")
      Experiment("colour", control: "red", split: ["red": 0.5, "blue": 0.5])
    }
    await #expect {
      try await FunnelAnalysis(flow: other).run(store: path)
    } throws: { error in
      guard case .storeNeedsReading(let needs)? = error as? FunnelAnalysisError else {
        return false
      }
      return !needs.isEmpty
    }
  }

  @Test(arguments: ["memoss", "unforgotten", "aiq", "trendy", "dequeue"])
  func `the numbers of the samples are those of the command`(name: String) async throws {
    let result = try await FunnelAnalysis(flow: try Flow(named: name))
      .run(files: ["\(Self.root)/sample-events/\(name)"])
    let written = try String(
      contentsOfFile: "\(Self.root)/reports/\(name)/metrics.csv", encoding: .utf8)
    #expect(result.text(of: "metrics.csv") == written)
  }

  @Test func `a flow without steps is a plain funnel and counts everyone`() async throws {
    let flow = Flow("shop", window: .days(1)) {
      CustomFunnel("purchase", within: .days(1), "cart_opened", "paid")
    }
    let events = (0..<3).flatMap { person in
      [Self.event(OnboardingAction("cart_opened"), person, minute: 0)]
        + (person == 0 ? [Self.event(OnboardingAction("paid"), person, minute: 5)] : [])
        + [Self.event(OnboardingAction("opened"), person, minute: 60 * 24 * 3)]
    }
    let result = try await FunnelAnalysis(flow: flow).run(events: events)
    #expect(result.funnel("purchase")?.reached == [3, 1])
    #expect(result.entered == 0 && result.completion.rate == nil)
  }

  @Test func `mistakes are errors with a type`() async throws {
    var wrong = Self.flow
    wrong.experiments[0].variants[1].share = 0.9
    await #expect(throws: FunnelAnalysisError.self) {
      try await FunnelAnalysis(flow: wrong).run(events: [])
    }
    wrong = Self.flow
    wrong.defaultList = [0, 7]
    await #expect(
      throws: FunnelAnalysisError.invalidFlow("there is no step with the index 7: there are 2")
    ) { try await FunnelAnalysis(flow: wrong).run(events: []) }
    wrong = Self.flow
    wrong.steps[1].id = "welcome"
    await #expect(throws: FunnelAnalysisError.self) {
      try await FunnelAnalysis(flow: wrong).run(events: [])
    }
    var event = Self.events[0]
    event.deviceID = nil
    await #expect(throws: FunnelAnalysisError.invalidEvent(position: 2, .noIdentifier)) {
      try await FunnelAnalysis(flow: Self.flow).run(events: [Self.events[0], event])
    }
    await #expect(throws: FunnelAnalysisError.self) {
      try await FunnelAnalysis(flow: Self.flow).run(files: ["/nowhere/at/all"])
    }
    #expect(throws: FlowFileLoadError.unknownName("aiqq", suggestion: "aiq")) {
      try Flow(named: "aiqq")
    }
    #expect(throws: FlowFileErrors.self) { try Flow(text: "flow: x\nstep: [a]\n") }
  }

  @Test func `without an event every number is of nobody`() async throws {
    let result = try await FunnelAnalysis(flow: Self.flow).run(events: [])
    #expect(result.entered == 0 && result.completion.rate == nil && result.input.events == 0)
  }
}
