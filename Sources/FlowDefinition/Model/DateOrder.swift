/// Which of the two numbers before a year is the month, in dates like `11/24/2026`.
public enum DateOrder: String, Sendable, Hashable, Codable, CaseIterable {
  /// `11/24/2026`, as in the United States.
  case monthFirst = "month_first"
  /// `24/11/2026`, as in Europe.
  case dayFirst = "day_first"
}
