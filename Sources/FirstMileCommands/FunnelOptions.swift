public import ArgumentParser
import EventInput
public import FlowDefinition
public import FunnelEngine

/// Options shared by the commands that ask about one funnel.
struct FunnelOptions: ParsableArguments {
  @Option(
    help: """
      The steps: 'onboarding_started > page_viewed[page_name=welcome|plan] > a or b > paid?'.
      """)
  var steps: String?

  @Option(name: .customLong("funnel"), help: "A funnel of the flow file instead of --steps.")
  var funnelId: String?

  @Option(help: "How long the whole funnel may take, such as 7d; the flow's window if not given.")
  var within: String?

  @Option(help: "How long each step may take after the one before, instead of --within.")
  var withinStep: String?

  @Option(help: "ordered, strict or any.")
  var order: CustomFunnel.Order?

  @Option(help: "Which entry counts: first or best.")
  var entry: CustomFunnel.Entry?

  @Option(
    name: .customLong("exclude"), parsing: .singleValue,
    help: "An event that takes a person out between the first step and the last.")
  var exclusions: [String] = []

  /// Whether any of these options was given.
  var isAsked: Bool {
    let texts = [steps, funnelId, within, withinStep, order?.rawValue, entry?.rawValue]
    return texts.contains { $0 != nil } || !exclusions.isEmpty
  }

  /// Stops a command that needs a funnel and has none.
  func validateFunnel() throws {
    if (steps == nil) == (funnelId == nil) {
      throw ValidationError("name either --steps or --funnel")
    }
  }

  func validate() throws {
    if within != nil && withinStep != nil {
      throw ValidationError("name either --within or --within-step")
    }
  }

  /// The flow with this funnel among its own, which stay: they are part of what the flow looks at,
  /// and so the numbers are those of a report.
  func apply(to flow: Flow) throws -> AskedFunnel {
    var flow = flow
    var funnel: CustomFunnel
    var index = flow.funnels.count
    if let funnelId {
      guard let known = flow.funnels.firstIndex(where: { $0.id == funnelId }) else {
        let names = flow.funnels.map(\.id).joined(separator: ", ")
        throw CommandError(
          "flow '\(flow.id)' has no funnel '\(funnelId)'; it has \(names.isEmpty ? "none" : names)")
      }
      funnel = flow.funnels.remove(at: known)
      index = known
    } else {
      funnel = CustomFunnel(
        id: "question", steps: try FunnelText.steps(steps ?? ""),
        windowMilliseconds: flow.windowMilliseconds)
    }
    if let text = within ?? withinStep {
      guard let window = DurationText.milliseconds(text), window > 0 else {
        throw CommandError("'\(text)' is no duration above 0; write one such as 30m, 24h or 7d")
      }
      funnel.windowMilliseconds = window
      funnel.windowScope = withinStep == nil ? .whole : .step
    }
    if let order { funnel.order = order }
    if let entry { funnel.entry = entry }
    for text in exclusions {
      funnel.exclusions.append(
        FunnelExclusion(
          pattern: try FunnelText.pattern(text), from: 1, to: max(1, funnel.steps.count)))
    }
    flow.funnels.insert(funnel, at: index)
    return try AskedFunnel(flow, index)
  }
}

/// The funnel that a command asks about.
struct AskedFunnel {
  var flow: Flow
  /// Its index among the flow's funnels.
  var index: Int

  /// - Throws: `CommandError` for an event that the flow file gives another name.
  init(_ flow: Flow, _ index: Int) throws {
    (self.flow, self.index) = (flow, index)
    let events = funnel.steps.flatMap(\.anyOf) + funnel.exclusions.map(\.pattern)
    if let mistake = events.lazy.compactMap({ flow.mistake(inEventName: $0.event) }).first {
      throw CommandError(mistake)
    }
  }

  var funnel: CustomFunnel { flow.funnels[index] }
}

extension FunnelOptions {
  /// Reads the facts that the funnel is counted from, has it answered, and reports what was wrong
  /// with them, with the exit code that says so.
  ///
  func answered(
    from input: InputOptions, files: CommandFiles = CommandFiles(),
    _ answer: (AskedFunnel, AnalysisRun, AnalysisRun.Dump) async throws -> Void
  ) async throws {
    let asked = try apply(to: try input.loadFlow())
    let job = AnalysisRun(
      flows: [asked.flow], options: input, cohorts: .day, maximumRejectRate: 1, files: files)
    defer { job.finish() }
    let dump = try await job.read()
    Console.tell(problems: dump.problems)
    try await answer(asked, job, dump)
    try dump.tellQuality()
  }
}

extension CustomFunnel.Order: ExpressibleByArgument {}
extension CustomFunnel.Entry: ExpressibleByArgument {}
extension FunnelTool: ExpressibleByArgument {}
extension CalendarPeriods.Unit: ExpressibleByArgument {}
extension CalendarPeriods.WeekStart: ExpressibleByArgument {}
