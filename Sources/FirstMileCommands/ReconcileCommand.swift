import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import FunnelReport

/// Why two tools, or two editions of the definitions, give different numbers.
struct ReconcileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Tell which rules make two tools, or semantics 1 and 2, count differently.",
    discussion: """
      firstmile reconcile dumps/ --flow aiq --between firstmile --and mixpanel \\
        --within 7d --steps 'onboarding_started > test_started'
      firstmile reconcile dumps/ --flow aiq --semantics 1
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var question: FunnelOptions

  @Option(name: .customLong("between"), help: "The tool to begin with.")
  var first: FunnelTool = .firstmile

  @Option(name: .customLong("and"), help: "The tool to end with.")
  var second: FunnelTool?

  @Option(
    help: """
      1: compare the flow's numbers by the first edition of the definitions with those of now, \
      rule by rule, instead of two tools.
      """)
  var semantics: Int?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if input.flows.count > 1 { throw ValidationError("reconcile takes one --flow") }
    guard let semantics else {
      if second == nil { throw ValidationError("name the tool to end with: --and TOOL") }
      return try question.validateFunnel()
    }
    if semantics != 1 {
      throw ValidationError("--semantics must be 1, the edition before this, found \(semantics)")
    }
    if second != nil || first != .firstmile || question.isAsked {
      throw ValidationError(
        "--semantics compares all of a flow's numbers; leave out the options of a funnel and of "
          + "tools")
    }
  }

  func run() async throws {
    if semantics != nil { return try await reconcileEditions() }
    try await question.answered(from: input, answer)
  }

  private func reconcileEditions() async throws {
    let flow = try input.loadFlow()
    let job = AnalysisRun(flows: [flow], options: input, cohorts: .week, maximumRejectRate: 1)
    defer { job.finish() }
    let dump = try await job.read()
    Console.tell(problems: dump.problems)
    let options = try job.evaluationOptions(dump.timelines, flow)
    let result = try await EditionReconciliation(flow) { flow, oldRules in
      var old = options
      old.oldRules = oldRules
      return try await FlowEvaluator.tally(
        dump.timelines, flow: flow, options: old, threads: input.threads)
    }
    Console.output(json ? result.json() : result.text())
    try dump.tellQuality()
  }

  private func answer(_ asked: AskedFunnel, _ job: AnalysisRun, _ dump: AnalysisRun.Dump)
    async throws
  {
    guard let second else { return }
    let options = try job.evaluationOptions(dump.timelines, asked.flow)
    let result = try await Reconciliation(from: first, to: second, funnel: asked.funnel) {
      try await FunnelTotals.count(
        dump.timelines, flow: asked.flow, funnel: asked.index, options: options, rules: $0,
        threads: input.threads)
    }
    Console.output(json ? result.json() : result.text())
  }
}
