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

  /// The level at which a comparison is shown whatever the others of its family show: what a
  /// sample has to be planned for.
  ///
  /// Of Holm's steps, and of Benjamini and Hochberg's, the first is the strictest: alpha over the
  /// number of comparisons. A sample that is planned at alpha itself shows a true effect far less
  /// often than it promises.
  public func plannedAlpha(_ alpha: Double, comparisons: Int) -> Double {
    switch self {
    case .holm, .benjaminiHochberg: alpha / Double(max(1, comparisons))
    case .none: alpha
    }
  }

  /// One minus the confidence level of each comparison's interval, in the order given: at it the
  /// interval leaves out "no difference" exactly where the adjusted p-value is under `alpha`.
  ///
  /// So that what is shown is what decides:
  /// - Holm: a comparison that is shown has alpha over the number of hypotheses that were still
  ///   open at its step (Serlin, Journal of Experimental Education 61, 1993; Efird and Nielsen,
  ///   International Journal of Environmental Research and Public Health 5, 2008). Those that are
  ///   not have alpha over their number, with which they are simultaneous intervals (Guilbaud,
  ///   Biometrical Journal 50, 2008).
  /// - Benjamini and Hochberg: alpha times the share of the family that is shown, which bounds the
  ///   expected share of the shown whose interval misses (Benjamini and Yekutieli, Journal of the
  ///   American Statistical Association 100, 2005).
  ///
  /// Equal p-values have equal levels.
  public func intervalAlphas(_ pValues: [Double], alpha: Double) -> [Double] {
    let adjusted = adjust(pValues)
    let count = Double(pValues.count)
    let shown = Double(adjusted.count { $0 < alpha })
    switch self {
    case .none:
      return pValues.map { _ in alpha }
    case .benjaminiHochberg:
      return pValues.map { _ in alpha * (max(1, shown) / count) }
    case .holm:
      var alphas = pValues.map { _ in alpha / max(1, count - shown) }
      let ascending = pValues.indices.filter { adjusted[$0] < alpha }
        .sorted { (pValues[$0], $0) < (pValues[$1], $1) }
      var first = 0
      for (rank, index) in ascending.enumerated() {
        if pValues[index] != pValues[ascending[first]] { first = rank }
        alphas[index] = alpha / (count - Double(first))
      }
      return alphas
    }
  }
}
