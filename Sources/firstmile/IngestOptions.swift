import ArgumentParser
import EventInput
import FlowDefinition
import Foundation

/// Options shared by the commands that take dumps into a store.
struct IngestOptions: ParsableArguments {
  @Option(
    name: .customLong("flow"), parsing: .singleValue,
    help: "The flows to keep facts for; those of the store if not given.")
  var flows: [String] = []

  @Option(help: "How the dumps are written; told from each file's first lines if not given.")
  var format: EventFormat.Name?

  /// - Parameter store: where the facts go; only one that is there knows its flows.
  /// - Throws: `CommandError` where nothing says what to keep.
  func loadFlows(for store: String) throws -> [Flow] {
    if flows.isEmpty && !FileManager.default.fileExists(atPath: store) {
      throw CommandError(
        "there is no store '\(store)' yet, and a new one has to know what to keep: name a flow "
          + "with --flow (\(FlowFile.builtInNames.joined(separator: ", ")), or a flow file)")
    }
    return try FlowFile.loadAll(flows)
  }
}
