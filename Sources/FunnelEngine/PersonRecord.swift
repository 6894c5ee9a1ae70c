public import EventInput
public import FlowDefinition
public import Timelines

/// What became of one person who entered, for analyses of one's own: one row a person, or one an
/// attempt where the flow counts attempts.
///
/// Names are as they stand in events; the person is a keyed hash.
public struct PersonRecord: Sendable, Hashable {
  /// The person's keyed hash; never an id as it stands in events.
  public var person: IdentifierHash
  /// When the attempt began (t0), in milliseconds since 1970.
  public var entryMilliseconds: Int64
  /// Whether the person counts in metrics yet (definitions 5.9).
  public var isMature: Bool
  /// The person's version of the flow, or `(none)`.
  public var version: String
  /// How the attempt ended; `open` where its window is not over.
  public var outcome: Outcome
  /// Entry to outcome; `nil` for those who did neither finish nor skip.
  public var outcomeSeconds: Double?
  /// The furthest viewed step of the person's own list; `nil` for none.
  public var furthestStep: String?
  /// The first view of that step within the attempt.
  public var furthestStepMilliseconds: Int64?
  /// Whether a skip was used in the attempt (definitions 5.6), also by those who finished.
  public var usedSkip: Bool
  /// The step of the first skip; `nil` for none, and where its page is unknown.
  public var skippedAtStep: String?
  /// The person's last event up to the horizon, in or after the attempt.
  public var lastEvent: String
  /// When that event happened, in milliseconds since 1970.
  public var lastEventMilliseconds: Int64
  /// For each experiment the variant, `(contaminated)` or `(unassigned)`.
  public var variants: [String]
  /// For each dimension the value, or `(none)`.
  public var dimensions: [String]
  /// For each permission its class.
  public var permissions: [String]
  /// For each goal whether it was reached; `nil` for those who are not in its denominator.
  public var goals: [Bool?]
  /// For each retention measure whether the person came back; `nil` likewise.
  public var retention: [Bool?]

  /// All people who entered, in the order of the hashes.
  ///
  /// - Throws: `FlowLimitError` if the flow is too large, `SpillError` if timelines can't be read
  ///   back, and what `body` throws.
  public static func forEach(
    _ timelines: Timelines, flow: Flow, options: EvaluationOptions,
    _ body: (PersonRecord) throws -> Void
  ) throws {
    let compiled = try CompiledFlow(flow, tables: timelines.tables)
    var evaluator = AttemptEvaluator(compiled, options: options)
    for number in 0..<timelines.partitionCount {
      let partition = try timelines.partition(number)
      for person in partition.personsByHash
      where evaluator.evaluate(partition, person: person) == .attempt {
        repeat {
          let record = PersonRecord(partition.keys[person], evaluator)
          if options.flowVersion.map({ $0 == record.version }) ?? true { try body(record) }
        } while evaluator.evaluateNextAttempt()
      }
    }
  }

  init(_ person: IdentifierHash, _ evaluator: AttemptEvaluator) {
    let (attempt, compiled) = (evaluator.attempt, evaluator.compiled)
    let flow = compiled.flow
    self.person = person
    entryMilliseconds = attempt.entryMilliseconds
    isMature = attempt.isMature
    version = compiled.versionName(attempt.version)
    outcome = attempt.outcome
    if attempt.outcome.isFinished || attempt.outcome == .skipped {
      outcomeSeconds = Double(attempt.endMilliseconds - attempt.entryMilliseconds) / 1000
    }
    if let step = evaluator.furthestStep {
      furthestStep = flow.steps[step].id
      let view = evaluator.attemptRange.first {
        evaluator.walk[$0].kind == .viewed && Int(evaluator.walk[$0].page) == step
      }
      furthestStepMilliseconds = view.map { evaluator.walk[$0].timeMilliseconds }
    }
    usedSkip = attempt.usedSkip
    if flow.steps.indices.contains(attempt.skipPage) {
      skippedAtStep = flow.steps[attempt.skipPage].id
    }
    let last = evaluator.walk.last
    lastEvent =
      last.flatMap { ActionNames(compiled.tables, $0.action)[compiled.places.event] } ?? "(other)"
    lastEventMilliseconds = last?.timeMilliseconds ?? attempt.entryMilliseconds
    variants = evaluator.variantLabels
    dimensions = evaluator.dimensionNames
    permissions = attempt.permissions.map(\.answer.name)
    goals = attempt.goals.map { $0.isEligible ? $0.isReached : nil }
    retention = attempt.retention.map { $0.isEligible ? $0.cameBack : nil }
  }
}
