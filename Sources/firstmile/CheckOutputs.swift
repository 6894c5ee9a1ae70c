import ArgumentParser
import Foundation
import FunnelReport

/// In which forms a verdict is told; all at once where asked for.
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

  @Flag(help: "Print no table.")
  var quiet = false

  func validate() throws {
    if json && annotations {
      throw ValidationError(
        "--json and --annotations both want standard output; write the JSON with --json-file")
    }
  }

  func write(_ result: GateResult) throws {
    if json {
      Console.output(GateJSON(result).text())
    } else if !quiet {
      Console.output(
        GateTable(result, style: TerminalStyle(width: 80, color: Console.hasColor)).text())
    }
    if annotations { Console.output(GateAnnotations(result).text()) }
    if let jsonFile { try Self.write(GateJSON(result).text(), to: jsonFile) }
    if let junit { try Self.write(GateJUnit(result).text(), to: junit) }
    if let summary { try Self.append(GateMarkdown(result).text(), to: summary) }
  }

  func write(_ plan: GatePlan) throws {
    if json {
      Console.output(GatePlanJSON(plan).text())
    } else if !quiet {
      Console.output(
        GatePlanTable(plan, style: TerminalStyle(width: 80, color: Console.hasColor)).text())
    }
    if let jsonFile { try Self.write(GatePlanJSON(plan).text(), to: jsonFile) }
  }

  /// Aside and renamed, so that a killed run leaves the old file whole.
  static func write(_ text: String, to path: String) throws {
    let place = try OutputFile(path)
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: place.path), options: .atomic)
    } catch {
      throw CommandError("'\(path)' can't be written: \(error.localizedDescription)")
    }
  }

  private static func append(_ text: String, to path: String) throws {
    do {
      if !FileManager.default.fileExists(atPath: path) { try Data().write(to: place(path)) }
      // In place: a runner may hand over a file that must stay the one it is.
      let file = try FileHandle(forWritingTo: place(path))
      defer { try? file.close() }
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandError("'\(path)' can't be written: \(error.localizedDescription)")
    }
  }

  private static func place(_ path: String) -> URL { URL(fileURLWithPath: path) }
}
