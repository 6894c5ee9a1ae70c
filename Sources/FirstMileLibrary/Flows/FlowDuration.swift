/// A length of time in a flow that is built in code: `.days(7)`.
public struct FlowDuration: Sendable, Hashable {
  /// How long it is.
  public let milliseconds: Int64

  /// A time of this length.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// So many seconds.
  public static func seconds(_ count: Int) -> FlowDuration { multiple(count, of: 1000) }
  /// So many minutes.
  public static func minutes(_ count: Int) -> FlowDuration { multiple(count, of: 60_000) }
  /// So many hours.
  public static func hours(_ count: Int) -> FlowDuration { multiple(count, of: 3_600_000) }
  /// Days of 24 hours.
  public static func days(_ count: Int) -> FlowDuration { multiple(count, of: 86_400_000) }

  /// What is longer than the calendar is as long as it.
  private static func multiple(_ count: Int, of milliseconds: Int64) -> FlowDuration {
    let (product, overflows) = Int64(clamping: count).multipliedReportingOverflow(by: milliseconds)
    return FlowDuration(milliseconds: overflows ? (count < 0 ? .min : .max) : product)
  }
}
