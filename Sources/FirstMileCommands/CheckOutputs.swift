import ArgumentParser
import RegressionGate
import ReportText

/// In which forms a verdict is written; several at once where asked for.
struct CheckOutputs: ParsableArguments {
  @Flag(help: "Print JSON in place of the table.")
  var json = false

  @Option(help: "Also write the JSON to this file.")
  var jsonFile: String?

  @Option(help: "Also write JUnit XML to this file.")
  var junit: String?

  @Flag(help: "Also print GitHub annotations, with the file and line of the rule.")
  var annotations = false

  @Option(help: "Also append a Markdown summary to this file, such as $GITHUB_STEP_SUMMARY.")
  var summary: String?

  @Flag(name: .shortAndLong, help: "Print no table.")
  var quiet = false

  func validate() throws {
    if json && annotations {
      throw ValidationError(
        "--json and --annotations both want standard output; write the JSON with --json-file")
    }
  }

  /// The files that are asked for.
  struct Files {
    fileprivate var json: OutputFile?
    fileprivate var junit: OutputFile?
    fileprivate var summary: OutputFile?
  }

  /// Names the files before anything is read.
  ///
  /// - Throws: `CommandError` where one of them is an input too, or another output.
  func files(of files: CommandFiles) throws -> Files {
    Files(
      json: try jsonFile.map { try files.write($0, as: "--json-file") },
      junit: try junit.map { try files.write($0, as: "--junit") },
      summary: try summary.map { try files.write($0, as: "--summary", isAppended: true) })
  }

  func write(_ result: GateResult, to files: Files) throws {
    if json {
      Console.output(GateJSON(result).text())
    } else if !quiet {
      Console.output(
        GateTable(
          result, style: TerminalStyle(width: Console.outputColumns, color: Console.hasColor)
        ).text())
    }
    if annotations { Console.output(GateAnnotations(result).text()) }
    try files.json?.replace(with: GateJSON(result).text())
    try files.junit?.replace(with: GateJUnit(result).text())
    try files.summary?.append(GateMarkdown(result).text())
  }

  func write(_ plan: GatePlan, to files: Files) throws {
    if json {
      Console.output(GatePlanJSON(plan).text())
    } else if !quiet {
      Console.output(
        GatePlanTable(
          plan, style: TerminalStyle(width: Console.outputColumns, color: Console.hasColor)
        ).text())
    }
    try files.json?.replace(with: GatePlanJSON(plan).text())
  }
}
