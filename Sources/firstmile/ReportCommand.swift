import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import FunnelReport

/// Dumps in, reports out.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Read event dumps and report on their onboarding funnels.",
    discussion: """
      Prints a summary; with --out also writes report.html, report.md, CSV files, metrics.csv and \
      metrics.json there. With several flows each gets a folder of its own inside.

      firstmile report dumps/ --flow aiq --out reports/aiq
      """)

  @OptionGroup var input: InputOptions

  @Option(help: "The folder to write the reports to.")
  var out: String?

  @Option(
    name: .customLong("cohorts"), help: "Group persons by the day, week or month they began.")
  var cohorts: CohortChoice = .week

  @Option(help: "Where lines that can't be used are kept; beside --out if not given.")
  var rejects: String?

  @Option(help: "More rejected lines than this share end with exit code 4.")
  var maxRejectRate: Double = 0.01

  @Flag(help: "Print no summary.")
  var quiet = false

  @Flag(help: "Print metrics.json instead of the summary; an array of them for several flows.")
  var json = false

  func validate() throws {
    if !(0...1).contains(maxRejectRate) {
      throw ValidationError("--max-reject-rate is a share from 0 to 1, found \(maxRejectRate)")
    }
  }

  func run() async throws {
    let flows = try input.loadFlows()
    let job = DumpRun(
      flows: flows, options: input, cohorts: cohorts.unit, maximumRejectRate: maxRejectRate)
    defer { job.finish() }
    let rejectsPath = rejects ?? out.map { "\(trimmed($0))-rejects.ndjson" }
    let dump = try await job.read(rejectsPath: rejectsPath)
    if dump.summaries.allSatisfy({ $0.unreadable != nil }) {
      // Nothing was read: a page of zeros would only hide why.
      for problem in dump.problems { Console.message(problem.description) }
      throw ExitStatus.usage
    }
    for (index, flow) in flows.enumerated() {
      let report = try await job.report(dump, flow)
      if let out {
        let folder = flows.count == 1 ? out : "\(trimmed(out))/\(flow.id)"
        try ReportFolder(path: folder).write(report.documents())
      }
      try present(report, index: index, of: flows.count)
    }
    let keptRejects = try job.keepRejects(dump)
    try finish(dump, rejectsPath: keptRejects ? rejectsPath : nil)
  }

  private func present(_ report: Report, index: Int, of count: Int) throws {
    if json {
      let document = report.documents().first { $0.name == "metrics.json" }
      let opening = count == 1 ? "" : index == 0 ? "[" : ","
      Console.output(
        opening + (document?.text ?? "") + (index == count - 1 && count > 1 ? "]\n" : ""))
    } else if !quiet {
      Console.output(
        report.terminalSummary(style: TerminalStyle(width: 80, color: Console.hasColor)))
    }
  }

  /// Tells what was wrong with the input, and ends with the exit code that says so.
  private func finish(_ dump: DumpRun.Dump, rejectsPath: String?) throws {
    for summary in dump.summaries {
      for damage in summary.damages {
        Console.message("\(summary.name): at byte \(damage.byteOffset): \(damage.message)")
      }
    }
    for problem in dump.problems { Console.message(problem.description) }
    let lines = dump.summaries.reduce(0) { $0 + $1.lines }
    let rejects = dump.summaries.reduce(0) { $0 + $1.rejects }
    if let path = rejectsPath {
      Console.message("\(rejects) of \(lines) lines could not be used; they are in \(path)")
    }
    if !dump.problems.isEmpty { throw ExitStatus.usage }
    if dump.summaries.allSatisfy({ $0.events == 0 }) {
      Console.message("no event in the input: the reports are of zeros")
      throw ExitStatus.dataQuality
    }
    if dump.summaries.contains(where: { !$0.damages.isEmpty }) {
      Console.message(
        "part of the input is damaged: what could be read is counted, the rest is lost")
      throw ExitStatus.dataQuality
    }
    if Double(rejects) > maxRejectRate * Double(lines) {
      Console.message(
        "more than the accepted share of lines are rejects (--max-reject-rate \(maxRejectRate))")
      throw ExitStatus.dataQuality
    }
  }

  private func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

/// `--cohorts`.
enum CohortChoice: String, ExpressibleByArgument, CaseIterable {
  case day, week, month

  var unit: EvaluationOptions.CohortUnit {
    switch self {
    case .day: .day
    case .week: .week
    case .month: .month
    }
  }
}
