import ArgumentParser
import EventInput
import EventStore
import FlowDefinition
import FunnelReport

/// What is in a store.
struct StoreInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Tell what is in a store: sources, facts, sizes.")

  @Argument(help: "The store.")
  var store: String

  @Flag(help: "Also list every source.")
  var sources = false

  func run() throws {
    let snapshot = try StoreSnapshot(path: store)
    let figures = try snapshot.figures()
    let flows = try snapshot.store.flows()
    var lines = [
      "store       \(store), \(figures.bytes) bytes, schema version \(figures.schemaVersion)",
      "flows       \(flows.map { "\($0.id) (\($0.fingerprint))" }.joined(separator: ", "))",
      "sources     \(snapshot.sources.count), \(CountText.of(figures.lines, "line")), "
        + "\(CountText.of(figures.rejects, "reject"))",
      """
      facts       \(figures.facts) with repetitions, \(figures.segmentBytes) bytes in \
      \(figures.segments) segments, \(figures.packs) packs
      """,
    ]
    if let span = figures.milliseconds {
      lines.append(
        """
        time        \(Moment.text(span.lowerBound)) to \
        \(Moment.text(span.upperBound))
        """)
    }
    lines.append("reports     \(figures.reports) in the history")
    if figures.tombstones > 0 { lines.append("forgotten   \(figures.tombstones) ids") }
    if figures.packs > 16 {
      lines.append("            `firstmile store compact \(store)` would make reports faster")
    }
    if sources {
      lines.append("")
      for source in snapshot.sources {
        let summary = source.summary
        lines.append(
          """
          \(source.id)  \(summary.name)  \(CountText.of(summary.lines, "line")), \
          \(CountText.of(source.facts, "fact")), \
          \(CountText.of(summary.rejects, "reject"))\(summary.damages.isEmpty ? "" : ", damaged")\
          \(source.replacedBy.map { ", replaced by \($0)" } ?? "")
          """)
      }
    }
    Console.output(lines.joined(separator: "\n") + "\n")
  }
}
