/// How much more, or less, of a rate a variant has than the control.
public struct Lift: Sendable, Hashable {
  /// What may be said, by the rules of `docs/definitions.md`.
  public enum Verdict: Sendable, Hashable {
    /// The variant's rate is shown to be higher than the control's.
    case higher
    /// The variant's rate is shown to be lower than the control's.
    case lower
    /// Enough people took part to show the lift that is looked for, and none is shown.
    case noneShown
    /// Too few people for a verdict.
    case tooEarly
    /// Of a guardrail: the loss is shown to be smaller than its margin.
    case withinMargin
    /// Of a guardrail: the loss is shown to be larger than its margin.
    case beyondMargin
  }

  /// What is compared.
  public let metric: Metric
  /// The variant that is compared with the control.
  public let variant: String
  /// The experiment's control.
  public let control: String
  /// Relative to the control: 0.05 is a twentieth more. `nil` where the control's rate is 0 or of
  /// nobody.
  public let lift: Double?
  /// Leaves out 0 exactly where the verdict is higher or lower.
  public let interval: ClosedRange<Double>?
  /// Of the difference, in rate points: 0.02 is 2 points more.
  public let difference: Double?
  /// Adjusted over all that the experiment tests; `nil` where nothing is tested.
  public let pValue: Double?
  /// `nil` where none is given: see ``ExperimentResult/doubts``, or people are compared who weren't
  /// randomised.
  public let verdict: Verdict?
}
