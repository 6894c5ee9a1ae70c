public import FlowDefinition
public import Timelines

/// Timelines + flow → tally, partition by partition on some threads.
public enum FlowEvaluator {
  /// Evaluates every person of the timelines for a flow.
  ///
  /// - Throws: `FlowLimitError` if the flow is too large, `SpillError` if timelines can't be read
  ///   back from disk.
  public static func tally(
    _ timelines: Timelines, flow: Flow, options: EvaluationOptions, threads: Int
  ) async throws -> Tally {
    let compiled = try CompiledFlow(flow, tables: timelines.tables)
    let people = OddPeople(timelines.tables)
    let tallies = try await timelines.visit(
      threads: threads,
      begin: { EvaluationWorker(compiled, options: options, people) },
      add: { $0.add($1) },
      finish: { $0.finish() })
    var sum = tallies[0]
    for tally in tallies.dropFirst() { sum.merge(tally) }
    let calendar = CivilCalendar(timeZone: flow.timeZone)
    sum.partialCohorts = PartialCohorts.labels(options, calendar)
    sum.wholeDays = options.wholeDays(calendar)
    return sum
  }
}

/// One thread's share of an evaluation.
struct EvaluationWorker {
  private var evaluator: AttemptEvaluator
  private var recorder: TallyRecorder
  private var funnels: FunnelEvaluator
  private var furthest: [Int] = []
  private var people: OddPeople?
  private let compiled: CompiledFlow
  private let flowVersion: String?

  /// - Parameter people: what counts whether persons are people; `nil` for a single person.
  init(_ compiled: CompiledFlow, options: EvaluationOptions, _ people: OddPeople? = nil) {
    self.people = people
    self.compiled = compiled
    flowVersion = options.flowVersion
    evaluator = AttemptEvaluator(compiled, options: options)
    recorder = TallyRecorder(compiled, options: options, calendar: evaluator.calendar)
    funnels = FunnelEvaluator(compiled, horizonMilliseconds: options.horizonMilliseconds)
  }

  mutating func add(_ partition: TimelinePartition) {
    for person in 0..<partition.personCount { add(partition, person: person) }
  }

  mutating func add(_ partition: TimelinePartition, person: Int) {
    let verdict = evaluator.evaluate(partition, person: person)
    if verdict != .leftOut { people?.add(partition, person: person) }
    switch verdict {
    case .attempt:
      funnels.evaluate(evaluator.walk, into: &furthest)
      record()
      while evaluator.evaluateNextAttempt() {
        // Funnels are of persons: they are counted with the first attempt.
        for funnel in furthest.indices { furthest[funnel] = 0 }
        record()
      }
    case .existingUser where !isIncluded(evaluator.existingUserVersion): break
    case .orphan, .existingUser, .activityOnly, .noFacts, .leftOut, .outsideDates:
      evaluator.countLeftOut(verdict)
    }
  }

  /// Whether a version is the one that is looked at.
  private func isIncluded(_ version: UInt32) -> Bool {
    flowVersion.map { compiled.versionName(version) == $0 } ?? true
  }

  private mutating func record() {
    guard isIncluded(evaluator.attempt.version) else { return }
    if evaluator.attempt.isImpliedStart { evaluator.quality.impliedStarts += 1 }
    evaluator.quality.see(evaluator.attempt.retention)
    for experiment in evaluator.attempt.exposedLater.indices
    where evaluator.attempt.exposedLater[experiment] {
      evaluator.quality.exposedLater[experiment] += 1
    }
    let entry = evaluator.attempt.entryMilliseconds
    if entry < evaluator.quality.firstEntryMilliseconds ?? .max {
      evaluator.quality.firstEntryMilliseconds = entry
    }
    recorder.add(evaluator.attempt, funnels: furthest)
  }

  mutating func finish() -> Tally {
    evaluator.quality.finish()
    var tally = recorder.tally(quality: evaluator.quality)
    tally.people = people
    return tally
  }
}
