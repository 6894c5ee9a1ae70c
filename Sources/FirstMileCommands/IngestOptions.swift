import ArgumentParser
import EventInput
import FlowDefinition
import Foundation

/// Options shared by the commands that take dumps into a store.
struct IngestOptions: ParsableArguments {
  @Option(help: "The store: a SQLite file; it is made if it is not there.")
  var store: String?

  @Option(help: "How many seconds to wait for another process that writes to the store.")
  var wait: Int = 600

  @Option(
    name: .customLong("flow"), parsing: .singleValue,
    help: "The flows to keep facts for; those of the store if not given.",
    completion: .flows)
  var flows: [String] = []

  @Option(help: "The format of the dumps; recognised from each file's first lines if not given.")
  var format: EventFormat.Name?

  @Option(
    name: .customLong("threads"), help: "How many threads to use; all processors if not given.")
  var threadLimit: Int?

  @Flag(help: "Take no defaults from firstmile.yaml in the working directory.")
  var noProjectFile = false

  /// What `firstmile.yaml` says that the command line doesn't.
  private(set) var project = ProjectFile()

  enum CodingKeys: CodingKey {
    case store, wait, flows, format, threadLimit, noProjectFile
  }

  var threads: Int { threadLimit ?? ProcessInfo.processInfo.activeProcessorCount }

  /// Takes from the project file what isn't given. A store that is named and exists has flows of
  /// its own.
  ///
  /// - Parameter inputs: the dumps, for commands that can take those of the file.
  mutating func takeDefaults(inputs: inout [String]) throws {
    if !noProjectFile, let file = try WorkingDirectory.project() {
      if inputs.isEmpty {
        inputs = file.inputs
        format = format ?? file.format.flatMap { EventFormat.Name(rawValue: $0) }
        project.inputs = file.inputs
      }
      let namesKnownStore = store.map { FileManager.default.fileExists(atPath: $0) } ?? false
      if flows.isEmpty && !namesKnownStore {
        flows = file.flows
        project.flows = file.flows
      }
      if store == nil {
        store = file.store
        project.store = file.store
      }
      threadLimit = threadLimit ?? file.threads
    }
    if store == nil { throw ValidationError("no store: name one with --store") }
    try StoreOptions.check(wait: wait)
    if threads < 1 { throw ValidationError("--threads must be at least 1, found \(threads)") }
  }

  /// The store that the facts go to.
  func place() throws -> StoreOptions {
    try StoreOptions.parse(["--store=\(store ?? "")", "--wait=\(wait)"])
  }

  /// - Parameter store: where the facts go; only one that is there knows its flows.
  /// - Throws: `CommandError` where nothing says what to keep.
  func loadFlows(for store: String) throws -> [Flow] {
    // Before a flow file that is not there, so that it is clear where its name comes from.
    WorkingDirectory.tell(project, out: nil)
    if flows.isEmpty && !FileManager.default.fileExists(atPath: store) {
      throw CommandError(
        "there is no store '\(store)' yet, and a new one has to know what to keep: name a flow "
          + "with --flow (\(FlowFile.builtInNames.joined(separator: ", ")), or a flow file)")
    }
    return try FlowFile.loadAll(flows)
  }
}
