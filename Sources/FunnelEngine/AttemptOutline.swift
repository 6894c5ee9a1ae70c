internal import FlowDefinition

/// One attempt of a person as a drawing of it needs: when, on which steps, how it ended, and who
/// came back.
public struct AttemptOutline: Sendable, Hashable {
  /// What became of a retention measure.
  public struct Return: Sendable, Hashable {
    /// Index into the flow's retention measures.
    public var measure: Int
    /// From the window's first instant to the first one after it.
    public var window: Range<Int64>
    /// Whether there was a return in the window.
    public var cameBack: Bool
    /// Whether the person is mature and the window is over.
    public var isOver: Bool
    /// Whether the data miss dates of the window, so that the person doesn't count in the measure.
    public var lacksDates: Bool
  }

  /// A name and the person's value of it.
  public struct Circumstance: Sendable, Hashable {
    /// The id of the experiment or dimension.
    public var name: String
    /// The variant or value, as tables label it.
    public var value: String
  }

  /// When the attempt began (t0), in milliseconds since 1970.
  public var entryMilliseconds: Int64
  /// The outcome instant, or entry + window.
  public var endMilliseconds: Int64
  /// Where the visit ends in which the attempt did; only later facts are a return.
  public var visitEndMilliseconds: Int64
  /// How the attempt ended; `open` where its window is not over.
  public var outcome: Outcome
  /// The attempt's facts, as places in the explanation's lines.
  public var lines: Range<Int>
  /// Times with events, each from its first to its last, with pauses of more than 30 minutes
  /// between them; at least one, which begins with the entry.
  public var stretches: [ClosedRange<Int64>]
  /// Stays on steps of the person's own list, in the order of their views.
  public var visits: [StepVisit]
  /// The furthest viewed step of the person's own list, an index into the flow's; `nil` for none.
  public var furthestStep: Int?
  /// The person's version of the flow, or `(none)`.
  public var version: String
  /// For each experiment the variant, `(contaminated)` or `(unassigned)`.
  public var variants: [Circumstance]
  /// For each dimension the value, or `(none)`.
  public var dimensions: [Circumstance]
  /// For each retention measure whose first moment the person has.
  public var returns: [Return]

  init(_ evaluator: inout AttemptEvaluator) {
    let (attempt, compiled) = (evaluator.attempt, evaluator.compiled)
    let flow = compiled.flow
    entryMilliseconds = attempt.entryMilliseconds
    endMilliseconds = attempt.endMilliseconds
    visitEndMilliseconds = attempt.visitEndMilliseconds
    outcome = attempt.outcome
    lines = evaluator.attemptRange
    stretches = Self.stretches(evaluator)
    visits = evaluator.stepVisits ?? []
    furthestStep = evaluator.furthestStep
    version = compiled.versionName(attempt.version)
    variants = zip(flow.experiments, evaluator.variantLabels).map {
      Circumstance(name: $0.id, value: $1)
    }
    dimensions = zip(flow.dimensions, evaluator.dimensionNames).map {
      Circumstance(name: $0.id, value: $1)
    }
    returns = evaluator.plan.retention.indices.compactMap { index in
      guard attempt.retention[index].hasAnchor,
        let window = evaluator.window(of: evaluator.plan.retention[index])
      else { return nil }
      return Return(
        measure: index, window: window, cameBack: attempt.retention[index].cameBack,
        isOver: attempt.retention[index].isOver,
        lacksDates: attempt.retention[index].lacksDates)
    }
  }
  private static func stretches(_ evaluator: AttemptEvaluator) -> [ClosedRange<Int64>] {
    let entry = evaluator.attempt.entryMilliseconds
    var stretches: [ClosedRange<Int64>] = []
    var current = entry...entry
    for index in evaluator.attemptRange where evaluator.walk[index].isActivity {
      let time = evaluator.walk[index].timeMilliseconds
      if time - current.upperBound > AttemptEvaluator.resumeGapMilliseconds {
        stretches.append(current)
        current = time...time
      } else {
        current = current.lowerBound...max(current.upperBound, time)
      }
    }
    return stretches + [current]
  }
}
