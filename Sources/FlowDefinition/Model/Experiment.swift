/// An A/B test over the flow.
public struct Experiment: Sendable, Hashable {
  public var id: String
  /// The variants in declared order; the control is one of them.
  public var variants: [Variant]
  /// The index of the control in `variants`.
  public var control: Int
  /// Look every day with always-valid intervals.
  public var isSequential: Bool
  /// A person with two variants: left out, or counted with the earliest.
  public var contaminated: ContaminationRule

  public init(
    id: String, variants: [Variant], control: Int, isSequential: Bool = false,
    contaminated: ContaminationRule = .exclude
  ) {
    self.id = id
    self.variants = variants
    self.control = control
    self.isSequential = isSequential
    self.contaminated = contaminated
  }
}

/// One arm of an experiment.
public struct Variant: Sendable, Hashable {
  public var id: String
  /// The share of persons it is meant to get; all shares of an experiment add up to 1.
  public var share: Double
  /// Its own step list, as indices into `Flow.steps`; `nil` where it has the version's.
  public var steps: [Int]?

  public init(id: String, share: Double, steps: [Int]? = nil) {
    self.id = id
    self.share = share
    self.steps = steps
  }
}

/// What becomes of a person whose facts name two variants (SPEC 11).
public enum ContaminationRule: String, Sendable, Hashable, CaseIterable {
  case exclude, first
}

/// A property of the entry that reports are broken down by.
public struct Dimension: Sendable, Hashable {
  public var id: String
  /// A dotted path from the event's root; `context.<id>` where the file gives none.
  public var path: String

  public init(id: String, path: String? = nil) {
    self.id = id
    self.path = path ?? "context.\(id)"
  }
}
