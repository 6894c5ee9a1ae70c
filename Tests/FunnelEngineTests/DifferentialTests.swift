import EventInput
import FlowDefinition
import Foundation
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// The engine against its slow twin on random adversarial timelines.
struct DifferentialTests {
  static func flows() throws -> [Flow] {
    try AdversarialFlows.all() + FlowFile.builtInNames.map(FlowFile.load)
  }

  /// Seeds a flow; more with FIRSTMILE_SLOW=1.
  static var seeds: Int {
    ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1" ? 400 : 12
  }

  @Test(arguments: try Array(flows().enumerated()))
  func agreesWithTheReference(number: Int, flow: Flow) async throws {
    for seed in 0..<Self.seeds {
      var random = RandomTimelines(seed: UInt64(seed * 100 + number), flow: flow)
      let lines = random.lines(persons: 14)
      let options = random.options()
      let reference = ReferenceEvaluator(flow: flow, options: options).evaluate(lines: lines)
      let found = try await Evaluated(files: [lines], flow: flow, options: options)
      var differences = found.disagreements(with: reference)
      for name in [
        "existing_users_finished", "implied_starts", "views_outside_list", "left_out",
        "began_before", "weeks_after_beginning", "exposed_later",
      ] {
        let numbers = (found.quality[name] ?? 0, reference.quality[name] ?? 0)
        if numbers.0 != numbers.1 { differences.append("\(name): \(numbers)") }
      }
      if Set(found.analysis.missingStarts.map(\.date)) != reference.missingStarts {
        differences.append("missing starts: \(reference.missingStarts)")
      }
      if found.stoppedEvents != reference.stoppedEvents {
        differences.append("stopped events: \(reference.stoppedEvents)")
      }
      if !differences.isEmpty {
        Issue.record(
          "flow \(number) seed \(seed): \(differences.prefix(8).joined(separator: "\n"))")
        return
      }
    }
  }

  /// Order, splitting and repetition of lines, threads, and the key of the ids' hashes change no row.
  @Test(arguments: try Array(flows().prefix(4).enumerated()))
  func sameFactsGiveTheSameRows(number: Int, flow: Flow) async throws {
    for seed in 0..<6 {
      var random = RandomTimelines(seed: UInt64(9000 + seed * 10 + number), flow: flow)
      let lines = random.lines(persons: 40)
      let once = try await Evaluated(files: [lines], flow: flow)
      var generator = SeededGenerator(seed: UInt64(seed))
      let shuffled = (lines + lines.prefix(lines.count / 3)).shuffled(using: &generator)
      let parts = stride(from: 0, to: shuffled.count, by: max(1, shuffled.count / 5)).map {
        Array(shuffled[$0..<min($0 + max(1, shuffled.count / 5), shuffled.count)])
      }
      let again = try await Evaluated(
        files: parts, flow: flow, threads: 3, key: Self.key(&generator))
      #expect(once.analysis.rows == again.analysis.rows)
    }
  }

  private static func key(_ generator: inout SeededGenerator) -> IdentifierKey {
    IdentifierKey(bytes: (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
  }

  @Test func everyIdentityHoldsInEverySlice() async throws {
    for (number, flow) in try Self.flows().enumerated() {
      var random = RandomTimelines(seed: UInt64(70 + number), flow: flow)
      let found = try await Evaluated(files: [random.lines(persons: 60)], flow: flow)
      for identity in found.analysis.identities {
        #expect(identity.checked > 0)
        #expect(identity.failures == [], "\(identity.statement)")
      }
    }
  }
}
