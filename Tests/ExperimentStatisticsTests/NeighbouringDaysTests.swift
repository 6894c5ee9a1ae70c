import Testing

@testable import ExperimentStatistics

/// How much a day resembles the day before, and what follows for means.
@Suite struct NeighbouringDaysTests {
  private func days(_ distances: [Double], every step: Int = 1) -> [NeighbouringDays.Distance] {
    distances.enumerated().map {
      NeighbouringDays.Distance(day: 20_000 + step * $0, fromMean: $1, trials: 1_000)
    }
  }

  /// - Parameter draw: the variance of a day's draw, for a variance of 1 between days.
  private func neighbours(
    _ distances: [Double], every step: Int = 1, draw: Double = 0
  ) -> NeighbouringDays {
    let variance = distances.reduce(0) { $0 + $1 * $1 } / Double(distances.count)
    return NeighbouringDays(
      days(distances, every: step), variance: variance, drawOfDay: draw * variance,
      daysLessWeekdays: distances.count)
  }

  /// The first autocorrelation by statsmodels 0.15.0, `acovf(x, adjusted=True, demean=False)`,
  /// [1] over [0].
  @Test func `the correlation is that of consecutive days, without its bias`() {
    let waves = [
      0.02, 0.03, 0.01, 0.01, -0.03, -0.02, 0.02, -0.01, 0.03, 0.0, -0.01, -0.02, -0.02, 0.01,
    ]
    let seen = 0.16568047337278113
    let unbiased = seen + (1 + 3 * seen) / 14
    // The normal posterior of a prior of 0.3 ± 0.5 and this with its standard error.
    func posterior(_ error: Double) -> Double {
      let precisions = (prior: 1 / 0.25, seen: 1 / (error * error))
      return (0.3 * precisions.prior + unbiased * precisions.seen)
        / (precisions.prior + precisions.seen)
    }
    for (draw, share) in [(0.0, 1.0), (1, 0.5), (9, 0.1)] {
      let found = neighbours(waves, draw: draw).correlation
      #expect(abs(found - posterior(1 / (share * 14.0.squareRoot()))) < 1e-12, "\(draw) \(found)")
    }
    // Days a week apart are no neighbours, and what alternates is none for long.
    #expect(neighbours(waves, every: 7).correlation == 0)
    #expect(neighbours((0..<280).map { $0 % 2 == 0 ? 0.02 : -0.02 }).correlation == 0)
    // A level that never comes back to the mean resembles itself as much as is allowed.
    #expect(neighbours((0..<280).map { $0 < 140 ? 0.02 : -0.02 }).correlation == 0.9)
    let none = NeighbouringDays(days(waves), variance: 0, drawOfDay: 1, daysLessWeekdays: 14)
    #expect(none.correlation == 0)
  }

  @Test(arguments: [0.0, 0.3, 0.9])
  func `the variance of a mean is the sum over all pairs of days`(correlation: Double) {
    let neighbours = NeighbouringDays(correlation: correlation)
    let shares = [(3, 0.1), (4, 0.25), (5, 0.15), (9, 0.3), (16, 0.2)]
    var sum = 0.0
    for one in shares {
      for other in shares {
        let apart = abs(one.0 - other.0)
        sum += one.1 * other.1 * (0..<apart).reduce(1) { product, _ in product * correlation }
      }
    }
    let found = neighbours.varianceOfMean(shares.map { .init(day: $0.0, share: $0.1) })
    #expect(abs(found - sum) < 1e-14)
    let week = neighbours.varianceOfMean((0..<7).map { .init(day: $0, share: 1 / 7) })
    #expect(abs(neighbours.varianceOfMean(days: 7) - week) < 1e-14)
    #expect(abs(neighbours.varianceOfMean(days: 1) - 1) < 1e-14)
  }

  @Test func `fewer degrees of freedom are left where days resemble each other`() {
    #expect(NeighbouringDays(correlation: 0).degreesOfFreedom(of: 21) == 21)
    #expect(NeighbouringDays(correlation: 0.5).degreesOfFreedom(of: 21) == 15)
    #expect(NeighbouringDays(correlation: 0.8).degreesOfFreedom(of: 2) == 1)
  }
}
