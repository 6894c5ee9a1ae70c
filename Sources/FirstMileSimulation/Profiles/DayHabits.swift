/// How days differ: weekdays, chance, releases, and what went wrong on some of them.
struct DayHabits: Sendable {
  /// How many people begin on a weekday, from Monday on, relative to the mean.
  var entries = [0.95, 0.92, 0.92, 0.95, 1.0, 1.16, 1.1]
  /// The odds of coming back on a weekday, from Monday on, relative to the mean.
  var returns = [1.06, 1.08, 1.06, 1.04, 0.98, 0.86, 0.92]
  /// Standard deviation of a day's effect on how many begin, on a logarithmic scale.
  var entrySpread = 0.18
  /// Standard deviation of a day's effect on the log odds of leaving and of coming back.
  var oddsSpread = 0.2
  /// App versions and the day of the dump on which each was released; without any, a version is
  /// drawn like other dimensions.
  var releases: [(appVersion: String, day: Int)] = []
  var incidents: [Incident] = []
}

/// Something that went wrong on some days of the dump, for people of one app version.
struct Incident: Sendable {
  enum Damage: Sendable {
    /// More people leave on the step: their odds, times this.
    case leaving(step: String, odds: Double)
    /// The step's views are not sent.
    case lostViews(step: String)
    /// The event is sent without the property.
    case missingProperty(event: String, property: String)

    /// What it is called in `truth.json`, and what it is about.
    var inWords: (kind: String, subject: String) {
      switch self {
      case .leaving(let step, _): ("leaving", step)
      case .lostViews(let step): ("lost_views", step)
      case .missingProperty(let event, let property): ("missing_property", "\(event).\(property)")
      }
    }
  }

  var appVersion: String
  var firstDay: Int
  var days: Int
  var damage: Damage
}
