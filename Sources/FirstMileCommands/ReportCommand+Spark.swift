import ArgumentParser
import EventInput
import FlowDefinition
import Foundation

/// Where a report's people are counted.
enum ReportEngine: String, ExpressibleByArgument, CaseIterable {
  case local, spark
}

/// A report that is counted on Apache Spark.
extension ReportCommand {
  func reportOnSpark() throws {
    guard let master else {
      throw CommandError(
        "--engine spark needs --master, such as spark://HOST:7077, yarn or 'local[*]'")
    }
    guard let out else { throw CommandError("--engine spark needs --out: reports go there") }
    if people.file != nil || input.store != nil || against == "previous" || tallies {
      throw CommandError(
        "--engine spark counts dumps: --people, --store, --tallies and --against previous don't "
          + "go with it")
    }
    guard let flow = input.flows.first, input.flows.count == 1 else {
      throw CommandError("--engine spark counts one flow at a time: name one with --flow")
    }
    _ = try input.loadFlow().id
    try ReportFolder(path: out).check()
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say { "interrupted; nothing was written" }
    let run = SparkRun(
      master: master, arguments: sparkArguments(flow, out), interruption: interruption)
    let code = try run.run()
    if code != 0 { throw ExitCode(code) }
  }

  private func sparkArguments(_ flow: String, _ out: String) -> [String] {
    var words = ["--flow=\(flow)", "--out=\(out)", "--firstmile=\(ReportCommand.ownPlace)"]
    let named: [(String, String?)] = [
      ("key-file", input.keyFile), ("format", input.format?.rawValue), ("rejects", rejects),
      ("endpoint-url", input.remote.endpointUrl), ("as-of", input.asOf), ("from", input.from),
      ("to", input.to), ("history-from", input.historyFrom), ("flow-version", flowVersion),
      ("cohorts", cohorts.rawValue), ("max-reject-rate", "\(maxRejectRate)"),
      ("memory-limit", input.memoryLimit.map { "\($0.bytes)" }),
      ("partitions", partitions.map { "\($0)" }), ("digest", naming.digest?.rawValue),
    ]
    for (name, value) in named {
      if let value { words.append("--\(name)=\(value)") }
    }
    if input.remote.noSignRequest { words.append("--no-sign-request") }
    if quiet { words.append("--quiet") }
    if statsJson { words.append("--stats") }
    var rest = tables.map { "--tables=\($0.rawValue)" }
    if let against { rest.append("--against=\(against)") }
    if let index { rest.append("--index=\(index)") }
    for (isAsked, option) in [
      (cards, "--cards"), (full, "--full"), (json, "--json"), (allSlices, "--all-slices"),
      (open, "--open"),
    ] where isAsked {
      rest.append(option)
    }
    return words + rest.map { "--report-option=\($0)" } + ["--"] + input.inputs
  }

  /// Where this program lies; workers look for theirs at the same place.
  private static var ownPlace: String {
    let path = CommandLine.arguments.first ?? "firstmile"
    return path.contains("/") ? URL(fileURLWithPath: path).path : path
  }
}
