/// How people come back: each person has one loyalty, with a chance a day and a time after which
/// the person is gone for good.
///
/// Days of one person are alike, so a few people make most of the returns, and coming back at all
/// from day 7 on is not much likelier than coming back on day 7.
struct ReturnHabits: Sendable {
  struct Loyalty: Sendable {
    var name: String
    /// The share of people who finish.
    var share: Double
    /// The chance of a visit on each day until the person is gone.
    var daily: Double
    /// Mean days until the person is gone, exponential.
    var meanDays: Double
  }

  var loyalties = [
    Loyalty(name: "devoted", share: 0.07, daily: 0.62, meanDays: 220),
    Loyalty(name: "regular", share: 0.16, daily: 0.38, meanDays: 34),
    Loyalty(name: "occasional", share: 0.30, daily: 0.45, meanDays: 3),
    Loyalty(name: "curious", share: 0.25, daily: 0.5, meanDays: 1.2),
  ]
  /// Factors of the shares by outcome.
  var finished = 1.0
  var skipped = 0.75
  var abandoned = 0.3
}
