internal import EventInput
public import FlowDefinition
public import Timelines

/// One person's timeline fact by fact, and why each outcome came out as it did.
public struct PersonExplanation: Sendable {
  /// One fact, in order.
  public struct Line: Sendable, Hashable {
    /// When it happened, in milliseconds since 1970.
    public var timeMilliseconds: Int64
    /// Since entry; `nil` without an entry.
    public var sinceEntryMilliseconds: Int64?
    /// The event's name; `(other)` where the run has kept none.
    public var event: String
    /// Values the flow looks at, `name=value`.
    public var details: [String]
    /// What the fact is to the flow: `entry`, `outcome: finished`, `after the window` …
    public var notes: [String]
    /// Whether it shows that the person was there.
    public var isActivity: Bool
  }

  /// The person's facts in order. A line is made when it is asked for: a person may have millions.
  public var lines: Lines { Lines(explanation: self) }
  /// Each rule that was applied, in words, in the order of application.
  public private(set) var reasons: [String] = []
  private let compiled: CompiledFlow
  private let walk: [WalkFact]
  /// The attempts that count, in order; one at most where each person counts once.
  public private(set) var attempts: [AttemptOutline] = []
  /// The names of an action's and of a context's values.
  private let actionFields: [String]
  private let contextFields: [String]
  private var marks: [Int: [String]] = [:]

  /// How many attempts of a person are explained; the rest are counted.
  private static let maximumAttempts = 50

  /// Explains one person of the timelines.
  ///
  /// - Throws: `FlowLimitError` if the flow is too large.
  public init(
    _ partition: TimelinePartition, person: Int, tables: FactTables, flow: Flow,
    options: EvaluationOptions
  ) throws(FlowLimitError) {
    let compiled = try CompiledFlow(flow, tables: tables)
    var evaluator = AttemptEvaluator(compiled, options: options)
    evaluator.stepVisits = []
    let verdict = evaluator.evaluate(partition, person: person)
    if verdict == .leftOut { evaluator.loadLeftOut(partition, person) }
    walk = evaluator.walk
    self.compiled = compiled
    let schema = tables.schema
    actionFields = (0..<schema.actionWidth).map { schema.fieldName(ofActionIndex: $0) }
    contextFields = (0..<schema.contextWidth).map { schema.fieldName(ofContextIndex: $0) }
    if evaluator.quality.misdatedFacts > 0 {
      reasons.append(
        "\(evaluator.quality.misdatedFacts) misdated, beyond a gap in all data: set aside")
    }
    if evaluator.quality.factsBeforeHistory > 0 {
      reasons.append("\(evaluator.quality.factsBeforeHistory) before --history-from: set aside")
    }
    if verdict == .attempt {
      explainAttempts(&evaluator)
    } else {
      explainAbsence(verdict, evaluator, flow)
    }
  }

  /// The lines of an explanation, by number.
  public struct Lines: RandomAccessCollection, Sendable {
    fileprivate let explanation: PersonExplanation
    /// Always 0: lines are numbered from there.
    public var startIndex: Int { 0 }
    /// How many facts the explanation walks through.
    public var endIndex: Int { explanation.walk.count }
    /// The line of the fact with this number, made anew each time.
    public subscript(index: Int) -> Line { explanation.line(index) }
    /// The numbers of the entry and of what decided the outcome, smallest first.
    public var decisive: [Int] { explanation.marks.keys.sorted() }
  }

  /// Explains the attempt at hand, and the later ones where each attempt counts.
  private mutating func explainAttempts(_ evaluator: inout AttemptEvaluator) {
    var left = 0
    repeat {
      if attempts.count == Self.maximumAttempts {
        left += 1
        continue
      }
      attempts.append(AttemptOutline(&evaluator))
      mark(evaluator)
      reasons += AttemptReasons(
        attempt: evaluator.attempt, number: evaluator.earlier.count + 1,
        hasNext: evaluator.nextEntryPlace >= 0, compiled: compiled
      ).inWords()
    } while evaluator.evaluateNextAttempt()
    if left > 0 { reasons.append("\(left) more attempts, which are not explained here") }
  }

  /// Marks the entry and what decided the outcome, by place: others may share their milliseconds.
  private mutating func mark(_ evaluator: AttemptEvaluator) {
    marks[evaluator.entryPlace, default: []].append("entry")
    let attempt = evaluator.attempt
    let skipsDecide = evaluator.compiled.flow.skip == .ends
    let outcome = evaluator.attemptRange.first { index in
      let fact = evaluator.walk[index]
      return fact.timeMilliseconds == attempt.endMilliseconds
        && (fact.kind == .completed || (skipsDecide && fact.kind == .skipped))
    }
    if let outcome, attempt.outcome != .abandoned {
      marks[outcome, default: []].append("outcome: \(attempt.outcome.name)")
    }
    if attempt.outcome == .finishedAfterSkipping,
      let skip = evaluator.attemptRange.first(where: { index in
        let fact = evaluator.walk[index]
        return fact.kind == .skipped || evaluator.compiled.actions[fact.action].completesBySkipping
      })
    {
      marks[skip, default: []].append("skipped, and finished later")
    }
  }

  /// Why the person counts in no metric.
  private mutating func explainAbsence(
    _ verdict: AttemptEvaluator.Verdict, _ evaluator: AttemptEvaluator, _ flow: Flow
  ) {
    switch verdict {
    case .noFacts: reasons.append("no fact up to the horizon")
    case .leftOut: explainLeavingOut(evaluator.quality, flow)
    case .activityOnly: reasons.append("no onboarding fact of this flow: in no metric")
    case .orphan where flow.entry != nil:
      reasons.append("onboarding facts, but none of the event that begins this flow: an orphan")
    case .orphan:
      reasons.append("onboarding facts, but no start and no view of a first step: an orphan")
    case .existingUser:
      reasons.append(
        "activity, or onboarding that is no unfinished attempt, earlier than entry − "
          + "\(DurationText.format(evaluator.leadMilliseconds)): an existing user, in no metric")
      if evaluator.existingUserFinished { reasons.append("finished this attempt all the same") }
    case .outsideDates: reasons.append("no attempt begins between --from and --to")
    case .attempt: break
    }
  }

  private mutating func explainLeavingOut(_ quality: QualityCounts, _ flow: Flow) {
    if quality.leftOutByID > 0 { reasons.append("an id of 'leave_out': in no number of this flow") }
    for (mark, count) in zip(flow.leaveOut.marks, quality.leftOutByMark) where count > 0 {
      reasons.append("an event matches 'leave_out' (\(mark.described)): in no number of this flow")
    }
    guard let marks = compiled.leavingMarks else { return }
    for index in walk.indices where marks.met[walk[index].action] != 0 {
      self.marks[index, default: []].append("leaves out")
    }
  }

  private func line(_ index: Int) -> Line {
    let fact = walk[index]
    var notes = marks[index] ?? []
    let span = attempts.last { $0.lines.lowerBound <= index } ?? attempts.first
    if let span {
      if index < span.lines.lowerBound { notes.append("before entry") }
      if index >= span.lines.upperBound { notes.append("after the attempt") }
    }
    if fact.page == CompiledPage.undeclared { notes.append("undeclared page") }
    if fact.page == CompiledPage.ambiguous { notes.append("page number with two meanings") }
    if fact.kind == .activity {
      let counts = compiled.actions[fact.action].isActivity
      notes.append(counts ? "activity" : "no activity (not_activity)")
    }
    return Line(
      timeMilliseconds: fact.timeMilliseconds,
      sinceEntryMilliseconds: span.map { fact.timeMilliseconds - $0.entryMilliseconds },
      event: ActionNames(compiled.tables, fact.action)[compiled.places.event] ?? "(other)",
      details: details(fact, after: index > 0 ? walk[index - 1] : nil, compiled),
      notes: notes, isActivity: fact.isActivity)
  }

  /// An action's values, and those of the context that the fact before did not have.
  private func details(
    _ fact: WalkFact, after previous: WalkFact?, _ compiled: CompiledFlow
  ) -> [String] {
    let names = ActionNames(compiled.tables, fact.action)
    var details = actionFields.indices.compactMap { place -> String? in
      guard place != compiled.places.event, let value = names[place] else { return nil }
      return "\(actionFields[place])=\(value)"
    }
    let context = compiled.tables.context(fact.context)
    for (place, code) in context.enumerated() where code != 0 {
      if let previous, compiled.tables.contextValue(previous.context, at: place) == code {
        continue
      }
      let value = compiled.tables.name(ofContextValue: code, at: place)
      details.append("\(contextFields[place])=\(value)")
    }
    return details
  }
}
