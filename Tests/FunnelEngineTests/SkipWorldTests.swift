import FlowDefinition
import FunnelEngine
import FunnelMetrics
import Testing

/// A world with a known truth: of 1000 people 300 tap Skip and finish 50 s later, 500 finish without
/// a skip, 100 skip for good and 100 leave.
@Suite("People who tap Skip and finish all the same")
struct SkipWorldTests {
  private static func analysis(_ oldRules: Set<ChangedRule> = []) async throws -> Analysis {
    let world = MadeWorld(
      flow: "flow: skips\nwindow: 24h\nskip: ends\nsteps: [welcome, plan, done]\n")
    return try await world.analysis(persons: 1000, oldRules: oldRules) { person in
      let events =
        switch person % 10 {
        case 0..<3: ["+10s skip plan", "+60s finish"]
        case 3..<8: ["+40s finish"]
        case 8: ["+10s skip plan", "+11s finish"]
        default: [String]()
        }
      return ["+0s started", "+1s view welcome"] + events
    }
  }

  @Test func `completion is 80 percent, and each outcome has its people`() async throws {
    let found = try await Self.analysis()
    let outcomes: [MetricName] = [.finished, .finishedAfterSkipping, .skipped, .abandoned]
    let counts = outcomes.map { found.row($0)?.numerator }
    #expect(counts == [500, 300, 100, 100])
    #expect(found.row(.completionRate)?.value == 0.8)
    #expect(found.row(.skipRate)?.value == 0.1)
    #expect(found.row(.usedSkipRate)?.value == 0.4)
    #expect(found.row(.replayed)?.numerator == 0)
    #expect(found.row(.timeToComplete.numberOfValues)?.numerator == 800)
    #expect(found.row(.timeToComplete.percentile(50))?.value == 40)
    #expect(found.row(.timeToComplete.percentile(75))?.value == 60)
    #expect(found.row(.incidenceFinished, step: "24h")?.value == 0.8)
    #expect(found.identities.allSatisfy { $0.failures.isEmpty })
  }

  @Test func `by the first edition's rule completion is 50 percent`() async throws {
    let found = try await Self.analysis([.finishedAfterSkipping])
    #expect(found.row(.completionRate)?.value == 0.5)
    #expect(found.row(.skipRate)?.value == 0.4)
    #expect(found.row(.finishedAfterSkipping)?.numerator == 0)
    // There the completion at once after a skip was a replay, and so was that of 50 s later.
    #expect(found.row(.replayed)?.numerator == 400)
  }
}
