import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import FunnelReport

/// Why two tools give different numbers.
struct ReconcileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Tell which rules make two tools count a funnel differently on this data.",
    discussion: """
      firstmile reconcile dumps/ --flow aiq --between firstmile --and mixpanel \\
        --within 7d --steps 'onboarding_started > test_started'
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var question: FunnelOptions

  @Option(name: .customLong("between"), help: "The tool to begin with.")
  var first: FunnelTool = .firstmile

  @Option(name: .customLong("and"), help: "The tool to end with.")
  var second: FunnelTool

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if input.flows.count > 1 { throw ValidationError("reconcile takes one --flow") }
  }

  func run() async throws {
    try await question.answered(from: input, answer)
  }

  private func answer(_ asked: AskedFunnel, _ job: DumpRun, _ dump: DumpRun.Dump) async throws {
    let options = try job.evaluationOptions(dump.timelines, asked.flow)
    func count(_ rule: String, _ rules: FunnelRules) async throws -> Reconciliation.Change {
      let study = try await FunnelStudy.study(
        dump.timelines, flow: asked.flow, funnel: asked.index, options: options, rules: rules,
        retention: first.retention, threads: input.threads)
      return Reconciliation.Change(
        rule: rule, entered: study?.all.reached.first ?? 0,
        finished: study?.all.reached.last ?? 0)
    }
    let start = try await count(first.rawValue, first.rules)
    var changes: [Reconciliation.Change] = []
    for (rule, rules) in Reconciliation.steps(from: first, to: second) {
      changes.append(try await count(rule, rules))
    }
    let result = Reconciliation(first: first, second: second, start: start, changes: changes)
    Console.output(json ? result.json() : result.text())
  }
}
