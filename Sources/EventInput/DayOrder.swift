/// Which of the two numbers before a year is the month, in times like `11/24/2026 10:15:00 PM`.
public enum DayOrder: String, Sendable, Hashable, CaseIterable {
  case monthFirst = "month_first"
  case dayFirst = "day_first"
}
