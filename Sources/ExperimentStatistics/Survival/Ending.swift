/// How many ended at one time by one cause, or were last seen then.
public struct Ending: Sendable, Hashable {
  /// The time since the start, in any unit.
  public let time: Double
  /// The place of the cause in the caller's order; `nil` for those who were last seen then.
  public let cause: Int?
  /// Negative counts count as none.
  public let count: Int

  /// Joins a time, a cause (a negative one counts as the first) and a count.
  public init(time: Double, cause: Int?, count: Int) {
    self.time = time
    self.cause = cause.map { max(0, $0) }
    self.count = count
  }
}
