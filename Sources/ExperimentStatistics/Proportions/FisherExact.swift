extension ProportionComparison {
  /// Fisher's exact two-sided p-value: the chance, all margins held, of a table as likely as this
  /// one or less likely (Fisher, Statistical Methods for Research Workers, 1934, section 21.02).
  ///
  /// It is conservative and not of the score family: shown beside the score test where
  /// ``hasSmallCell``, it never decides. Unavailable without trials in either group, and beyond
  /// 4.5e15 trials (`tooMany`).
  public func fisherExact() -> Estimate<Double> {
    guard treatment.trials > 0, control.trials > 0 else {
      return .unavailable(.emptyDenominator)
    }
    let table = HypergeometricDistribution(
      firstPile: Double(treatment.trials), secondPile: Double(control.trials),
      drawn: Double(treatment.successes) + Double(control.successes))
    guard table.total <= HypergeometricDistribution.largestTotal else {
      return .unavailable(.tooMany)
    }
    let observed = Double(treatment.successes)
    // Tables that are equally likely differ in their last digits only.
    let limit = table.density(observed) * (1 + 1e-12)
    let mode = table.mode
    guard table.density(mode) > limit else { return .value(1) }
    if observed > mode {
      let opposite = FisherExact.border(inside: mode, outside: table.smallest - 1) {
        table.density($0) > limit
      }
      return .value(min(1, table.tails(observed - 1).upper + table.tails(opposite).lower))
    }
    let opposite = FisherExact.border(inside: mode, outside: table.largest + 1) {
      table.density($0) > limit
    }
    return .value(min(1, table.tails(observed).lower + table.tails(opposite - 1).upper))
  }
}

/// The search for the opposite tail.
private enum FisherExact {
  /// The whole number nearest to `inside` for which the condition fails, going to `outside`.
  static func border(
    inside: Double, outside: Double, holds: (Double) -> Bool
  ) -> Double {
    var (inside, outside) = (inside, outside)
    while abs(outside - inside) > 1 {
      let middle = ((inside + outside) / 2).rounded(.down)
      if holds(middle) { inside = middle } else { outside = middle }
    }
    return outside
  }
}
