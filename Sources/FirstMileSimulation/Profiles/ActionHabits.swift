/// Something people do besides walking through the pages: its event, its properties, and when and
/// how often it happens.
///
/// A profile lists these in the order in which they depend on each other. What the flow's goals,
/// friction, retention and funnels look for is found among them, so one list makes all the lines.
struct ActionHabits: Sendable {
  /// A set of properties that go together, as `status=failed reason=network`, and its weight.
  typealias Choice = (properties: String, weight: Double)

  enum Moment: Sendable {
    /// Shortly before the entry.
    case beforeEntry
    /// While on the step, on the first visit of it.
    case onStep(String)
    /// So long after the base, log-normal.
    case later(medianMilliseconds: Double)
    /// Between these days after the base, both included.
    case days(Int, Int)
    /// When the person signs in.
    case signIn
  }

  var id: String
  var event: String
  var moment: Moment
  /// The chance of those who finish, skip and abandon; on a step, before the outcome is known,
  /// the first one.
  var chances: [Double]
  /// The base is this action; without it the outcome, for `days` the entry.
  var after: String?
  /// Only where the base has this property, as `status=failed`.
  var given: String?
  /// Only where this action has not happened.
  var unless: String?
  /// Only in this version or variant, as `version=1` or `paywall=trial`.
  var only: String?
  /// Groups of properties; one choice of each group is drawn.
  var properties: [[Choice]]
  /// Properties whose values are those of the base.
  var carried: [String]
  /// It happens again on later visits: the chance on each.
  var again: Double
  /// It happens again and again, so many days later with such a chance.
  var recurs: (days: Int, chance: Double)?

  init(
    _ event: String, _ moment: Moment, _ chance: Double, skipped: Double? = nil,
    abandoned: Double? = nil, id: String? = nil, after: String? = nil, given: String? = nil,
    unless: String? = nil, only: String? = nil, with properties: [Choice]...,
    carrying carried: [String] = [], again: Double = 0, recurs: (days: Int, chance: Double)? = nil
  ) {
    self.id = id ?? event
    self.event = event
    self.moment = moment
    // What depends on another action needs no second look at the outcome.
    let other = after == nil ? chance / 2 : chance
    chances = [chance, skipped ?? other, abandoned ?? (after == nil ? chance / 10 : chance)]
    self.after = after
    self.given = given
    self.unless = unless
    self.only = only
    self.properties = properties
    self.carried = carried
    self.again = again
    self.recurs = recurs
  }

  /// The pairs of a text such as `status=failed reason=network`.
  static func pairs(_ text: String) -> [EventTemplate.Property] {
    text.split(separator: " ").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      return EventTemplate.Property(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
  }
}
