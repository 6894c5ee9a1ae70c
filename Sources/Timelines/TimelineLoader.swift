public import EventInput
import WorkerThreads

/// Inputs → timelines: sources are scanned by some workers at a time, then united.
public struct TimelineLoader: Sendable {
  /// Which values of an event make up a fact.
  public let schema: FactSchema
  /// What ids are hashed with.
  public let key: IdentifierKey
  /// How many threads read and gather, at least 1.
  public let threads: Int
  /// Facts later than this are set aside before anything else looks at them.
  public let latestMilliseconds: Int64
  /// A device whose owners are wanted; they come back in `Timelines.watchedPersons`.
  public var watchedDevices: Set<IdentifierHash> = []
  /// How much memory may be taken; as much as it takes if not given.
  public var memoryLimit: MemoryLimit?
  /// Receives how far reading is.
  public var progress: ReadProgress?

  /// A reader of all sources of a run.
  ///
  /// - Parameters:
  ///   - key: what ids are hashed with; by default a key that everybody knows.
  ///   - latestMilliseconds: facts later than this are set aside, as `--as-of` asks for.
  public init(
    schema: FactSchema, key: IdentifierKey = .fixed, threads: Int,
    latestMilliseconds: Int64 = .max
  ) {
    self.schema = schema
    self.key = key
    self.threads = max(1, threads)
    self.latestMilliseconds = latestMilliseconds
  }

  /// What a worker returns.
  private struct Share: Sendable {
    var collector: FactCollector
    var names: [NameTable]
    var summaries: [(source: Int, summary: SourceSummary)]
  }

  /// Reads all sources.
  ///
  /// - Returns: the timelines, and a summary of each source in the order given.
  /// - Throws: what the rejects file throws, and `SpillError` where facts beyond the memory limit
  ///   can't be spilled; an unreadable source is reported in its summary.
  public func read(
    _ sources: [InputSource], rejects: RejectWriter?
  ) async throws -> (timelines: Timelines, summaries: [SourceSummary]) {
    let setsAside = latestMilliseconds < .max
    let reading = setsAside ? schema.keepingMoreNames : schema
    let next = WorkQueue()
    // The largest first, so that a worker that is done early waits for little.
    let order = InputSource.largestFirst(sources)
    InputSource.expect(order.map { sources[$0] })
    defer { InputSource.expectNone(of: sources) }
    let workers = max(1, min(threads, sources.count))
    let budget = memoryLimit.map { FactBudget($0, workers: workers) }
    let shares = try await withThrowingTaskGroup(of: (Int, Share).self) { group in
      for worker in 0..<workers {
        group.addTask { @concurrent in
          let collector = FactCollector(
            schema: reading, latestMilliseconds: latestMilliseconds, budget: budget, worker: worker)
          return (worker, try scan(sources, reading, order, next, rejects, collector))
        }
      }
      // The order of workers: spilled facts name theirs.
      return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
    var builder = TimelineBuilder(
      schema: reading, collectors: shares.map(\.collector), names: shares.map(\.names),
      links: [], watchedDevices: watchedDevices, budget: budget)
    let timelines = try await builder.build(threads: threads)
    let summaries = shares.flatMap(\.summaries).sorted { $0.source < $1.source }
    return (
      setsAside ? timelines.narrowed(to: schema, keepsUnused: false) : timelines,
      summaries.map(\.summary)
    )
  }

  private func scan(
    _ sources: [InputSource], _ schema: FactSchema, _ order: [Int], _ next: WorkQueue,
    _ rejects: RejectWriter?, _ collector: FactCollector
  ) throws -> Share {
    let scanner = SourceScanner(plan: schema.plan, key: key)
    scanner.progress = progress
    var summaries: [(Int, SourceSummary)] = []
    while let piece = next.take(below: sources.count) {
      let source = order[piece]
      // With fewer sources than threads, one thread inflates while another scans.
      let summary = try scanner.scan(
        sources[source], rejects: rejects, overlap: sources.count < threads
      ) { try collector.add($0) }
      summaries.append((source, summary))
    }
    return Share(collector: collector, names: scanner.tables, summaries: summaries)
  }
}
