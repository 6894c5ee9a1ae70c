public import ArgumentParser
import EventInput
import FlowDefinition
public import FunnelEngine
import FunnelReport
import Timelines

/// A retention matrix, asked at the command line.
struct RetentionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Who came back: a matrix of cohorts by hour, day, week or month.",
    discussion: """
      firstmile retention dumps/ --flow aiq --by week --start onboarding_started \\
      --return 'test_started or test_finished'
      """)

  @OptionGroup var input: InputOptions

  @Option(
    help: """
      The event that puts people into a cohort, written as a step of `firstmile funnel`; the \
      flow's own start if not given.
      """)
  var start: String?

  @Option(
    name: .customLong("return"),
    help: "The event that shows that they came back; any activity if not given.")
  var returning: String?

  @Option(help: "hour, day, week or month: cohorts, and the periods after them.")
  var by: CalendarPeriods.Unit = .day

  @Option(help: "How many periods after a cohort's own are shown.")
  var periods = 7

  @Option(
    help: """
      calendar (dates, weeks and months of the flow's time zone) or rolling (multiples of 24 hours \
      from the start); the tool's own if not given.
      """)
  var windows: RetentionMatrixRules.Windows?

  @Option(help: "first (each person once, by their first start) or recurring (in each period).")
  var cohorts: RetentionMatrixRules.Cohorts?

  @Option(help: "on (in the period) or on-or-after (in it or in any later one).")
  var returned: RetentionMatrixRules.Returned?

  @Option(name: .customLong("week-starts"), help: "monday or sunday.")
  var weekStart: CalendarPeriods.WeekStart?

  @Option(help: "Count as another tool does: firstmile, posthog, mixpanel, amplitude.")
  var like: FunnelTool = .firstmile

  @Option(
    name: .customLong("breakdown"), parsing: .singleValue,
    help: """
      Cut by a dimension of the flow, an experiment of it, or version; by their values together if \
      there are several.
      """)
  var breakdowns: [String] = []

  @Flag(help: "Everyone with a start, not only those the flow's metrics are about.")
  var everyone = false

  @Option(help: "text, json or csv.")
  var output: FunnelCommand.Output = .text

  static let mostPeriods = 366

  func validate() throws {
    if !(1...Self.mostPeriods).contains(periods) {
      throw ValidationError("--periods is a number from 1 to \(Self.mostPeriods), found \(periods)")
    }
    for (place, name) in breakdowns.enumerated() where breakdowns[..<place].contains(name) {
      throw ValidationError("--breakdown \(name) is given twice")
    }
    if weekStart != nil && by != .week { throw ValidationError("--week-starts needs --by week") }
    guard let rules = matrixRules else {
      throw ValidationError(
        "how \(like.rawValue) counts a retention matrix is not known; --like is firstmile, "
          + "posthog, mixpanel or amplitude")
    }
    if like == .posthog && rules.windows == .rolling && rules.returned == .onOrAfter {
      throw ValidationError(
        "PostHog has no on-or-after retention for rolling windows; leave out --windows, "
          + "--returned or --like")
    }
    if input.flows.count > 1 { throw ValidationError("retention takes one --flow") }
  }

  func run() async throws {
    let asked = try asked(try input.loadFlow())
    let job = AnalysisRun(flows: [asked.flow], options: input, cohorts: .day, maximumRejectRate: 1)
    defer { job.finish() }
    let dump = try await job.read()
    Console.tell(problems: dump.problems)
    guard let rules = matrixRules else { throw ExitStatus.usage }
    var question = RetentionMatrix.Question(
      funnel: asked.index, unit: by, periods: periods, rules: rules)
    question.startsWithAttempt = start == nil
    question.breakdowns = try FunnelStudy.Breakdown.named(breakdowns, in: asked.flow)
    let matrix = try await RetentionMatrix.matrix(
      dump.timelines, flow: asked.flow, question: question,
      options: try job.evaluationOptions(dump.timelines, asked.flow), threads: input.threads)
    guard let matrix else { throw ExitStatus.usage }
    let document = RetentionDocument(
      matrix, flow: asked.flow, tool: like, breakdowns: breakdowns)
    for unseen in document.unseen {
      Console.message(UnseenSentence.of(unseen, candidates: unseen.seen))
    }
    switch output {
    case .text: Console.output(document.text())
    case .json: Console.output(document.json())
    case .csv: Console.output(document.csv())
    }
    try dump.tellQuality()
  }

  /// The tool's rules with what was asked for instead.
  private var matrixRules: RetentionMatrixRules? {
    guard var rules = like.retentionMatrix else { return nil }
    if let windows { rules.windows = windows }
    if let cohorts { rules.cohorts = cohorts }
    if let returned { rules.returned = returned }
    if let weekStart { rules.weekStart = weekStart }
    if everyone { rules.onlyFlowPersons = false }
    return rules
  }

  /// The flow with start and return as a funnel of it, so that its facts are read and matched as
  /// those of any funnel.
  private func asked(_ flow: Flow) throws -> AskedFunnel {
    var flow = flow
    // Of these the facts that can begin an attempt.
    let own =
      flow.entry.map { [$0] }
      ?? ["onboarding_started", "onboarding_page_viewed"].map { EventPattern(event: $0) }
    var steps = [try start.map { try step($0, "--start") } ?? FunnelStep(anyOf: own)]
    if let returning { steps.append(try step(returning, "--return")) }
    flow.funnels.append(
      CustomFunnel(
        id: "question", steps: steps, windowMilliseconds: flow.windowMilliseconds,
        order: returning == nil ? .strict : .ordered))
    return try AskedFunnel(flow, flow.funnels.count - 1)
  }

  private func step(_ text: String, _ option: String) throws -> FunnelStep {
    let steps = try FunnelText.steps(text)
    guard let step = steps.first, steps.count == 1 else {
      throw CommandError("\(option) is one step, without '>', found '\(text)'")
    }
    return step
  }
}

extension RetentionMatrixRules.Windows: ExpressibleByArgument {}
extension RetentionMatrixRules.Cohorts: ExpressibleByArgument {}
extension RetentionMatrixRules.Returned: ExpressibleByArgument {}
