public import FlowDefinition

/// How far back a report knew people before they entered: who is an existing user, and who begins
/// once more, depends on it (definitions 17).
public struct LookBack: Sendable, Hashable {
  /// Whole days of data before the first attempt that counts, at most the flow's `history`.
  public var days: Int
  /// Whether hardly anybody used the app before the data begin, so that everyone's earlier use is
  /// known however few the days are.
  public var knowsEveryone: Bool

  /// Describes a look-back by its days.
  public init(days: Int, knowsEveryone: Bool = false) {
    self.days = days
    self.knowsEveryone = knowsEveryone
  }

  /// Whether both find existing users alike: the days differ by one or by a tenth of the longer at
  /// most, or both know everyone.
  package func isAlike(_ other: LookBack) -> Bool {
    knowsEveryone && other.knowsEveryone
      || abs(days - other.days) * 10 <= max(10, days, other.days)
  }
}

extension LookBack? {
  /// Whether two find existing users alike. One that is not known says nothing.
  package func isAlike(_ other: LookBack?) -> Bool {
    guard let self, let other else { return true }
    return self.isAlike(other)
  }
}

extension EvaluationOptions {
  /// The look-back of what was counted; `nil` without an attempt that counts.
  public func lookBack(_ quality: QualityCounts, _ flow: Flow) -> LookBack? {
    Self.lookBack(knownFrom: knownFromMilliseconds, quality, flow)
  }

  /// The look-back where people are known from a moment on.
  public static func lookBack(
    knownFrom: Int64, _ quality: QualityCounts, _ flow: Flow
  ) -> LookBack? {
    guard let entry = quality.firstEntryMilliseconds else { return nil }
    // A difference of what may come from a file is taken where it can't overflow.
    let known = min(
      entry > max(0, knownFrom) ? entry - max(0, knownFrom) : 0, flow.historyMilliseconds ?? .max)
    return LookBack(
      days: Int(known / AttemptEvaluator.dayMilliseconds), knowsEveryone: quality.knowsEveryone)
  }
}
