import ArgumentParser
import EventInput
import FirstMileStore
import FlowDefinition
import FunnelEngine
import ReportText
import Timelines

/// One row a person, for analyses in SQL, R or Python.
struct StoreExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write one row a person: outcome, furthest step, variant, goals, retention.",
    discussion: """
      Persons are keyed hashes. A goal or retention day is 1 or 0, and empty for those who are not \
      in its denominator.

      firstmile store export people.csv --store onboarding.sqlite
      """)

  @Argument(help: "The file to write.")
  var file: String

  @OptionGroup var input: InputOptions.OfStore

  func run() async throws {
    let options = try input.options()
    let flow = try options.loadFlow()
    let files = CommandFiles()
    let job = AnalysisRun(
      flows: [flow], options: options, cohorts: .week, maximumRejectRate: 1, files: files)
    defer { job.finish() }
    let place = try files.write(file, as: "the export")
    let dump = try await job.read()
    dump.tellUnread()
    let evaluation = try job.evaluationOptions(dump.timelines, flow)
    var count = 0
    try place.replace(isPrivate: true) { output in
      var text = CSVText.line(StoreExportCommand.columns(flow))
      try PersonRecord.forEach(dump.timelines, flow: flow, options: evaluation) { record in
        text += CSVText.line(StoreExportCommand.cells(record))
        count += 1
        if text.utf8.count > 1 << 20 {
          try output.write(Array(text.utf8))
          text = ""
        }
      }
      if count == 0 {
        Console.message(
          "nobody in the store has begun the flow '\(InputPath.shown(flow.id))': nothing was "
            + "written")
        throw ExitStatus.dataQuality
      }
      try output.write(Array(text.utf8))
    }
    Console.message("\(CountText.of(count, "person")) written to \(file)")
    try dump.endIfUnread()
  }

  private static func columns(_ flow: Flow) -> [String] {
    ["person", "entered_at", "mature", "version", "outcome", "outcome_seconds", "furthest_step"]
      + ["used_skip"] + flow.experiments.map { "variant_\($0.id)" }
      + flow.dimensions.map(\.id) + flow.permissions.map { "permission_\($0)" }
      + flow.goals.map { "goal_\($0.id)" } + flow.retention.map { "retention_\($0.id)" }
  }

  private static func cells(_ record: PersonRecord) -> [String] {
    func flag(_ value: Bool?) -> String { value.map { $0 ? "1" : "0" } ?? "" }
    var cells = [
      FactStore.text(of: record.person), Moment.text(record.entryMilliseconds),
      flag(record.isMature), record.version, record.outcome.name,
      record.outcomeSeconds.map { "\($0)" } ?? "", record.furthestStep ?? "",
      flag(record.usedSkip),
    ]
    cells += record.variants + record.dimensions + record.permissions
    cells += record.goals.map(flag) + record.retention.map(flag)
    return cells
  }
}
