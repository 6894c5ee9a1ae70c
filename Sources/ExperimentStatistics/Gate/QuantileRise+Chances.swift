/// What a sample would show if durations were longer.
///
/// The false-alarm rate is exact. The chance to catch a rise is read off the sample's own shape,
/// which 200 people draw roughly: at the 90th percentile it is some 5 points too high.
extension QuantileRise {
  /// The chance is summed over where the reference's quantile, an order statistic, falls: its place
  /// u in its distribution is beta distributed (David and Nagaraja, Order Statistics, 2003, section
  /// 2.3), and given u the number of observations above is binomial. The two conditions of a
  /// failure, shown and beyond the margin, ask for a number above each of two values; the smaller
  /// chance of the two stands for both, which errs on the side of more failures.
  public func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0, referenceTrials != 0, limit > 0,
      let estimate, estimate > 0
    else { return 0 }
    let shape = DurationShape(sample)
    let needed = fewestAbove(alpha: alpha, trials: trials)
    let ofQuantile = trials - rank(among: trials) + 1
    let stretch = limit / (limit + max(-0.999 * limit, drop))
    let unit = estimate / limit
    return places.reduce(0) { sum, place in
      let value = shape.value(at: place.share)
      let shown = chance(of: needed, among: trials, 1 - shape.share(atOrBelow: value * stretch))
      guard referenceTrials != nil else { return sum + place.weight * shown }
      let beyond = (value + margin * unit) * stretch
      let large = chance(of: ofQuantile, among: trials, 1 - shape.share(atOrBelow: beyond))
      return sum + place.weight * min(shown, large)
    }
  }

  /// The chance that so few lie above the reference's quantile and the margin that the quantile is
  /// shown not to be that high; of a fixed limit, above the limit.
  public func chanceToHold(drop: Double, alpha: Double, trials: Int) -> Double {
    guard alpha > 0, alpha < 1, trials > 0, referenceTrials != 0, limit > 0,
      let estimate, estimate > 0
    else { return 0 }
    let shape = DurationShape(sample)
    let most = mostAbove(alpha: alpha, trials: trials)
    guard most >= 0 else { return 0 }
    let stretch = limit / (limit + max(-0.999 * limit, drop))
    let added = referenceTrials == nil ? 0 : margin * estimate / limit
    return places.reduce(0) { sum, place in
      let border = (shape.value(at: place.share) + added) * stretch
      let above = 1 - shape.share(atOrBelow: border)
      return sum + place.weight * (1 - chance(of: most + 1, among: trials, above))
    }
  }

  /// P(X >= count), X binomial.
  private func chance(of count: Int, among trials: Int, _ share: Double) -> Double {
    guard count > 0 else { return 1 }
    return BinomialDistribution.tails(
      Double(count - 1), trials: Double(trials), share: min(1, max(0, share))
    ).upper
  }

  /// The smallest number of observations above the limit that shows a rise; one more than there
  /// are where none does.
  private func fewestAbove(alpha: Double, trials: Int) -> Int {
    var (low, high) = (0, trials + 1)
    while low < high {
      let middle = low + (high - low) / 2
      if risenP(middle, trials: trials) < alpha { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The largest number of observations above a border that shows the quantile not to be that high;
  /// -1 where none does.
  private func mostAbove(alpha: Double, trials: Int) -> Int {
    var (low, high) = (0, trials)
    while low < high {
      let middle = low + (high - low) / 2
      if fallenP(middle, trials: trials) < alpha { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  /// The shares of the reference's distribution that may lie at or below its sample's quantile,
  /// with weights that sum to 1; of a fixed limit the one that should.
  private var places: [(share: Double, weight: Double)] {
    guard let referenceTrials, referenceTrials > 0 else { return [(share, 1)] }
    let rank = rank(among: referenceTrials)
    let beta = BetaDistribution(alpha: Double(rank), beta: Double(referenceTrials - rank + 1))
    let reach = 9 * beta.standardDeviation
    let (low, high) = (max(0, beta.mean - reach), min(1, beta.mean + reach))
    let panels = 4
    let width = (high - low) / Double(panels)
    var places: [(share: Double, weight: Double)] = []
    for panel in 0..<panels {
      let centre = low + (Double(panel) + 0.5) * width
      for (node, weight) in GaussLegendre.points {
        let share = centre + 0.5 * width * node
        places.append((share, weight * beta.density(share, complement: 1 - share)))
      }
    }
    let sum = places.reduce(0) { $0 + $1.weight }
    return sum > 0 ? places.map { ($0.share, $0.weight / sum) } : [(share, 1)]
  }
}
