/// A value of a dimension among whose people the split is not the declared one.
public struct SplitSegment: Sendable, Hashable {
  /// The dimension's id, or `version`.
  public var dimension: String
  /// The value whose people are not split as declared.
  public var value: String
  /// Adjusted for all values of all dimensions (Holm).
  public var pAdjusted: Double
  /// There is no sign that everybody else is split otherwise than declared.
  public var explainsMismatch: Bool

  /// What differs at this level is named; that there is a mismatch is known already.
  package static let alpha = 0.05
}
