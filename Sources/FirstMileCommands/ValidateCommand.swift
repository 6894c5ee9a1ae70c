import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import ReportFindings
import Timelines

/// What the data is worth.
struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Tell what a dump is worth: what is missing, doubled, late or impossible.",
    discussion: """
      Gives a trust grade from A to F with its reasons. Ends with exit code 4 where the grade is \
      F, or below --at-least.

      firstmile validate dumps/ --flow aiq
      """)

  enum Output: String, ExpressibleByArgument, CaseIterable {
    case text, json, csv
  }

  @OptionGroup var input: InputOptions

  @Option(help: "text, json or csv.")
  var output: Output = .text

  @Option(help: "The worst grade to accept: \(DataGrade.allCases.map(\.rawValue).joined()).")
  var atLeast: String = "D"

  func validate() throws {
    if DataGrade(rawValue: atLeast.uppercased()) == nil {
      throw ValidationError("--at-least is one of A, B, C, D and F, found '\(atLeast)'")
    }
    if input.flows.count > 1 { throw ValidationError("validate takes one --flow") }
    if input.store != nil {
      throw ValidationError("validate looks at dumps as they came, not at a store")
    }
  }

  func run() async throws {
    let flows = try input.loadFlows()
    let job = AnalysisRun(flows: flows, options: input, cohorts: .week, maximumRejectRate: 1)
    defer { job.finish() }
    let dump = try await job.read(isInspecting: true, sampledEvents: 8192)
    Console.tell(problems: dump.problems)
    Console.tellChanges(of: dump.summaries)
    for summary in dump.summaries { Console.tell(passedOverIn: summary) }
    Console.tellMappings(of: dump.summaries)
    guard let flow = flows.first, !dump.isUnreadable else {
      throw ExitStatus.usage
    }
    let validation = Validation(
      try await findings(job, dump, flow), report: try await job.report(dump, flow))
    switch output {
    case .text: Console.output(validation.text())
    case .json: Console.output(validation.json())
    case .csv: Console.output(validation.csv())
    }
    if !dump.problems.isEmpty { throw ExitStatus.usage }
    let worst = DataGrade(rawValue: atLeast.uppercased()) ?? .d
    if validation.grade > worst { throw ExitStatus.dataQuality }
  }

  private func findings(
    _ job: AnalysisRun, _ dump: AnalysisRun.Dump, _ flow: Flow
  ) async throws -> ValidationInput {
    let options = try job.evaluationOptions(dump.timelines, flow)
    let inspection = try await DataInspection.inspect(
      dump.timelines, flow: flow, options: options, threads: input.threads)
    var found = ValidationInput(flow: flow, inspection: inspection)
    found.horizonMilliseconds = options.horizonMilliseconds
    found.sources = dump.summaries.map { summary in
      ValidationInput.Source(
        name: summary.name, format: summary.format.rawValue, lines: summary.lines,
        misnaming: summary.misnaming)
    }
    found.rejects = RejectReason.allCases.compactMap { reason in
      let count = dump.summaries.reduce(0) { $0 + ($1.rejectsByReason[reason] ?? 0) }
      guard count > 0 else { return nil }
      let place = dump.summaries.compactMap { $0.firstRejects[reason] }.first
      let words = place.map { "\($0.name):\($0.line) \($0.detail)" } ?? ""
      return ValidationInput.Rejects(reason: reason.rawValue, count: count, example: words)
    }
    let counts = try dump.timelines.counts
    found.timelineCounts = [
      "facts": counts.facts, "shared_devices": counts.sharedDevices,
      "alias_groups_too_large": counts.aliasGroupsTooLarge,
    ]
    var sum = SourceInspection()
    for inspection in dump.summaries.compactMap(\.inspection) {
      found.eventsByHourOfFile.append(inspection.eventsByHour)
      sum.merge(inspection)
    }
    found.arrivalsByHour = sum.arrivalsByHour
    found.clockReadings = sum.clockReadings
    found.clocksOffByMinutes = sum.clocksOffByMinutes
    found.clocksOffByHours = sum.clocksOffByHours
    found.messageIds = sum.messages.ids
    found.repeatedMessages = sum.messages.repeats
    found.messagesWithOtherContent = sum.messages.idsWithOtherContent
    found.messagesAreSample = sum.messages.isSample
    return found
  }
}
