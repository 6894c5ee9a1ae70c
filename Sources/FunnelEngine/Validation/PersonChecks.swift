/// What is odd about persons' timelines, counted in persons.
public struct PersonChecks: Sendable, Hashable {
  /// Who have any fact up to the horizon.
  public internal(set) var persons = 0
  /// Of these, who have any fact of the flow's onboarding and began in the period; all below are of
  /// these.
  public internal(set) var withOnboarding = 0
  /// Started, and viewed no page.
  public internal(set) var startsWithoutViews = 0
  /// Completed, and neither started nor viewed a first step.
  public internal(set) var completionsWithoutStarts = 0
  /// Onboarding facts and no entry.
  public internal(set) var orphans = 0
  /// Completed before they began.
  public internal(set) var completionsBeforeStart = 0
  /// Viewed a page before they began.
  public internal(set) var viewsBeforeStart = 0
  /// Answered a permission before the only time they were asked.
  public internal(set) var answersBeforePrompt = 0
  /// Seen with two variants of one experiment.
  public internal(set) var contaminated = 0

  /// Persons whose facts can't have happened in the order in which they are dated.
  public var impossibleOrders: Int {
    completionsBeforeStart + viewsBeforeStart + answersBeforePrompt
  }

  mutating func merge(_ other: PersonChecks) {
    persons += other.persons
    withOnboarding += other.withOnboarding
    startsWithoutViews += other.startsWithoutViews
    completionsWithoutStarts += other.completionsWithoutStarts
    orphans += other.orphans
    completionsBeforeStart += other.completionsBeforeStart
    viewsBeforeStart += other.viewsBeforeStart
    answersBeforePrompt += other.answersBeforePrompt
    contaminated += other.contaminated
  }
}
