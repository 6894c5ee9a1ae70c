/// Coming back on a day after the entry, or on that day or any later one.
public struct ReturnMeasure: Sendable, Hashable, Comparable {
  /// Counted from 1.
  public var day: Int
  /// Without an end: the share grows with the data.
  public var isOnOrAfter: Bool

  /// Coming back on a day, or from that day on.
  public init(day: Int, isOnOrAfter: Bool = false) {
    self.day = day
    self.isOnOrAfter = isOnOrAfter
  }

  /// Single days by number first, then those without an end.
  public static func < (left: ReturnMeasure, right: ReturnMeasure) -> Bool {
    (left.isOnOrAfter ? 1 : 0, left.day) < (right.isOnOrAfter ? 1 : 0, right.day)
  }
}
