import FlowDefinition
import FunnelEngine
import FunnelMetrics
@testable import ReferenceEvaluator
import Testing

/// People made for one question, with a truth that is known before anything is counted.
struct MadeWorld {
  /// A flow file.
  var flow: String

  /// What the engine makes of them when everybody is mature; the twin must agree.
  ///
  /// - Parameter events: what a person does, by the person's number, as cases write it but without
  ///   the person: `+10s view plan`.
  func analysis(
    persons: Int, oldRules: Set<ChangedRule> = [], _ events: (Int) -> [String]
  ) async throws -> Analysis {
    let parsed = try FlowParser.parse(flow, file: "world.yaml").flow
    let options = ReferenceOptions(
      asOfMilliseconds: CaseEvent.origin + 60 * ReferenceTime.day)
    var lines: [String] = []
    for person in 0..<persons {
      for event in events(person) {
        let time = event.prefix { $0 != " " }
        let made = CaseEvent("\(time) u\(person)\(event.dropFirst(time.count))")
        lines.append(try #require(made).json)
      }
    }
    let found = try await Evaluated(
      files: [lines], flow: parsed, options: options, oldRules: oldRules)
    if oldRules.isEmpty {
      let twin = ReferenceEvaluator(flow: parsed, options: options).evaluate(lines: lines)
      #expect(found.disagreements(with: twin).isEmpty)
    }
    #expect(found.analysis.identities.allSatisfy { $0.failures.isEmpty })
    return found.analysis
  }
}
