/// A day on which somebody started with a release of the app.
public struct ReleaseDay: Sendable, Hashable {
  /// The dimension and the release, as tables name it.
  public let release: BreakdownKey
  /// Since 1970-01-01.
  public let day: Int

  /// What those who started with it on that day did.
  public struct Counts: Sendable, Hashable {
    /// How many started, those whose window is open among them.
    public internal(set) var started = 0
    /// How many are mature.
    public internal(set) var persons = 0
    /// How many of the mature finished, after skipping too.
    public internal(set) var finished = 0

    init(started: Int = 0, persons: Int = 0, finished: Int = 0) {
      (self.started, self.persons, self.finished) = (started, persons, finished)
    }

    mutating func add(_ attempt: Attempt) {
      started += 1
      if attempt.isMature { persons += 1 }
      if attempt.isMature && attempt.outcome.isFinished { finished += 1 }
    }

    static func + (left: Counts, right: Counts) -> Counts {
      Counts(
        started: left.started + right.started, persons: left.persons + right.persons,
        finished: left.finished + right.finished)
    }
  }
}
