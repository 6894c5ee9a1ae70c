import ArgumentParser
import EventInput
import FlowDefinition

/// Options shared by the commands that take dumps into a store.
struct IngestOptions: ParsableArguments {
  @Option(
    name: .customLong("flow"), parsing: .singleValue,
    help: "The flows to keep facts for; those of the store if not given.")
  var flows: [String] = []

  @Option(help: "How the dumps are written; told from each file's first lines if not given.")
  var format: EventFormat.Name?

  func loadFlows() throws -> [Flow] { try FlowFile.loadAll(flows) }
}
