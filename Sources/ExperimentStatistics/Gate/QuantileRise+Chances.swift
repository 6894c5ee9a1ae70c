/// What a sample would show if durations were longer.
///
/// The false-alarm rate is exact (``ExceedanceDistribution``). The chance to catch a rise is read
/// off the sample's own shape, which 200 people draw roughly. Two errors of that are taken out: the
/// gap that a value falls into is longer than others (``DurationShape/shareAbove(_:moved:)``), and
/// a chance that is promised from a shape that varies from sample to sample lies nearer to a half,
/// on average, than the chance of the true shape.
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
    let promised = places.reduce(0) { sum, place in
      let above = shape.shareAbove(place.share) { $0 * stretch }
      let shown = chance(of: needed, among: trials, above)
      guard referenceTrials != nil else { return sum + place.weight * shown }
      let beyond = shape.shareAbove(place.share) { ($0 + margin * unit) * stretch }
      let large = chance(of: ofQuantile, among: trials, beyond)
      return sum + place.weight * min(shown, large)
    }
    return unshrunk(promised, shape.shareAbove(share) { $0 * stretch }, trials: trials)
  }

  /// A chance as it would be if the sample's shape were the true one: with v the shape's part of
  /// the variance of how many lie above, the mean of a normal chance of z is that of z sqrt(1 - v).
  private func unshrunk(_ chance: Double, _ above: Double, trials: Int) -> Double {
    let own = Double(sample.total)
    let between = (above - (1 - share)).magnitude
    guard chance > 0, chance < 1, between > 0 else { return chance }
    let ofShape = between * max(0, 1 - between / share) / own
    var ofNight = above * (1 - above) / Double(trials)
    if let referenceTrials { ofNight += share * (1 - share) / Double(max(1, referenceTrials)) }
    guard ofNight > 0 else { return chance }
    let growth = 1 / max(0.25, 1 - ofShape / ofNight).squareRoot()
    return NormalDistribution.cumulative(NormalDistribution.quantile(chance) * growth)
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
    let promised = places.reduce(0) { sum, place in
      let above = shape.shareAbove(place.share) { ($0 + added) * stretch }
      return sum + place.weight * (1 - chance(of: most + 1, among: trials, above))
    }
    return unshrunk(
      promised, shape.shareAbove(share) { ($0 + added) * stretch }, trials: trials)
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
