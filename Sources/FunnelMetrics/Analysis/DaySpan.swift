internal import FunnelEngine

/// Whole days, both ends included, as days since 1970 in a flow's time zone.
public struct DaySpan: Sendable, Hashable {
  /// The first day that belongs to it.
  public var first: Int
  /// The last day that belongs to it.
  public var last: Int

  /// Spans two days and all between them; `last` must not be before `first`.
  public init(first: Int, last: Int) {
    self.first = first
    self.last = last
  }

  /// How many days it has.
  public var count: Int { last - first + 1 }

  /// Whether a day is in both.
  public func overlaps(_ other: DaySpan) -> Bool { first <= other.last && other.first <= last }

  /// The days of both; `nil` where there is none.
  public func intersection(_ other: DaySpan) -> DaySpan? {
    guard overlaps(other) else { return nil }
    return DaySpan(first: max(first, other.first), last: min(last, other.last))
  }

  /// `2026-03-01 to 2026-03-07`, or the only day; as `--period` takes it.
  public var text: String {
    first == last ? Self.text(first) : "\(Self.text(first)) to \(Self.text(last))"
  }

  /// `2026-03-01`
  public static func text(_ day: Int) -> String {
    CivilCalendar.label(ofDay: day, unit: .day)
  }
}
