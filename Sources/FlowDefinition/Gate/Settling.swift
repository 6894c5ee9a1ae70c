/// How long after people began a number of them can change no more.
public struct Settling: Sendable, Hashable, Comparable {
  /// Some dates after a moment: what is measured by local dates is over at the end of one.
  public struct Dates: Sendable, Hashable, Comparable {
    /// The latest that the first date may be that of, in milliseconds after people began.
    public var anchorMilliseconds: Int64
    /// How many dates later the first one begins on which nothing changes.
    public var count: Int

    /// By about how long it takes, then by the dates.
    public static func < (left: Dates, right: Dates) -> Bool {
      func length(_ dates: Dates) -> Int64 {
        dates.anchorMilliseconds + Int64(dates.count) * 86_400_000
      }
      return (length(left), left.count) < (length(right), right.count)
    }
  }

  /// So long at least.
  public var milliseconds: Int64
  /// And to the end of these dates, where something is measured by them.
  public var dates: Dates?

  /// A number that is settled after some time, whatever the dates.
  public init(milliseconds: Int64, dates: Dates? = nil) {
    self.milliseconds = milliseconds
    self.dates = dates
  }

  /// By the time; of equals those without dates first.
  public static func < (left: Settling, right: Settling) -> Bool {
    if left.milliseconds != right.milliseconds { return left.milliseconds < right.milliseconds }
    guard let dates = right.dates else { return false }
    return left.dates.map { $0 < dates } ?? true
  }
}
