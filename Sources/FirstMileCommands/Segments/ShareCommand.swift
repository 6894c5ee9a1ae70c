import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import ReportText
import Timelines

/// Counts for others, without those of a few people.
struct ShareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Print a table for others, in which no count of a few people can be found.",
    discussion: """
      Of the tallies that `firstmile tally` wrote, as CSV: what became of people, by dimension, \
      cohort, version and variant. Counts of fewer people than --min-cell are left out or joined, \
      and so is what they could be worked out from. docs/tallies.md has the rule.

      firstmile share tallies --flow aiq --min-cell 20 --out shared.csv
      """)

  @Argument(help: "The tallies of all partitions of a run: files, or folders with their *.tally.")
  var tallies: [String]

  @Option(name: .customLong("flow"), help: "The flow.", completion: .flows)
  var flow: String

  @Option(help: "Counts of fewer people than this are not given away.")
  var minCell = 10

  @Option(
    parsing: .upToNextOption,
    help: """
      Tables that were given away earlier, of mostly the same people: what can be found by \
      subtracting them is left out as well. Name all of them.
      """, completion: .file(extensions: ["csv"]))
  var published: [String] = []

  @Option(
    help: "More rejected lines than this share, such as 1% or 0.01, end with exit code 4.",
    transform: Share.parse)
  var maxRejectRate = Share(0.01)

  @Option(help: "The file to write the table to; standard output if not given.")
  var out: String?

  mutating func validate() throws {
    if !(2...1_000_000).contains(minCell) {
      throw ValidationError("--min-cell must be from 2 to 1000000, found \(minCell)")
    }
  }

  func run() throws {
    let files = CommandFiles()
    guard let flow = try FlowFile.loadAll([flow]).first else { throw FactSchemaError.noFlow }
    try files.read(flows: [self.flow])
    if flow.counting == .attempts {
      throw CommandError(
        "the flow '\(flow.id)' counts attempts (count: attempts), and many of them may be one "
          + "person's: share gives away counts of people. Make the tallies with a flow that counts "
          + "persons")
    }
    let (written, tally) = try TallyFiles.sum(tallies, flow, files)
    let shared = try shared(tally, flow, files)
    let text = table(shared)
    if let out {
      let place = try files.write(out, as: "--out")
      try place.replace { file throws(any Error) in try file.write(Array(text.utf8)) }
    } else {
      Console.output(text)
    }
    reportHidden(shared)
    try TallyFiles.finish(written, maxRejectRate)
  }

  private func shared(
    _ tally: Tally, _ flow: Flow, _ files: CommandFiles
  ) throws -> ShareableCounts {
    let tables = try published.compactMap { path in
      try SharedTableFile.read(path, files).map { (path: path, table: $0) }
    }
    do {
      let shared = try ShareableCounts(
        tally, flow: flow, minimum: minCell, published: tables.map(\.table))
      let dimensions = Set(shared.rows.map(\.dimension)).subtracting([BreakdownKey.all.dimension])
      for (path, table) in tables {
        let missing = table.missing(of: dimensions.sorted())
        if missing.isEmpty { continue }
        let names = missing.map { "'\($0)'" }.listed
        Console.message(
          "'\(path)' has no rows of \(names): if it had some when it was given away, it is cut "
            + "off, and what they showed isn't taken into account")
      }
      return shared
    } catch {
      throw CommandError("the tables of --published don't fit the flow '\(flow.id)': \(error)")
    }
  }

  private func table(_ shared: ShareableCounts) -> String {
    var text = CSVText.line(["dimension", "value", "people"] + shared.categories)
    for row in shared.rows {
      let counts = row.counts?.map(String.init) ?? shared.categories.map { _ in "" }
      text += CSVText.line([row.dimension, row.value, String(row.people)] + counts)
    }
    return text
  }

  private func reportHidden(_ shared: ShareableCounts) {
    if shared.rows.isEmpty {
      Console.message(
        "fewer than \(minCell) people\(published.isEmpty ? "" : " are new or changed"): nothing "
          + "can be shared")
      return
    }
    for dimension in shared.overlapping {
      Console.message("'\(dimension)' is left out: people have several of its values")
    }
    let shortened = shared.rows.count {
      $0.counts == nil && $0.value != ShareableCounts.hiddenValue
    }
    if shared.hiddenValues > 0 || shortened > 0 {
      Console.message(
        "of few people: \(CountText.of(shared.hiddenValues, "value")) without a row, "
          + "\(CountText.of(shortened, "row")) with people alone (--min-cell \(minCell))")
    }
  }
}
