/// How many ended at one time by one cause, or were last seen then.
public struct Ending: Sendable, Hashable {
  public let time: Double
  /// The place of the cause in the caller's order; `nil` for those who were last seen then.
  public let cause: Int?
  /// Negative counts count as none.
  public let count: Int

  public init(time: Double, cause: Int?, count: Int) {
    self.time = time
    self.cause = cause.map { max(0, $0) }
    self.count = count
  }
}
