/// How many people of each group say as much as one independent person: 1 where nobody belongs to
/// an account.
public struct DesignEffects: Sendable, Hashable {
  /// Of the treatment; 1 or more.
  public var treatment: Double
  /// Of the control; 1 or more.
  public var control: Double

  /// Of people who are independent of each other.
  public static let none = DesignEffects(treatment: 1, control: 1)

  /// Joins the design effects of both groups.
  public init(treatment: Double, control: Double) {
    self.treatment = treatment
    self.control = control
  }
}
