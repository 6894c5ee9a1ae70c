package import EventInput
internal import Foundation
internal import GRDB
internal import Synchronization
package import Timelines
internal import WorkerThreads

/// Sources → store: some are read at a time, each is one transaction.
package struct SourceIngest: Sendable {
  /// What became of one source.
  package enum Outcome: Sendable {
    /// Its facts are in; `earlier` says what became of earlier contents of its path, where it was
    /// to take their place.
    case takenIn(StoredSource, earlier: FactStore.EarlierContents)
    /// Its facts were there already, by an earlier reading of the same bytes; they were put anew.
    case readAgain(StoredSource, earlier: FactStore.EarlierContents)
    /// This source has the same bytes and is in already.
    case passedOver(Int64)
    case unreadable(InputProblem)

    /// The earlier contents whose place it took.
    var replaced: [StoredSource] {
      switch self {
      case .takenIn(_, let earlier), .readAgain(_, let earlier): earlier.replaced
      case .passedOver, .unreadable: []
      }
    }
  }

  package let store: FactStore
  package let layout: StoredLayout
  package var threads = 1
  /// Reads sources that are in already once more.
  package var readsAgain = false
  package var programVersion = ""
  /// How all sources are written; recognised from each source if not given.
  package var format: EventFormat.Name?
  /// Values are dropped even where the layout has a column for them.
  package var redaction = Redaction.none
  /// Called after each source, from any thread.
  package var tell: @Sendable (InputSource, Outcome) -> Void = { _, _ in }

  /// Asked before each source; the rest is left for another time.
  package var shouldStop: @Sendable () -> Bool = { false }

  /// - Parameter layout: what is kept of each event.
  package init(store: FactStore, layout: StoredLayout) {
    self.store = store
    self.layout = layout
  }

  /// Takes sources in.
  ///
  /// - Returns: what became of each that was begun, in the order given.
  /// - Throws: `StoreError` where the store can't be written to; sources that were reported before
  ///   are in.
  package func run(_ sources: [InputSource]) async throws -> [Outcome] {
    let known = KnownSources(try store.sources())
    let forgotten = Mutex(try store.forgotten())
    let rejects = RejectsFolder(beside: store.path)
    let isStopped = Atomic<Bool>(false)
    let outcomes = Mutex<[Int: Outcome]>([:])
    let next = WorkQueue()
    let workers = max(1, min(threads, sources.count))
    InputSource.expect(sources.filter { readsAgain || !known.hasStamp(of: $0) })
    defer { InputSource.expectNone(of: sources) }
    // Sources that fail the store stop the others; those that can't be read don't.
    _ = try await Parallel.map(count: workers, threads: workers) { _ throws(any Error) in
      while !isStopped.load(ordering: .relaxed), !shouldStop(),
        let piece = next.take(below: sources.count)
      {
        do {
          let outcome = try take(
            sources[piece], known, overlap: sources.count < threads, forgotten,
            rejects)
          outcomes.withLock { $0[piece] = outcome }
          tell(sources[piece], outcome)
        } catch {
          isStopped.store(true, ordering: .relaxed)
          throw error
        }
      }
    }
    if !shouldStop() { store.mergeTiers(enough: PackTiers.enough) }
    return outcomes.withLock { all in sources.indices.compactMap { all[$0] } }
  }

  private func take(
    _ source: InputSource, _ known: KnownSources, overlap: Bool,
    _ forgotten: borrowing Mutex<FactStore.Forgotten>, _ rejects: RejectsFolder
  ) throws -> Outcome {
    if !readsAgain, let known = known.number(of: source) { return .passedOver(known) }
    let stamp = FileStamp.of(source)?.stamp ?? ""
    try rejects.prepare()
    while true {
      let now = forgotten.withLock { $0 }
      let (writer, folder) = try rejects.begin()
      var reading = SourceReading(
        layout: layout, format: format, redacting: redaction, key: store.key,
        forgotten: now.persons, digest: StoredSource.digestKind)
      let summary = try reading.read(source, rejects: writer, overlap: overlap)
      if let problem = summary.unreadable {
        writer.discard()
        return .unreadable(problem)
      }
      let row = StoredSource(
        summary: summary, stamp: stamp, eventsWithoutUser: reading.eventsWithoutUser,
        eventsWithoutDevice: reading.eventsWithoutDevice, packs: reading.packs,
        programVersion: programVersion)
      let addition = try store.add(
        row, reading.packs, layout, readsAgain: readsAgain, forgotten: now.sum
      ) {
        try rejects.keep(
          writer, folder, of: source, digest: row.digest,
          forgetting: RejectSearch(
            users: now.persons.users, devices: now.persons.wholeDevices, key: store.key))
      }
      if case .added(let outcome) = addition {
        for old in outcome.replaced { rejects.remove(digest: old.digest) }
        store.mergeTiers(enough: PackTiers.enoughAtOnce)
        return outcome
      }
      writer.discard()
      guard !stamp.isEmpty else {
        throw StoreError.other(
          store.path,
          "somebody was forgotten while '\(source.name)' was read, which can't be read twice. "
            + "Nothing of it was taken in; send it again")
      }
      let later = try store.forgotten()
      forgotten.withLock { $0 = later }
    }
  }
}
