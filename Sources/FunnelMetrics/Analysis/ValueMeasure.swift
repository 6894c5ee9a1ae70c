/// What of people's amounts is compared between variants.
public enum ValueMeasure: Sendable, Hashable {
  /// The mean amount a person, in the test.
  case perPerson
  /// The mean amount a person, shown beside the capped one, which is in the test.
  case uncapped
  /// The mean amount a person, amounts above a cap counting as the cap.
  ///
  /// - Parameters:
  ///   - share: the quantile of people with an amount above 0, as a share of 1.
  ///   - amount: the cap: that quantile of all variants together.
  ///   - people: how many people of all variants have more.
  case capped(share: Double, amount: Double, people: Int)
  /// The mean amount of an event: of people whom the variant brought there, so not randomised.
  case perEvent

  /// Whether the difference is in the tests of the experiment.
  public var isTested: Bool {
    switch self {
    case .perPerson, .capped: true
    case .uncapped, .perEvent: false
    }
  }
}
