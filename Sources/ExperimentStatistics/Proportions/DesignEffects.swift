/// How many people of each group say as much as one independent person: 1 where nobody belongs to
/// an account.
public struct DesignEffects: Sendable, Hashable {
  public var treatment: Double
  public var control: Double

  public static let none = DesignEffects(treatment: 1, control: 1)

  public init(treatment: Double, control: Double) {
    self.treatment = treatment
    self.control = control
  }
}
