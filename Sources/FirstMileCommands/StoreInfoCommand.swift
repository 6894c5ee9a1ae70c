import ArgumentParser
import EventInput
import FirstMileStore
import FlowDefinition
import FunnelEngine
import ReportText
import Timelines

/// What is in a store.
struct StoreInfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Tell what is in a store: sources, facts, sizes, times.",
    discussion: """
      The horizon is the moment up to which a report takes the data as complete; facts of clocks \
      that are years off do not move it. To tell it all facts are read.
      """)

  @Argument(help: "The store.")
  var store: String

  @Flag(help: "Also list every source.")
  var sources = false

  func run() async throws {
    try CommandFiles().use(store: store)
    let snapshot = try StoreSnapshot(path: store)
    let figures = try snapshot.figures()
    let flows = try snapshot.store.flows()
    var lines = [
      "store       \(store), \(CountText.of(figures.bytes, "byte")), schema version "
        + "\(figures.schemaVersion)",
      "flows       \(flows.map { "\($0.id) (\($0.fingerprint))" }.joined(separator: ", "))",
      "sources     \(NumberText.grouped(snapshot.sources.count)), "
        + "\(CountText.of(figures.lines, "line")), \(CountText.of(figures.rejects, "reject"))",
      """
      facts       \(NumberText.grouped(figures.facts)) with repetitions, \
      \(NumberText.grouped(figures.segmentBytes)) bytes in \
      \(NumberText.grouped(figures.segments)) segments, \(NumberText.grouped(figures.packs)) packs
      """,
    ]
    if let span = figures.milliseconds {
      lines.append(
        """
        time        first fact \(Moment.text(span.lowerBound)), last fact \
        \(Moment.text(span.upperBound)), as their clocks had it
        """)
    }
    for flow in flows {
      let name = flows.count == 1 ? "" : ", flow \(flow.id)"
      lines.append("horizon     \(try await horizon(flow))\(name)")
    }
    lines.append("reports     \(figures.reports) in the history")
    let forgotten = figures.forgotten
    if forgotten > 0 { lines.append("forgotten   \(CountText.of(forgotten, "id"))") }
    if figures.packs > 16 {
      lines.append("            `firstmile store compact \(store)` would make reports faster")
    }
    if sources {
      lines.append("")
      for source in snapshot.sources {
        let summary = source.summary
        let name = SafeText.name(summary.name, limit: 4096)
        lines.append(
          """
          \(source.id)  \(name)  \(CountText.of(summary.lines, "line")), \
          \(CountText.of(source.facts, "fact")), \
          \(CountText.of(summary.rejects, "reject"))\(summary.damages.isEmpty ? "" : ", damaged")\
          \(source.replacedBy.map { $0 == source.id ? ", dropped" : ", replaced by \($0)" } ?? "")
          """)
      }
    }
    let text = lines.joined(separator: "\n") + "\n"
    Console.output(HiddenScalars.escaped(text, keepsLines: true))
  }

  /// As a report on everything that is in would compute it.
  private func horizon(_ flow: Flow) async throws -> String {
    let options = try InputOptions.parse(["--store", store, "--missing-as-none"])
    let job = AnalysisRun(flows: [flow], options: options, cohorts: .week, maximumRejectRate: 1)
    defer { job.finish() }
    do {
      let timelines = try await job.read().timelines
      guard let span = timelines.span else { return "none: there are no facts" }
      var text =
        "\(Moment.text(span.horizonMilliseconds)), up to which reports take the data as complete"
      if span.misdatedPersonDays > 0 {
        text += "; \(CountText.of(span.misdatedPersonDays, "person-day")) misdated, outside of "
        text += "\(Moment.text(span.datedMilliseconds.lowerBound)) to "
        text += Moment.text(span.datedMilliseconds.upperBound)
      }
      return text
    } catch let error as CommandError {
      return "unknown: \(error)"
    }
  }
}
