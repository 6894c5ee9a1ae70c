public import ArgumentParser
import FlowDefinition
import Foundation
public import FirstMileSimulation
import ReportText

/// Made-up dumps with a written truth.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Make a dump of simulated persons, and write down what is true of it.",
    discussion: "firstmile simulate --flow aiq --persons 1000 --seed 7 --out dumps")

  @Option(help: "A built-in flow or a flow file.", completion: .flows)
  var flow: String

  @Option(help: "How many persons begin.")
  var persons: Int = 1000

  @Option(help: "A whole number from 0; the same seed makes the same bytes.")
  var seed: UInt64 = 1

  @Option(help: "The folder to write the dump and truth.json to.", completion: .directory)
  var out: String

  @Option(help: "Over how many days persons begin.")
  var days: Int?

  @Option(help: "One file for each hour or day.")
  var per: SimulationPlan.FileSpan = .day

  @Option(help: "So many files instead.")
  var files: Int?

  @Option(help: "gzip, zstd or none.")
  var compression: SimulationPlan.Compression = .gzip

  @Option(
    help: """
      Whose export the dump looks like: \
      \(DumpFormat.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var format: DumpFormat = .canonical

  @Flag(help: "Cut times to the second; truth.json tells of the times before the cut.")
  var wholeSeconds = false

  @Option(help: "How many threads to use.")
  var threads: Int = ProcessInfo.processInfo.activeProcessorCount

  @Flag(help: "No duplicates, late, broken or misdated lines.")
  var tidy = false

  @Flag(name: .shortAndLong, help: "Print nothing.")
  var quiet = false

  func validate() throws {
    if persons < 1 { throw ValidationError("--persons must be at least 1, found \(persons)") }
    if let files, files < 1 { throw ValidationError("--files must be at least 1, found \(files)") }
    if threads < 1 { throw ValidationError("--threads must be at least 1, found \(threads)") }
    if let days, days < 1 { throw ValidationError("--days must be at least 1, found \(days)") }
  }

  func run() throws {
    let there = (try? FileManager.default.contentsOfDirectory(atPath: out)) ?? []
    if let file = there.first(where: { $0.contains(".ndjson") || $0 == "truth.json" }) {
      throw CommandError(
        "'\(out)' has a dump already (\(file)); its truth would no longer hold. Name a new folder")
    }
    var plan = SimulationPlan(flow: try FlowFile.load(flow), persons: persons, seed: seed)
    plan.days = days
    plan.fileSpan = per
    plan.files = files
    plan.compression = compression
    plan.format = format
    plan.wholeSeconds = wholeSeconds
    plan.threads = threads
    if tidy { plan.rates = .tidy }
    let interruption = Interruption()
    defer { interruption.end() }
    let files = CommandFiles()
    try files.read(flows: [flow])
    try files.write(folder: out, names: ["truth.json"], as: "--out")
    let folder = out
    if FileManager.default.fileExists(atPath: out) && !ReportFolder.isFolder(out) {
      throw CommandError("'\(out)' is a file; --out needs a folder")
    }
    interruption.say {
      "interrupted; what is in \(folder) is no whole dump and has no truth.json: delete it"
    }
    let truth = try Simulator(plan).run(to: out)
    if !quiet {
      let lines = truth.lines
      Console.message(
        "\(NumberText.grouped(persons)) persons written to \(out): "
          + "\(NumberText.grouped(lines.written)) lines in "
          + "\(NumberText.grouped(lines.files.count)) files"
      )
    }
  }
}

extension SimulationPlan.FileSpan: ExpressibleByArgument {}
extension SimulationPlan.Compression: ExpressibleByArgument {}
extension DumpFormat: ExpressibleByArgument {}
