import ExperimentStatistics

/// A night's gate of seven rules on made-up counts: five rates against a baseline, one of them a
/// small and one a large rate, one bound, and the median and p90 of durations.
struct GateSimulation {
  static let rates = [0.6, 0.85, 0.3, 0.05, 0.96]
  /// Rate points.
  let margin: Double
  let trials: Int
  let baselineTrials: Int
  private let current: [BinomialTable]
  private let baseline: [BinomialTable]
  private let bound: BinomialTable
  private var random: SplitMix64

  /// - Parameter drop: by how much the first rate is truly worse.
  init(trials: Int, baselineTrials: Int, margin: Double, drop: Double = 0, seed: UInt64) {
    self.margin = margin
    self.trials = trials
    self.baselineTrials = baselineTrials
    current = Self.rates.enumerated().map {
      BinomialTable(trials: trials, share: $0.element - ($0.offset == 0 ? drop : 0))
    }
    baseline = Self.rates.map { BinomialTable(trials: baselineTrials, share: $0) }
    bound = BinomialTable(trials: trials, share: 0.8)
    random = SplitMix64(seed: seed)
  }

  /// The tests of one night.
  mutating func draw() -> [any DropTest] {
    var tests: [any DropTest] = Self.rates.indices.map { index in
      RateDrop(
        current: Proportion(successes: current[index].draw(using: &random), trials: trials),
        reference: Proportion(
          successes: baseline[index].draw(using: &random), trials: baselineTrials), margin: margin)
    }
    tests.append(
      RateBound(
        sample: Proportion(successes: bound.draw(using: &random), trials: trials), atLeast: 0.8,
        margin: margin))
    let (own, base) = (durations(trials), durations(baselineTrials))
    for share in [0.5, 0.9] {
      let reference = QuantileRise(
        sample: base, share: share, limit: 1, referenceTrials: nil, margin: 0)
      tests.append(
        QuantileRise(
          sample: own, share: share, limit: reference.estimate ?? 0,
          referenceTrials: baselineTrials, margin: 100 * margin))
    }
    return tests
  }

  /// Seconds to a tenth, about exponential.
  private mutating func durations(_ count: Int) -> ValueCounts {
    var counts: [Double: Int] = [:]
    for _ in 0..<count {
      var value = 0
      while random.next() % 64 != 0 { value += 1 }
      counts[Double(value * 10 + Int(random.next() % 10)) / 10, default: 0] += 1
    }
    return ValueCounts(counts.map { (value: $0.key, count: $0.value) })
  }
}
