import FlowDefinition
import Foundation
import FunnelEngine
import ReferenceEvaluator
import Testing

/// A report and a study of one funnel must give the same numbers in every slice, and the slow
/// evaluator those of the report.
struct FunnelAgreementTests {
  /// More with FIRSTMILE_SLOW=1.
  private static var seeds: Int {
    ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1" ? 1500 : 16
  }

  @Test func `reports and studies of random funnels agree in every slice`() async throws {
    let flows = try AdversarialFlows.all()
    var furthest = 0
    var labels: Set<String> = []
    for seed in 0..<Self.seeds {
      var funnels = RandomFunnels(seed: UInt64(seed))
      let flow = funnels.flow(flows[seed % flows.count])
      var random = RandomTimelines(seed: UInt64(5000 + seed), flow: flow)
      let lines = random.lines(persons: 24)
      let options = random.options()
      let found = try await Evaluated(files: [lines], flow: flow, options: options)
      let reference = ReferenceEvaluator(flow: flow, options: options).evaluate(lines: lines)
      let differences = found.disagreements(with: reference)
      #expect(differences.isEmpty, "seed \(seed): \(differences.prefix(4))")
      for (index, funnel) in flow.funnels.enumerated() {
        for breakdown in Self.breakdowns(of: flow) {
          let study = try await Self.study(found, flow, index, breakdown)
          let reported = Self.reported(found, flow, funnel, breakdown)
          labels.formUnion(study.keys)
          furthest = max(furthest, study.values.map { $0.count { $0 > 0 } }.max() ?? 0)
          guard study == reported else {
            Issue.record(
              "seed \(seed), \(funnel), \(String(describing: breakdown)): \(study), \(reported)")
            return
          }
        }
      }
    }
    // Random data must meet what the rules are about.
    #expect(furthest == 4)
    #expect(labels.isSuperset(of: ["all", "(contaminated)", "(unassigned)", "(none)", "3", "B"]))
  }

  /// Everybody, and all that a funnel can be cut by.
  private static func breakdowns(of flow: Flow) -> [FunnelStudy.Breakdown?] {
    [nil, .version] + flow.experiments.indices.map { .experiment($0) }
      + flow.dimensions.indices.map { .dimension($0) }
  }

  /// By value, how many got to each step; values with no entry are left out.
  private static func study(
    _ found: Evaluated, _ flow: Flow, _ index: Int, _ breakdown: FunnelStudy.Breakdown?
  ) async throws -> [String: [Int]] {
    let study = try await FunnelStudy.study(
      found.timelines, flow: flow, funnel: index, options: found.options, tool: .firstmile,
      breakdowns: breakdown.map { [$0] } ?? [], threads: 1)
    guard let study else { return [:] }
    let counts = breakdown == nil ? [["all"]: study.all] : study.byValues
    let reached = counts.map { ($0.key[0], $0.value.reached) }.filter { $0.1[0] > 0 }
    return Dictionary(uniqueKeysWithValues: reached)
  }

  private static func reported(
    _ found: Evaluated, _ flow: Flow, _ funnel: CustomFunnel, _ breakdown: FunnelStudy.Breakdown?
  ) -> [String: [Int]] {
    var reached: [String: [Int]] = [:]
    for row in found.rows where row.metric == "funnel_step" && row.cohort == "all" {
      let step = row.step.split(separator: ":")
      guard step[0] == funnel.id, let number = Int(step[1]), row.denominator != 0,
        let value = value(of: row, flow, breakdown)
      else { continue }
      let none = Array(repeating: 0, count: funnel.steps.count)
      reached[value, default: none][number - 1] = row.numerator
    }
    return reached
  }

  /// The value of a row that is cut by nothing else.
  private static func value(
    of row: ReferenceRow, _ flow: Flow, _ breakdown: FunnelStudy.Breakdown?
  ) -> String? {
    let cuts = [row.version, row.variant, row.breakdown].filter { $0 != "all" }
    switch breakdown {
    case nil: return cuts.isEmpty ? "all" : nil
    case .version: return cuts == [row.version] ? row.version : nil
    case .experiment(let index):
      return cuts == [row.variant] && row.experiment == flow.experiments[index].id
        ? row.variant : nil
    case .dimension(let index):
      let prefix = flow.dimensions[index].id + "="
      guard cuts == [row.breakdown], row.breakdown.hasPrefix(prefix) else { return nil }
      return String(row.breakdown.dropFirst(prefix.count))
    }
  }
}
