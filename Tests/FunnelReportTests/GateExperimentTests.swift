import FlowDefinition
import Foundation
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import RegressionGate
import Testing

/// Rules over the variants of a flow with two experiments that have a variant of one name.
@Suite struct GateExperimentTests {
  private static let rule = "  - {metric: permission_opt_in, permission: notifications, "
  private static let againstControl = "for_each: variant, not_worse_by: 3 points, against: control"

  private func flow() throws -> Flow {
    let tone = """
        tone:
          control: plain
          split: {plain: 50%, short: 50%}

      """
    return try FlowParser.parse(
      DemoFlow.text.replacing("permissions: [", with: tone + "permissions: ["), file: "demo.yaml"
    ).flow
  }

  /// Of 2,000 persons in each pair of variants 1,600 grant; with the short tone as many as given.
  private func report(shortTone granted: Int) throws -> Report {
    let flow = try flow()
    var demo = try DemoTally(flow)
    for (length, viewed) in [("long", [0, 1, 2, 3]), ("short", [0, 2, 3])] {
      for (tone, granted) in [("plain", 1_600), ("short", granted)] {
        for (answer, count) in [(PermissionClass.granted, granted), (.denied, 2_000 - granted)] {
          demo.add(
            .init(
              count: count, variant: .assigned(length), others: [.assigned(tone)],
              outcome: .finished, viewed: viewed, answer: answer))
        }
      }
    }
    var provenance = DemoReport.provenance()
    provenance.sources = provenance.sources.filter(\.problems.isEmpty)
    return Report(Analysis(of: demo.tally, flow), provenance: provenance)
  }

  private func run(_ keys: String, _ report: Report, before: Report? = nil) throws -> GateRun {
    let gate = try GateDemo.gate(Self.rule + keys + "}", flow: flow())
    let baseline = try before.map { try GateDemo.baseline(gate, $0) }
    return GateRun(gate: gate, report: report, baseline: baseline)
  }

  @Test func `without an experiment a rule is about the variants of all`() throws {
    let result = try run(Self.againstControl, report(shortTone: 1_000)).result()
    #expect(
      result.checks.map(\.title) == [
        "permission_opt_in notifications, experiment length, variant short",
        "permission_opt_in notifications, experiment tone, variant short",
      ])
    #expect(result.checks.map(\.verdict) == [.pass, .fail])
    #expect(result.checks.map(\.referenceName) == ["control long", "control plain"])
    #expect(result.exitCode == 1)
  }

  @Test func `with an experiment it is about those of that one`() throws {
    let report = try report(shortTone: 1_000)
    for (experiment, verdict) in [("length", GateVerdict.pass), ("tone", .fail)] {
      let keys = Self.againstControl + ", experiment: \(experiment)"
      let result = try run(keys, report).result()
      #expect(result.checks.map(\.slice.experiment) == [experiment])
      #expect(result.checks.map(\.verdict) == [verdict])
      #expect(result.familySize == 1)
    }
  }

  @Test func `bounds are held in every variant, and all are of the run's family`() throws {
    let result = try run("for_each: variant, at_least: 60%", report(shortTone: 1_000)).result()
    let variants = result.checks.map { "\($0.slice.experiment) \($0.slice.variant)" }
    #expect(variants == ["length long", "length short", "tone plain", "tone short"])
    #expect(result.checks.map(\.verdict) == [.pass, .pass, .pass, .fail])
    #expect(result.familySize == 4)
    let failed = try #require(result.checks.last)
    let p = try #require(failed.p)
    let adjusted = try #require(failed.adjustedP)
    #expect(abs(adjusted - min(1, 4 * p)) <= 1e-12)
  }

  @Test func `a plan tells of every experiment, with the level of all of them`() throws {
    let report = try report(shortTone: 1_600)
    let plan = try run(Self.againstControl, report).plan()
    #expect(plan.items.map { $0.title.contains("experiment length") } == [true, false])
    #expect(plan.items.map { $0.title.contains("experiment tone") } == [false, true])
    #expect(plan.items.allSatisfy { abs($0.alpha - 0.025) < 1e-12 })
    let table = GatePlanTable(plan).text()
    #expect(table.contains("experiment length") && table.contains("experiment tone"))
    let bounds = try run("for_each: variant, at_least: 60%", report).plan()
    #expect(bounds.items.count == 4)
  }

  @Test func `a baseline has the variants of all experiments`() throws {
    let before = try report(shortTone: 1_600)
    let now = try report(shortTone: 1_000)
    let result = try run("for_each: variant, not_worse_by: 20 points", now, before: before).result()
    // Half of each length has the short tone, so both of them lose 15 points.
    #expect(result.checks.map(\.verdict) == [.pass, .pass, .pass, .fail])
    #expect(result.checks.allSatisfy { $0.reference != nil })
  }

  @Test func `one variant still needs its experiment`() throws {
    let error = try #require(throws: FlowFileErrors.self) {
      try run("variant: short, at_least: 60%", report(shortTone: 1_600))
    }
    #expect("\(error)".contains("needs the key 'experiment'"))
    let named = try run("experiment: tone, variant: short, at_least: 60%", report(shortTone: 1_600))
    #expect(
      try named.result().checks.map(\.title) == [
        "permission_opt_in notifications, experiment tone, variant short"
      ])
  }
}
