/// How p-values of one family are adjusted for there being several of them.
public enum MultipleTesting: String, Sendable, Hashable, CaseIterable {
  /// Holm's step-down: bounds the chance of any false alarm in the family
  /// (Holm, Scandinavian Journal of Statistics 6, 1979).
  case holm
  /// Benjamini and Hochberg's step-up: bounds the expected share of false alarms among the
  /// findings (Journal of the Royal Statistical Society B 57, 1995).
  case benjaminiHochberg
  /// The p-values as they are.
  case none

  /// The adjusted p-values, in the order given, each between its raw value and 1.
  ///
  /// Values out of range are held between 0 and 1, and a NaN counts as 1: it can't be a finding.
  /// Equal p-values get equal adjusted ones, so the order of ties does not show.
  public func adjust(_ pValues: [Double]) -> [Double] {
    // Swift's max passes a NaN on, so it is met first.
    let values = pValues.map { $0.isNaN ? 1 : min(1, max(0, $0)) }
    let count = Double(values.count)
    let ascending = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var adjusted = values
    switch self {
    case .none:
      break
    case .holm:
      var largest = 0.0
      for (rank, index) in ascending.enumerated() {
        largest = max(largest, min(1, (count - Double(rank)) * values[index]))
        adjusted[index] = largest
      }
    case .benjaminiHochberg:
      var smallest = 1.0
      for (rank, index) in ascending.enumerated().reversed() {
        smallest = min(smallest, count / Double(rank + 1) * values[index])
        adjusted[index] = smallest
      }
    }
    return adjusted
  }

  /// The confidence level whose interval leaves out "no difference" exactly where the adjusted
  /// p-value of this one comparison is under `1 - level`, given the family it stands in.
  ///
  /// The adjusted p is some factor times the raw one; the level divides its alpha by that factor.
  /// Where there is no factor (a raw p of 0), Bonferroni's is used, whose interval is never
  /// narrower. Nil for an index that is not in the family.
  public func intervalLevel(
    for index: Int, among pValues: [Double], level: Double
  ) -> Double? {
    guard pValues.indices.contains(index) else { return nil }
    return intervalLevel(
      raw: pValues[index], adjusted: adjust(pValues)[index], familySize: pValues.count,
      level: level)
  }

  /// That level for a p-value whose adjusted one is known, in a family of some size.
  public func intervalLevel(raw: Double, adjusted: Double, familySize: Int, level: Double) -> Double
  {
    if self == .none { return level }
    let alpha = 1 - level
    let family = Double(familySize)
    // No factor exceeds the family's size: an adjusted p is pulled up only by a smaller raw one.
    let factor = raw > 0 ? min(family, max(1, adjusted / raw)) : family
    return 1 - alpha / factor
  }
}
