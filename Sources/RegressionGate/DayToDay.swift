/// What is known of how much a rate differs from day to day, where it is held against a baseline.
package struct DayToDay: Sendable, Hashable {
  /// Days of the baseline on which somebody counts for the rate; 0 where it has no counts by day.
  package var days: Int
  /// How far the true rate of one day lies from that of another; `nil` where too few days are
  /// known.
  package var deviation: Double?
  /// How much a day resembles the one before it, 0 to 0.9.
  package var neighbourCorrelation: Double?
  /// The baseline's rate on the same weekdays; `nil` where weekdays were not compared.
  package var referenceOnSameWeekdays: Double?
}
