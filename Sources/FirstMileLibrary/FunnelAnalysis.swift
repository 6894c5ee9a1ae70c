import EventInput
import FirstMileStore
public import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
public import OnboardingEvents
import Timelines

/// Counts one onboarding flow: events in, a ``FunnelResult`` out.
///
///     let flow = try Flow(named: "aiq")
///     let result = try await FunnelAnalysis(flow: flow).run(files: ["dumps/"])
///     print(result.completion.rate ?? 0)
///
/// The numbers are those of `firstmile report` on the same events. `FirstMile` stands rightmost
/// among the libraries: it puts them together and computes nothing.
public struct FunnelAnalysis: Sendable {
  /// How people are grouped by the time at which they began.
  public enum Cohorts: String, Sendable, Hashable, CaseIterable {
    /// By the date of the start, in the flow's time zone.
    case day
    /// By the ISO week of the start, from Monday.
    case week
    /// By the calendar month of the start.
    case month
  }

  /// What is counted: its steps, goals, experiments and windows.
  public var flow: Flow
  /// Up to when the data are complete; found from the data if not given. People whose time is not
  /// over by then are in no rate.
  public var completeUntil: EventTime?
  /// Only people who began at or after this.
  public var from: EventTime?
  /// Only people who began before this.
  public var to: EventTime?
  /// How long the cohorts of trends and retention are.
  public var cohorts = Cohorts.week
  /// How many threads are used at most.
  public var threads = ProcessInfo.processInfo.activeProcessorCount
  /// How much memory the process may take before facts are spilled to a private folder in TMPDIR,
  /// in bytes; a quarter of the machine's memory, at least 256 MB, if not set.
  public var memoryLimitBytes = max(
    Int(clamping: ProcessInfo.processInfo.physicalMemory / 4), 256 << 20)

  /// An analysis with the defaults of `firstmile report`.
  public init(flow: Flow) { self.flow = flow }

  /// Counts dumps.
  ///
  /// - Parameter files: files, folders, patterns, `s3://BUCKET/FOLDER/` or `https://HOST/FILE`, in
  ///   any of the formats that `firstmile report` reads, compressed or not.
  /// - Throws: ``FunnelAnalysisError``, among others `unreadable` where any of them can't be read.
  ///   Lines that can't be used are no error: see ``FunnelResult/input``.
  public func run(files: [String]) async throws(FunnelAnalysisError) -> FunnelResult {
    try check()
    let access = RemoteAccess(environment: ProcessInfo.processInfo.environment)
    let found = try wrapped {
      InputExpansion.expand(
        files, plan: try FactSchema.recognition(flows: [flow], format: nil), access: access)
    }
    if !found.problems.isEmpty { throw .unreadable(found.problems.map(\.description)) }
    return try await run(found.sources)
  }

  /// Counts events in memory; nothing is written anywhere but facts beyond the memory limit.
  ///
  /// The order does not matter, and repeated messages count once. All events are kept as text,
  /// some 200 bytes each, until they are counted.
  ///
  /// - Throws: ``FunnelAnalysisError``, among others `invalidEvent` with its position.
  public func run(
    events: some Sequence<OnboardingEvent>
  ) async throws(FunnelAnalysisError) -> FunnelResult {
    try check()
    var lines = EventLines()
    for event in events { try lines.append(event) }
    lines.finish()
    return try await run(lines.sources)
  }

  /// Counts events as they come, once the last one is there.
  ///
  /// - Throws: ``FunnelAnalysisError``, and what the sequence throws.
  public func run<Events: AsyncSequence>(
    events: Events
  ) async throws -> FunnelResult where Events.Element == OnboardingEvent {
    try check()
    var lines = EventLines()
    for try await event in events { try lines.append(event) }
    lines.finish()
    return try await run(lines.sources)
  }

  /// Counts the lines of a dump that is in memory: what a file with these bytes would give.
  ///
  /// - Parameter dump: NDJSON in any of the formats, compressed or not.
  /// - Throws: ``FunnelAnalysisError``
  public func run(dump: [UInt8]) async throws(FunnelAnalysisError) -> FunnelResult {
    try check()
    return try await run([
      InputSource(kind: .memory(InMemoryBytes(name: "memory-1", content: dump)))
    ])
  }

  /// Counts what `firstmile ingest` put into a store.
  ///
  /// - Parameter path: of the store.
  /// - Throws: ``FunnelAnalysisError``, among others `storeNeedsReading`.
  public func run(store path: String) async throws(FunnelAnalysisError) -> FunnelResult {
    try check()
    return try await wrapped {
      let spillFolder = SpillFolder()
      defer { spillFolder.remove() }
      let snapshot = try StoreSnapshot(path: path)
      let schema = try FactSchema(flows: [flow])
      let needs = try snapshot.needs(schema, flows: [flow])
      if !needs.isEmpty { throw FunnelAnalysisError.storeNeedsReading(needs.map(\.description)) }
      var question = StoreSnapshot.Question(schema: schema)
      question.threads = max(1, threads)
      question.latestMilliseconds = completeUntil?.milliseconds ?? .max
      question.memoryLimit = MemoryLimit(bytes: memoryLimitBytes, folder: spillFolder)
      return try await result(
        InputReading(
          timelines: try await snapshot.timelines(question),
          summaries: snapshot.summaries(schema.identity)),
        key: snapshot.store.key)
    }
  }
}

extension FunnelAnalysis {
  private func check() throws(FunnelAnalysisError) {
    if let mistake = FlowMistake.of(flow) { throw .invalidFlow(mistake) }
    if let from, let to, from >= to {
      throw .failed("'from' must lie before 'to', found \(from) and \(to)")
    }
  }

  private func run(_ sources: [InputSource]) async throws(FunnelAnalysisError) -> FunnelResult {
    try await wrapped {
      let spillFolder = SpillFolder()
      defer { spillFolder.remove() }
      let sampling = PropertySampling(limit: InputReading.sampledEvents)
      let schema = try FactSchema(flows: [flow]).sampling(sampling)
      var reader = TimelineLoader(
        schema: schema, threads: threads,
        latestMilliseconds: completeUntil?.milliseconds ?? .max)
      reader.memoryLimit = MemoryLimit(bytes: memoryLimitBytes, folder: spillFolder)
      let (timelines, summaries) = try await reader.read(sources, rejects: nil)
      let unreadable = summaries.compactMap(\.unreadable)
      if !unreadable.isEmpty {
        throw FunnelAnalysisError.unreadable(unreadable.map(\.description))
      }
      let found = sampling.findings(schema.plan)
      return try await result(
        InputReading(
          timelines: timelines, summaries: summaries,
          personalProperties: found.personal, crawlers: found.crawlers),
        key: reader.key)
    }
  }

  private var isPlainFunnel: Bool { flow.steps.isEmpty && !flow.funnels.isEmpty }

  /// - Parameter key: what the ids were hashed with.
  private func result(_ reading: InputReading, key: IdentifierKey) async throws -> FunnelResult {
    var evaluation = EvaluationOptions(
      asOf: completeUntil?.milliseconds, span: reading.timelines.span,
      fromMilliseconds: from?.milliseconds, toMilliseconds: to?.milliseconds,
      cohorts: cohortUnit)
    evaluation.leaveOut(flow, of: reading.timelines, key: key)
    let tally = try await FlowEvaluator.tally(
      reading.timelines, flow: flow, options: evaluation, threads: max(1, threads))
    var studies: [FunnelStudy] = []
    for funnel in flow.funnels.indices where isPlainFunnel {
      let study = try await FunnelStudy.study(
        reading.timelines, flow: flow, funnel: funnel, options: evaluation, tool: .firstmile,
        threads: max(1, threads))
      if let study { studies.append(study) }
    }
    let provenance = try reading.provenance(
      evaluation, options: optionsInWords, maximumRejectRate: 0.01,
      lookBack: evaluation.lookBack(tally.quality, flow))
    return FunnelResult(
      report: Report(await Analysis.of(tally, flow, threads: threads), provenance: provenance),
      studies: studies)
  }

  private var cohortUnit: EvaluationOptions.CohortUnit {
    switch cohorts {
    case .day: .day
    case .week: .week
    case .month: .month
    }
  }

  private var optionsInWords: [String: String] {
    var options = ["cohorts": cohorts.rawValue]
    options["as_of"] = completeUntil?.description
    options["from"] = from?.description
    options["to"] = to?.description
    return options
  }

  /// Errors of the parts, in words.
  private func wrapped<Value>(
    _ work: () throws -> Value
  ) throws(FunnelAnalysisError) -> Value {
    do { return try work() } catch { throw FunnelAnalysis.wrapped(error) }
  }

  private func wrapped<Value>(
    _ work: () async throws -> Value
  ) async throws(FunnelAnalysisError) -> Value {
    do { return try await work() } catch { throw FunnelAnalysis.wrapped(error) }
  }

  private static func wrapped(_ error: any Error) -> FunnelAnalysisError {
    error as? FunnelAnalysisError ?? .failed("\(error)")
  }
}
