import Foundation
import Testing

@testable import ExperimentStatistics

@Suite struct LiftPosteriorTests {
  /// By a sum over the posterior of log(1 + lift), which is normal.
  @Test(arguments: [(0, 0.5), (40, 0.1), (-30, 0.2), (90, 1.0)])
  func `losses are means of what either choice costs`(more: Int, deviation: Double) throws {
    let (treatment, control) = (
      Proportion(successes: 100 + more, trials: 1_000), Proportion(successes: 110, trials: 1_000)
    )
    let posterior = try #require(
      LiftPosterior.of(
        StratifiedComparison(treatment: treatment, control: control),
        prior: .init(deviation: deviation)
      ).value)
    let interval = try #require(posterior.credibleInterval(level: 0.95).value)
    let mean = log(1 + posterior.lift)
    let spread = (log(1 + interval.upper) - log(1 + interval.lower)) / (2 * 1.959963984540054)
    let step = 1e-4
    var (fewer, greater) = (0.0, 0.0)
    for place in stride(from: -8 + step / 2, to: 8, by: step) {
      let lift = exp(mean + spread * place) - 1
      let weight = exp(-place * place / 2) / (2 * Double.pi).squareRoot() * step
      fewer += weight * max(0, -lift)
      greater += weight * max(0, lift)
    }
    let rate = 0.11
    #expect(abs(posterior.expectedLoss() - rate * fewer) < 1e-7)
    #expect(abs(posterior.expectedLoss(isLessBetter: true) - rate * greater) < 1e-7)
  }
}
