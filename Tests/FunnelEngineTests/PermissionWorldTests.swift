import FlowDefinition
import FunnelEngine
import FunnelMetrics
import Testing

/// A world with a known truth: the app logs the status at launch, which Android calls denied before
/// anybody was asked; then 700 of 1000 people grant, 200 deny and 100 never answer the prompt.
@Suite("A status that nobody was prompted for, and the answer to the prompt")
struct PermissionWorldTests {
  private static func analysis(_ oldRules: Set<ChangedRule> = []) async throws -> Analysis {
    let world = MadeWorld(
      flow: "flow: asks\nwindow: 24h\nsteps: [welcome, {id: push, asks: push}, done]\n")
    return try await world.analysis(persons: 1000, oldRules: oldRules) { person in
      let says = person / 10 % 2 == 0 ? " prompted=false" : ""
      let answer =
        switch person % 10 {
        case 0..<7: ["+9s result push granted"]
        case 7, 8: ["+9s result push denied"]
        default: [String]()
        }
      return ["+0s started", "+1s result push denied\(says)", "+5s view push", "+6s prompt push"]
        + answer
    }
  }

  @Test func `the answer to the prompt counts, and so does a prompt without one`() async throws {
    let found = try await Self.analysis()
    func value(_ metric: MetricName) -> Double? {
      found.row(metric, step: "push")?.value
    }
    #expect(value(.permissionOptIn) == 0.7)
    #expect(value(.permissionReach) == 1)
    #expect(value(.permissionAcceptance) == 0.7)
    #expect(value(.permissionClassGranted) == 0.7)
    // Of those who never answered, half have a status that says nobody was asked.
    #expect(value(.permissionClassAlreadyDecided) == 0.05)
    #expect(value(.permissionClassDenied) == 0.25)
  }

  @Test func `by the first edition's rule nobody has opted in`() async throws {
    let found = try await Self.analysis([.promptedAnswerFirst])
    #expect(found.row(.permissionOptIn, step: "push")?.value == 0)
    #expect(found.row(.permissionReach, step: "push")?.value == 0)
  }
}
