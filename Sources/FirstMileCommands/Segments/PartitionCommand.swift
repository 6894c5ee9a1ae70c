import ArgumentParser
import EventInput
import FlowDefinition
import Foundation
import ReportText
import Synchronization
import Timelines
import WorkerThreads

/// Dumps into segments by partition: the first step of a run on several machines.
struct PartitionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "partition",
    abstract: "Divide the facts of event dumps by person, for a run on several machines.",
    discussion: """
      Each input is a task of its own and gives one file of segments. A task that runs again \
      writes the same file anew. docs/scaling.md shows the whole run.

      firstmile partition dumps/ --flow aiq --partitions 64 --out segments
      """)

  @Argument(
    help: """
      Dumps: files, directories, globs, - for standard input, s3://BUCKET/FOLDER/ or \
      https://HOST/FILE.
      """)
  var inputs: [String]

  @OptionGroup var remote: RemoteOptions

  @Option(
    name: .customLong("flow"), parsing: .singleValue,
    help: "The flows to keep facts for; may be given several times.", completion: .flows)
  var flows: [String]

  @Option(help: "Among how many partitions to divide people: the same for all inputs of a run.")
  var partitions: Int

  @Option(
    help: "The folder to write the files of segments to; - writes them to standard output.",
    completion: .directory)
  var out: String

  @Option(help: "The format of the dumps; recognised from each file's first lines if not given.")
  var format: EventFormat.Name?

  @Option(help: "A file of 16 bytes that ids are hashed with: the same for all inputs of a run.")
  var keyFile: String?

  @Option(
    name: .customLong("threads"), help: "How many threads to use; all processors if not given.")
  var threadLimit: Int?

  @Option(
    help: """
      One file for the lines that can't be used; if not given, a private folder beside --out has a \
      file for each input.
      """)
  var rejects: String?

  @Option(
    help: "More rejected lines than this share, such as 1% or 0.01, end with exit code 4.",
    transform: Share.parse)
  var maxRejectRate = Share(0.01)

  @OptionGroup var naming: DigestOptions

  @Flag(
    name: .customLong("list"),
    help: "Only print the inputs, an object of JSON a line with name and bytes.")
  var lists = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  mutating func validate() throws {
    if inputs.isEmpty { throw ValidationError("no input: name a file, a directory, or -") }
    if flows.isEmpty {
      throw ValidationError(
        "no flow: name one with --flow (\(FlowFile.builtInNames.joined(separator: ", ")))")
    }
    if !(1...PortableSegment.maximumPartitions).contains(partitions) {
      throw ValidationError(
        "--partitions must be from 1 to \(PortableSegment.maximumPartitions), found \(partitions)")
    }
    if threads < 1 { throw ValidationError("--threads must be at least 1, found \(threads)") }
  }

  private var threads: Int { threadLimit ?? ProcessInfo.processInfo.activeProcessorCount }

  func run() async throws {
    let files = CommandFiles()
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say { "interrupted; run the same command again" }
    try files.read(flows: flows)
    if let keyFile { try files.read(keyFile, as: "the key file") }
    let loaded = try FlowFile.loadAll(flows)
    let output = SegmentOutput(out: out, files: files)
    try output.prepare()
    let (sources, problems, passedOver) = InputExpansion.expand(
      inputs, plan: try FactSchema.recognition(flows: loaded, format: format),
      access: remote.access())
    try files.read(sources)
    Console.tell(passedOver: passedOver)
    if lists { return try list(sources, problems) }
    let task = try task(loaded)
    let rejects = try PartitionRejects.place(given: rejects, out: out, files)
    for problem in problems {
      try output.write(
        try task.segments(of: problem), name: SegmentTask.name(of: problem.name))
    }
    let summaries = try await read(sources, task, output, rejects)
    let kept = try rejects?.finish(sources)
    try finish(summaries, problems + summaries.compactMap(\.unreadable), rejectsPath: kept)
  }

  /// What schedulers need: inputs that can be given to tasks one by one.
  private func list(_ sources: [InputSource], _ problems: [InputProblem]) throws {
    struct Listed: Encodable {
      var name: String
      var bytes: Int
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for source in sources {
      let line = try encoder.encode(Listed(name: source.name, bytes: source.byteCount ?? 0))
      Console.output(String(decoding: line, as: UTF8.self) + "\n")
    }
    Console.tell(problems: problems)
    if !problems.isEmpty { throw ExitStatus.usage }
  }

  private func task(_ flows: [Flow]) throws -> SegmentTask {
    try FactSchema.checkRedactions(of: flows)
    let schema = try FactSchema(flows: flows)
    var key = InputOptions()
    key.keyFile = keyFile
    var task = SegmentTask(
      layout: StoredLayout(schema).without(schema.plan.redaction),
      partitionCount: partitions, key: try key.loadKey())
    task.format = format
    task.redaction = schema.plan.redaction
    task.identity = schema.identity
    task.digest = try naming.kind(store: nil)
    task.programVersion = FirstMile.version
    return task
  }

  /// Reads the inputs, some at a time; a stream has their segments in the order of the inputs.
  private func read(
    _ sources: [InputSource], _ task: SegmentTask, _ output: SegmentOutput,
    _ rejects: PartitionRejects?
  ) async throws -> [SourceSummary] {
    InputSource.expect(sources)
    defer { InputSource.expectNone(of: sources) }
    let threads = threads
    let writing = Mutex(0)
    return try await Parallel.map(
      count: sources.count, threads: output.isStream ? 1 : threads
    ) { (number) throws(any Error) in
      let source = sources[number]
      let name = SegmentTask.name(of: source.name)
      func divide(_ rejects: RejectWriter?) throws -> SourceSummary {
        let result = try task.run(source, rejects: rejects, overlap: sources.count < threads)
        try writing.withLock { written in
          try output.write(result.segments, name: name)
          written += 1
        }
        return result.summary
      }
      return try rejects.map { try $0.read(source, task: name, divide) } ?? divide(nil)
    }
  }

  private func finish(
    _ summaries: [SourceSummary], _ problems: [InputProblem], rejectsPath: String?
  ) throws {
    let lines = summaries.reduce(0) { $0 + $1.lines }
    let rejects = summaries.reduce(0) { $0 + $1.rejects }
    if !quiet {
      let events = summaries.reduce(0) { $0 + $1.events }
      Console.message(
        "\(CountText.of(summaries.count, "input")) divided among "
          + "\(CountText.of(partitions, "partition")) (\(CountText.of(lines, "line")), "
          + "\(CountText.of(events, "event")))")
    }
    Console.tellProblems(of: summaries)
    Console.tell(problems: problems)
    if rejects > 0 {
      Console.message(
        "\(NumberText.grouped(rejects)) of \(NumberText.grouped(lines)) lines could not be used"
          + (rejectsPath.map { "; they are in \($0)" } ?? "; --rejects FILE keeps them"))
    }
    if !problems.isEmpty { throw ExitStatus.usage }
    if summaries.contains(where: { !$0.damages.isEmpty }) { throw ExitStatus.dataQuality }
    let faults = summaries.reduce(0) { $0 + $1.faults }
    if Double(faults) > maxRejectRate.fraction * Double(lines) {
      Console.message(
        "more than the accepted share of lines are rejects (--max-reject-rate \(maxRejectRate))")
      throw ExitStatus.dataQuality
    }
  }
}
