import EventInput
import FirstMileStore
import FlowDefinition
import Timelines

/// A store that sources are taken into, for some flows.
struct IngestJob {
  let store: FactStore
  private let layout: StoredLayout
  private let threads: Int
  private let format: EventFormat.Name?
  private let redaction: Redaction

  /// - Parameters:
  ///   - flows: those of the store if empty.
  ///   - format: recognised from each file if not given.
  init(
    options: StoreOptions, flows: [Flow], threads: Int, format: EventFormat.Name? = nil
  ) throws {
    // Nothing is made for somebody who forgot to name a flow.
    if flows.isEmpty { _ = try Self.flows(of: options) }
    store = try FactStore(path: options.store, access: .create, waiting: options.waiting)
    let flows = flows.isEmpty ? try store.flows() : flows
    // The store serves all its flows, each as it was named last: what any of them drops is dropped.
    let given = Set(flows.map(\.id))
    let served = try store.flows().filter { !given.contains($0.id) } + flows
    try FactSchema.checkRedactions(of: served)
    // Each flow by itself: those of a store need not be readable in one run.
    redaction = Redaction(
      RedactedPaths(served.flatMap(\.redactedPaths)),
      needing: try served.flatMap { try FactSchema(flows: [$0]).plan.redaction.neededFields })
    // What earlier flows asked for is kept on.
    layout = try store.layouts().reduce(StoredLayout(try FactSchema(flows: flows))) {
      $0.united(with: $1)
    }.without(redaction)
    try store.note(flows)
    self.threads = threads
    self.format = format
  }

  /// The flows that a store was filled for; at least one.
  static func flows(of options: StoreOptions) throws -> [Flow] {
    let store = try FactStore(path: options.store, access: .read, waiting: options.waiting)
    defer { try? store.close() }
    let flows = try store.flows()
    if flows.isEmpty { throw FactSchemaError.noFlow }
    return flows
  }

  /// Takes sources in; those reported as done stay in the store whatever happens then.
  func run(
    _ sources: [InputSource], again: Bool,
    shouldStop: @escaping @Sendable () -> Bool = { false },
    tell: @escaping @Sendable (InputSource, SourceIngest.Outcome) -> Void = { _, _ in }
  ) async throws -> [SourceIngest.Outcome] {
    var ingest = SourceIngest(store: store, layout: layout)
    ingest.threads = threads
    ingest.readsAgain = again
    ingest.shouldStop = shouldStop
    ingest.tell = tell
    ingest.format = format
    ingest.redaction = redaction
    ingest.programVersion = FirstMile.version
    return try await ingest.run(sources)
  }
}
