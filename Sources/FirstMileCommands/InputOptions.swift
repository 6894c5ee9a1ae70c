public import ArgumentParser
public import EventInput
import FlowDefinition
import Foundation
import FunnelEngine

/// Options shared by the commands that read dumps.
struct InputOptions: ParsableArguments {
  @Argument(
    help: """
      Dumps: NDJSON files, plain or compressed (gzip, zstd, zip), directories, globs, - for \
      standard input, s3://BUCKET/FOLDER/ or https://HOST/FILE.
      """)
  var inputs: [String] = []

  @OptionGroup var remote: RemoteOptions

  @Option(help: "Take the facts from this store instead of dumps.", completion: .file())
  var store: String?

  @Flag(help: "Take what the store did not keep as missing, rather than stop.")
  var missingAsNone = false

  @Option(
    name: .customLong("flow"), parsing: .singleValue,
    help: """
      A built-in flow (\(FlowFile.builtInNames.joined(separator: ", "))) or a flow file; may be \
      given several times, the dump is then read once.
      """,
    completion: .flows)
  var flows: [String] = []

  @Option(
    help: """
      How the dumps are written: \
      \(EventFormat.Name.allCases.map(\.rawValue).joined(separator: ", ")). \
      Told from each file's first lines if not given.
      """)
  var format: EventFormat.Name?

  @Option(help: "Take the data up to this date (its end) or instant as complete.")
  var asOf: String?

  @Option(name: .customLong("from"), help: "Only people who began at or after this.")
  var from: String?

  @Option(name: .customLong("to"), help: "Only people who began before this; not on this date.")
  var to: String?

  @Option(
    help: """
      Look at facts from this date or instant on, as if the data began there: earlier ones make \
      nobody an existing user.
      """)
  var historyFrom: String?

  @Option(
    name: .customLong("threads"), help: "How many threads to use; all processors if not given.")
  var threadLimit: Int?

  @Option(help: "A file of 16 bytes that ids are hashed with.")
  var keyFile: String?

  @Option(
    help: """
      How much memory to take, such as 512M or 2G (K, M and G are of 1024; some 80M are taken in \
      any case); facts beyond it go to a private folder in TMPDIR. A quarter of the machine's \
      memory if not given.
      """, transform: MemorySize.parse)
  var memoryLimit: MemorySize?

  @Flag(help: "Take no defaults from firstmile.yaml in the working directory.")
  var noProjectFile = false

  /// What `firstmile.yaml` says that the command line doesn't, for options of single commands.
  private(set) var project = ProjectFile()
  /// Whether files that are passed over are named; a command that reads twice names them once.
  var namesPassedOver = true

  enum CodingKeys: CodingKey {
    case inputs, remote, store, missingAsNone, flows, format, asOf, from, to, historyFrom
    case threadLimit, keyFile, memoryLimit, noProjectFile
  }

  var threads: Int { threadLimit ?? ProcessInfo.processInfo.activeProcessorCount }

  mutating func validate() throws {
    if !noProjectFile { try takeDefaults() }
    if inputs.isEmpty && store == nil {
      throw ValidationError("no input: name a file, a directory, - or a --store")
    }
    if !inputs.isEmpty && store != nil {
      throw ValidationError(
        "dumps or a --store, not both: `firstmile ingest` adds dumps to a store")
    }
    if store != nil && format != nil {
      throw ValidationError("--format is for reading dumps: give it to `firstmile ingest`")
    }
    if store != nil && keyFile != nil {
      throw ValidationError("a store has a key of its own; leave --key-file out")
    }
    if flows.isEmpty && store == nil {
      throw ValidationError(
        "no flow: name one with --flow (\(FlowFile.builtInNames.joined(separator: ", ")))")
    }
    if threads < 1 { throw ValidationError("--threads must be at least 1, found \(threads)") }
  }

  /// Takes from the project file what isn't given. Who names a store gets that store's own flows.
  private mutating func takeDefaults() throws {
    guard let file = try WorkingDirectory.project() else { return }
    let namesStore = store != nil
    let namesNothing = inputs.isEmpty && !namesStore
    if namesNothing {
      inputs = file.inputs
      store = file.store
      format = format ?? file.format.flatMap { EventFormat.Name(rawValue: $0) }
      try remote.take(file)
      project.inputs = file.inputs
      project.store = file.store
    }
    if flows.isEmpty && !namesStore {
      flows = file.flows
      project.flows = file.flows
    }
    threadLimit = threadLimit ?? file.threads
    memoryLimit = memoryLimit ?? file.memoryLimit.flatMap { MemorySize(argument: $0) }
    // The report of another flow doesn't go where the project's is.
    if !project.flows.isEmpty || file.flows.isEmpty {
      project.out = file.out
      project.rejects = file.rejects
    }
  }

  func loadFlows() throws -> [Flow] {
    // Before a flow file that is not there, so that it is clear who named it.
    WorkingDirectory.tell(project, out: nil)
    if flows.isEmpty, let store { return try StoreInput.flows(of: store) }
    return try FlowFile.loadAll(flows)
  }

  /// - Throws: `CommandError` where several are named, and where a store serves several and none
  ///   is named.
  func loadFlow() throws -> Flow {
    let flows = try loadFlows()
    guard let flow = flows.first, flows.count == 1 else {
      let names = flows.map(\.id).joined(separator: ", ")
      throw CommandError(
        self.flows.isEmpty
          ? "the store serves \(names); choose one with --flow"
          : "one flow is asked about here, found \(names); name one with --flow")
    }
    return flow
  }

  func loadKey() throws -> IdentifierKey {
    guard let keyFile else { return .fixed }
    guard let data = FileManager.default.contents(atPath: keyFile) else {
      throw CommandError("key file '\(keyFile)' can't be read")
    }
    guard data.count == 16 else {
      throw CommandError("key file '\(keyFile)' has \(data.count) bytes; 16 are needed")
    }
    return IdentifierKey(bytes: Array(data))
  }

  /// The moments that the options name, in the flow's time zone; `to` is the first that is left
  /// out.
  ///
  /// - Throws: `CommandError` with what was found and what is allowed.
  func dates(
    in flow: Flow
  ) throws -> (asOf: Int64?, from: Int64?, to: Int64?, historyFrom: Int64?) {
    let calendar = CivilCalendar(timeZone: flow.timeZone)
    func moment(_ text: String?, _ option: String, _ edge: Moment.Edge) throws -> Int64? {
      try text.map { try Moment.parse($0, option: option, edge: edge, calendar: calendar) }
    }
    let start = try moment(from, "--from", .start)
    let history = try moment(historyFrom, "--history-from", .start)
    if let start, let history, history > start {
      throw CommandError(
        "--history-from must not lie after --from, found --history-from \(historyFrom ?? "") "
          + "--from \(from ?? ""): those who began in between would be in no number")
    }
    let end = try moment(to, "--to", .start)
    if let start, let end, start >= end {
      throw CommandError(
        "--from must lie before --to, found --from \(from ?? "") --to \(to ?? ""): nobody can "
          + "begin in between; for those of a single day give --to the day after it")
    }
    return (try moment(asOf, "--as-of", .end), start, end, history)
  }

  /// The options that change numbers, in words.
  var numberOptions: [String: String] {
    var options: [String: String] = [:]
    options["as_of"] = asOf
    options["from"] = from
    options["to"] = to
    options["history_from"] = historyFrom
    options["format"] = format?.rawValue
    return options
  }
}

extension InputOptions {
  /// For commands that read only from a store.
  struct OfStore: ParsableArguments {
    @Option(help: "The store.")
    var store: String

    @Option(
      name: .customLong("flow"), help: "The flow; the store's own if not given.",
      completion: .flows)
    var flow: String?

    @Option(help: "Take the data up to this date (its end) or instant as complete.")
    var asOf: String?

    @Option(name: .customLong("from"), help: "Only people who began at or after this.")
    var from: String?

    @Option(name: .customLong("to"), help: "Only people who began before this; not on this date.")
    var to: String?

    @Option(help: "Look at facts from this date or instant on, as if the data began there.")
    var historyFrom: String?

    func options() throws -> InputOptions {
      // Joined, because a value may begin with a dash.
      var arguments = ["--store=\(store)"]
      let named = [
        ("flow", flow), ("as-of", asOf), ("from", from), ("to", to), ("history-from", historyFrom),
      ]
      for (name, value) in named {
        if let value { arguments.append("--\(name)=\(value)") }
      }
      return try InputOptions.parse(arguments)
    }
  }
}

/// A mistake that the person at the terminal can mend; ends with exit code 2.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  /// - Parameter description: one line; line feeds of names in it are shown escaped.
  init(_ description: String) { self.description = InputPath.shown(description) }

  /// - Parameter lines: a message of several lines, with no name in it that isn't escaped.
  init(lines: String) { description = lines }
}

extension EventFormat.Name: ExpressibleByArgument {}
