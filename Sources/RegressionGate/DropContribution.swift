/// What departs from the rest and contributes to a change: a step, or a value of a dimension.
package struct DropContribution: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// More were lost at this step.
    case step
    /// The rate within this value changed.
    case rate
    /// There are more or fewer persons with this value.
    case mix
    /// Only one side has persons with this value.
    case newKind = "new_kind"
  }
  package var kind: Kind
  /// `plan`, or `os=iOS 26.1`.
  package var name: String
  /// In points of the rate; below 0 it made the number smaller.
  package var points: Double
  /// The step's share of persons lost, the value's rate, or its share of persons: before and now.
  package var before: Double
  package var now: Double
  /// Of a value: the share of today's people who have it, beside its share of the whole change.
  /// Parts of both signs add up to the change, so a share can be above 1 or below 0.
  package var shareOfPeople: Double? = nil
  package var shareOfChange: Double? = nil
  /// The p-value of being like the rest, adjusted for all steps and values that were looked at.
  package var adjustedP = 1.0
}
