import ArgumentParser
import EventInput
import FirstMileStore
import FlowDefinition
import Foundation
import ReportText
import Synchronization
import Timelines

/// Dumps into a store.
struct IngestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest",
    abstract: "Add event dumps to a store; what is in already is passed over.",
    discussion: """
      Each file is one transaction: after a kill it is in wholly or not at all, and the same \
      command again completes the work. Reports then come from the store.

      firstmile ingest dumps/ --store onboarding.sqlite --flow aiq
      firstmile report --store onboarding.sqlite
      """)

  @Argument(
    help: """
      Dumps: files, directories, globs, - for standard input, s3://BUCKET/FOLDER/ or \
      https://HOST/FILE.
      """)
  var inputs: [String] = []

  @OptionGroup var remote: RemoteOptions

  @OptionGroup var kept: IngestOptions

  @Flag(
    help: """
      Read files that are in already once more: their facts take the place of what the files gave \
      before.
      """)
  var again = false

  @Option(
    help: "More rejected lines than this share, such as 1% or 0.01, end with exit code 4.",
    transform: Share.parse)
  var maxRejectRate = Share(0.01)

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  mutating func validate() throws {
    var dumps = inputs
    try kept.takeDefaults(inputs: &dumps)
    inputs = dumps
    if !kept.project.inputs.isEmpty, let file = try WorkingDirectory.project() {
      try remote.take(file)
    }
    if inputs.isEmpty { throw ValidationError("no input: name a file, a directory, or -") }
  }

  func run() async throws {
    let store = try kept.place()
    let files = CommandFiles()
    try files.use(store: store.store, isOutput: true)
    try files.read(flows: kept.flows)
    let flows = try kept.loadFlows(for: store.store)
    // Those of a store need not be readable in one run; any of them will do to tell what is a dump.
    let reading =
      flows.isEmpty && kept.format != nil ? Array(try IngestJob.flows(of: store).prefix(1)) : flows
    let (sources, problems, passedOver) = InputExpansion.expand(
      inputs, plan: try FactSchema.recognition(flows: reading, format: kept.format),
      access: remote.access())
    try files.read(sources)
    Console.tell(passedOver: passedOver)
    // A misspelt name makes no store, and gives none that is there another flow.
    if sources.isEmpty && !problems.isEmpty { return try finish([], problems, rejectsPath: "") }
    let job = try IngestJob(
      options: store, flows: flows, threads: kept.threads, format: kept.format)
    let outcomes = try await take(sources, job)
    try Console.tellGone(outcomes, of: job.store)
    try job.store.close()
    try finish(outcomes, problems, rejectsPath: job.store.rejectsPath)
  }

  /// A signal ends it at once, as a kill would: the source at hand is not in, those before it are.
  private func take(
    _ sources: [InputSource], _ job: IngestJob
  ) async throws -> [SourceIngest.Outcome] {
    let finished = Finished()
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say {
      "interrupted; the store holds the \(finished.count) of \(sources.count) sources finished so "
        + "far; run the same command again to go on"
    }
    return try await job.run(sources, again: again, tell: { _, outcome in finished.note(outcome) })
  }

  /// How many sources the store has by now, for the thread that minds signals.
  private final class Finished: Sendable {
    private let sources = Atomic<Int>(0)

    var count: Int { sources.load(ordering: .relaxed) }

    func note(_ outcome: SourceIngest.Outcome) {
      if case .unreadable = outcome { return }
      sources.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// What became of earlier contents of a file that was read again.
  private func tell(_ source: StoredSource, _ earlier: FactStore.EarlierContents) {
    func named(_ numbers: some Collection<Int64>) -> String {
      "\(numbers.count == 1 ? "source" : "sources") "
        + numbers.map(String.init).joined(separator: ", ")
    }
    if !earlier.replaced.isEmpty {
      let facts = earlier.replaced.reduce(0) { $0 + $1.facts }
      Console.message(
        "'\(source.summary.name)' takes the place of what it was before "
          + "(\(named(earlier.replaced.map(\.id))), \(CountText.of(facts, "fact")))"
          + missing(earlier))
    }
    if let alike = earlier.alike.first {
      Console.message(
        "'\(source.summary.name)' was not in by this path, and has what '\(alike.summary.name)' "
          + "(\(named(earlier.alike.map(\.id)))) gave: both count. If it is to take its place, "
          + "`firstmile store drop STORE "
          + "\(earlier.alike.map { String($0.id) }.joined(separator: " "))` takes that out")
    }
    if !earlier.kept.isEmpty {
      let numbers = earlier.kept.suffix(5).map(String.init).joined(separator: " ")
      Console.message(
        "'\(source.summary.name)' has little of what it was before, or other days "
          + "(\(named(earlier.kept.suffix(5))) of the store): both count. If that is no longer "
          + "true, `firstmile store drop STORE \(numbers)` takes it out")
    }
  }

  /// What of the replaced contents the new one doesn't have.
  private func missing(_ earlier: FactStore.EarlierContents) -> String {
    if earlier.missingFacts == 0 { return "" }
    let count = CountText.of(earlier.missingFacts, "fact")
    let isOne = earlier.missingFacts == 1
    return "; \(earlier.isMissingExact ? "" : "about ")\(count) of that \(isOne ? "is" : "are") "
      + "not in it, by person and time. If \(isOne ? "it is" : "they are") to count, "
      + "`firstmile ingest --again` a copy of the earlier file under another name"
  }

  private func finish(
    _ outcomes: [SourceIngest.Outcome], _ problems: [InputProblem], rejectsPath: String
  ) throws {
    var problems = problems
    var (taken, passed) = ([StoredSource](), 0)
    for outcome in outcomes {
      switch outcome {
      case .takenIn(let source, let earlier), .readAgain(let source, let earlier):
        taken.append(source)
        tell(source, earlier)
        Console.tellForgotten(source)
      case .passedOver: passed += 1
      case .unreadable(let problem): problems.append(problem)
      }
    }
    let lines = taken.reduce(0) { $0 + $1.summary.lines }
    let rejects = taken.reduce(0) { $0 + $1.summary.rejects }
    if !quiet {
      let facts = taken.reduce(0) { $0 + $1.facts }
      Console.message(
        "\(CountText.of(taken.count, "file")) taken in "
          + "(\(CountText.of(lines, "line")), \(CountText.of(facts, "fact"))), "
          + "\(NumberText.grouped(passed)) passed over"
      )
    }
    Console.tellProblems(of: taken.map(\.summary))
    Console.tell(problems: problems)
    if rejects > 0 {
      Console.message(
        "\(NumberText.grouped(rejects)) of \(NumberText.grouped(lines)) lines could not be used; "
          + "they are in \(rejectsPath)")
    }
    if !problems.isEmpty { throw ExitStatus.usage }
    if taken.contains(where: { !$0.summary.damages.isEmpty }) { throw ExitStatus.dataQuality }
    let faults = taken.reduce(0) { $0 + $1.summary.faults }
    if Double(faults) > maxRejectRate.fraction * Double(lines) {
      Console.message(
        "more than the accepted share of lines are rejects (--max-reject-rate \(maxRejectRate))")
      throw ExitStatus.dataQuality
    }
  }
}
