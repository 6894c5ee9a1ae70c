import FirstMile
import FlowDefinition
import FunnelEngine
import Timelines

/// Tallies in files.
enum TallyFiles {
  /// The sum of all tallies of a run.
  ///
  /// - Parameter arguments: files, or folders with their `*.tally`.
  static func sum(
    _ arguments: [String], _ flow: Flow, _ files: CommandFiles
  ) throws -> (written: WrittenTally, tally: Tally) {
    var tallies: [(path: String, tally: WrittenTally)] = []
    for path in try SegmentFiles.expand(arguments, ending: WrittenTally.ending) {
      try files.read(path, as: "an input")
      tallies.append(
        (path, try SealedDocument.read(path, kind: WrittenTally.kind, as: WrittenTally.self)))
    }
    return try WrittenTally.sum(tallies, flow: flow)
  }
}
