import Dispatch
import FlowDefinition
import Foundation
import Synchronization

/// Makes dumps of onboarding events whose every number is known beforehand.
///
/// `Simulation` stands beside the data path: a flow goes in, and out come files as an app's back
/// end writes them, and `truth.json`, which says what a report of these files must say. It reads
/// none of the other targets' code. First every person's fate is drawn; then the fates are written
/// twice, as lines and as counts, each without looking at the other. The same plan makes the same
/// bytes, on any number of threads.
///
///     fates ──► records by file ──► lines, compressed ──► 2026-01-05.ndjson.gz …
///       └─────► counts by slice ─────────────────────────► truth.json
public struct Simulator: Sendable {
  private let world: World
  private let calendar: FileCalendar

  /// - Throws: `SimulationError.invalidPlan`, `.tooManySteps`.
  public init(_ plan: SimulationPlan) throws(SimulationError) {
    world = try World(plan)
    calendar = try FileCalendar(plan, days: world.days)
  }

  /// Writes the dump and `truth.json` into a directory, which is made if it is missing.
  /// - Throws: `SimulationError.unwritable`, `.compression`.
  @discardableResult
  public func run(to directory: String) throws(SimulationError) -> SimulationTruth {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path: directory, reason: SystemReason.of(error))
    }
    let shares = drawFates()
    try writeFiles(shares, directory)
    let truth = self.truth(shares)
    try write(truth, directory)
    return truth
  }

  /// What one thread made of its persons.
  private struct Share: Sendable {
    var cards: [PersonCard]
    var router: DumpRouter
    var counter: TruthCounter
    var chances: ChanceCounts
  }

  private func drawFates() -> [Share] {
    let persons = world.plan.persons
    let threads = max(1, min(world.plan.threads, persons))
    let metrics = MetricPlan(world)
    let slices = SlicePlan(world)
    let shares = Mutex<[Int: Share]>([:])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let range = (thread * persons / threads)..<((thread + 1) * persons / threads)
      var drawer = FateDrawer(world)
      var share = Share(
        cards: [], router: DumpRouter(world.plan, calendar),
        counter: TruthCounter(world, metrics, slices), chances: drawer.counts)
      share.cards.reserveCapacity(range.count)
      for person in range {
        drawer.draw(person: person)
        share.cards.append(drawer.fate.card)
        share.router.route(drawer.fate)
        share.counter.count(drawer.fate)
      }
      share.chances = drawer.counts
      shares.withLock { [share] in $0[thread] = share }
    }
    let made = shares.withLock { $0 }
    return (0..<threads).compactMap { made[$0] }
  }

  private func writeFiles(_ shares: [Share], _ directory: String) throws(SimulationError) {
    let cards = shares.flatMap(\.cards)
    let tables = LineTables(world)
    let next = Atomic<Int>(0)
    let failure = Mutex<SimulationError?>(nil)
    DispatchQueue.concurrentPerform(iterations: world.plan.threads) { _ in
      let buffer = LineBuffer(capacity: 300_000)
      let writer = LineWriter(world: world, tables: tables, cards: cards, buffer: buffer)
      while true {
        let file = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard file < calendar.names.count, failure.withLock({ $0 == nil }) else { return }
        do throws(SimulationError) {
          let records = shares.flatMap { $0.router.files[file] }
          try write(records, writer, "\(directory)/\(calendar.names[file])")
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func write(
    _ records: [EventRecord], _ writer: LineWriter, _ path: String
  ) throws(SimulationError) {
    guard !records.isEmpty else { return }
    let file = try DumpFile(path: path, world.plan.compression)
    for record in records.sorted(by: EventRecord.precedes) {
      writer.write(record)
      if writer.buffer.count >= 1 << 18 { try file.write(writer.buffer, isLast: false) }
    }
    try file.write(writer.buffer, isLast: true)
  }

  /// Whether everybody takes part in an experiment in one ratio, from their entry on: another is
  /// divided in that way all the same.
  private static func isWhole(_ experiment: Experiment) -> Bool {
    experiment.startMilliseconds == nil && experiment.endMilliseconds == nil
      && experiment.periods.isEmpty && experiment.exposure == nil
  }

  private func truth(_ shares: [Share]) -> SimulationTruth {
    var counter = TruthCounter(world, MetricPlan(world), SlicePlan(world))
    var chances = ChanceCounts(slots: world.book.entries.count)
    var lines = LineTruth()
    for reason in BrokenLine.allCases { lines.broken[reason.reason] = 0 }
    for share in shares {
      counter.merge(share.counter)
      chances.merge(share.chances)
      lines.merge(share.router.lines)
    }
    lines.files = calendar.names.enumerated().filter { index, _ in
      shares.contains { !$0.router.files[index].isEmpty }
    }.map(\.element)
    let drawn = world.book.entries.enumerated().filter {
      chances.trials[$0.offset] > 0
    }
    return SimulationTruth(
      schema: 1, flow: world.flow.id, seed: world.plan.seed, persons: world.plan.persons,
      days: world.days, startMilliseconds: world.start, horizonMilliseconds: world.horizon,
      incidents: world.incidents.truth, lines: lines, metrics: counter.rows(),
      times: counter.timeRows(),
      chances: drawn.map { slot, entry in
        ChanceTruth(
          chance: entry.chance, of: entry.of, given: entry.given, arm: entry.arm,
          probability: entry.probability, trials: chances.trials[slot], hits: chances.hits[slot],
          expectedHits: Double(chances.expectedMillionths[slot]) / 1e6,
          variance: Double(chances.varianceMillionths[slot]) / 1e6)
      },
      notSimulated: world.happenings.notSimulated + world.funnels.notSimulated
        + world.flow.experiments.filter { !Simulator.isWhole($0) }.map { "experiment:\($0.id)" })
  }

  private func write(_ truth: SimulationTruth, _ directory: String) throws(SimulationError) {
    let path = "\(directory)/truth.json"
    do {
      let data = try TruthFile.json(truth)
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .unwritable(path: path, reason: SystemReason.of(error))
    }
  }
}
