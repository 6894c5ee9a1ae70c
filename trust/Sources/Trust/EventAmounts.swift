import ExperimentStatistics
import Foundation

/// Amounts an event, of people who have one event or several that resemble each other.
enum EventAmounts {
  private struct Setting: Sendable {
    var people: Int
    var payers: Double
    /// The chance that an event is followed by another in the control; in the variant it is larger.
    var again: Double
  }

  /// Sums over people, as the tally has them.
  private struct Sums {
    var count = 0
    var amount = 0.0
    var events = 0.0
    var amountSquares = 0.0
    var eventSquares = 0.0
    var products = 0.0
    var eventAmountSquares = 0.0

    /// Each event is followed by another with the chance `again`; a person's amounts lie around a
    /// level of their own.
    mutating func add(_ people: Int, payers: Double, again: Double, _ draws: inout Draws) {
      count += people
      for _ in 0..<draws.binomial(people, payers) {
        let level = 2 + 0.7 * draws.normal()
        var (own, number) = (0.0, 0.0)
        repeat {
          let amount = exp(level + 0.4 * draws.normal())
          own += amount
          number += 1
          eventAmountSquares += amount * amount
        } while draws.uniform() < again
        amount += own
        events += number
        amountSquares += own * own
        eventSquares += number * number
        products += own * number
      }
    }

    /// With people as what is drawn.
    var ratio: SampleMean? {
      let n = Double(count)
      func covariance(_ products: Double, _ first: Double, _ second: Double) -> Double {
        (products - first * second / n) / (n - 1)
      }
      return RatioOfMeans(
        count: count, numerator: amount / n, denominator: events / n,
        numeratorVariance: covariance(amountSquares, amount, amount),
        denominatorVariance: covariance(eventSquares, events, events),
        covariance: covariance(products, amount, events)
      ).linearised
    }

    /// With events as if each were a person.
    var mean: SampleMean {
      SampleMean(
        count: Int(events), mean: amount / events,
        variance: (eventAmountSquares - amount * amount / events) / (events - 1))
    }
  }

  static let coverage = Section(
    title: "Intervals of amounts per event",
    method: """
      People who buy at all go on buying with a chance, and their amounts lie around a level of \
      their own (log-normal). In the variant people go on more often, at the same amounts. The \
      95 % interval of the difference of the amount per event (delta method over people) must \
      contain 0. "Events alone" is how often the interval does so that takes each event for a \
      person.
      """,
    otherHeading: "events alone",
    settings: [
      Setting(people: 2_000, payers: 0.2, again: 0.5),
      Setting(people: 5_000, payers: 0.05, again: 0.5),
      Setting(people: 5_000, payers: 0.02, again: 0.3),
      Setting(people: 25_000, payers: 0.02, again: 0.8),
    ]
  ) { row($0) }

  private static func row(_ setting: Setting) -> Row {
    let runs = 6_000
    var draws = Draws(seed: UInt64(setting.people) + UInt64(100 * setting.again))
    var (covered, alone) = (0, 0)
    func contains(_ treatment: SampleMean?, _ control: SampleMean?) -> Bool {
      guard let treatment, let control else { return true }
      let comparison = MeanComparison(strata: [.init(treatment: treatment, control: control)])
      return comparison.difference().value?.interval.contains(0) ?? true
    }
    for _ in 0..<runs {
      var (treatment, control) = (Sums(), Sums())
      treatment.add(
        setting.people, payers: setting.payers, again: setting.again + 0.1, &draws)
      control.add(setting.people, payers: setting.payers, again: setting.again, &draws)
      if contains(treatment.ratio, control.ratio) { covered += 1 }
      if contains(treatment.mean, control.mean) { alone += 1 }
    }
    return Row(
      "\(setting.people) people a group, \(Section.percent(setting.payers)) with events,"
        + " again with \(Section.percent(setting.again))",
      .atLeast(0.95), runs: runs, count: covered, other: Double(alone) / Double(runs))
  }
}
