import ExperimentStatistics
import Foundation
import Testing

/// What a planned sample promises, by simulation with fixed seeds.
@Suite struct PlanningTests {
  /// Three Monte-Carlo standard errors of a share.
  private func margin(_ share: Double, _ runs: Int) -> Double {
    3 * (share * (1 - share) / Double(runs)).squareRoot()
  }

  private struct Family {
    var shown = 0
    var noneShown = 0
    var tooEarly = 0
  }

  /// Runs of twelve metrics decided together by Holm, one of which the treatment lifts from 30 % to
  /// 33 %, at a sample planned for a level.
  private func family(runs: Int, plannedAt alpha: Double) throws -> Family {
    let size = try #require(
      Power.trialsNeeded(treatmentRate: 0.33, controlRate: 0.3, alpha: alpha).value
    ).control
    var random = SplitMix64(seed: 12)
    let (control, treated) = (
      BinomialTable(trials: size, share: 0.3), BinomialTable(trials: size, share: 0.33)
    )
    let planned = MultipleTesting.holm.plannedAlpha(0.05, comparisons: 12)
    var family = Family()
    for _ in 0..<runs {
      let comparisons = (0..<12).map { metric in
        let treatment = metric == 0 ? treated : control
        return ProportionComparison(
          treatment: Proportion(successes: treatment.draw(using: &random), trials: size),
          control: Proportion(successes: control.draw(using: &random), trials: size))
      }
      let adjusted = MultipleTesting.holm.adjust(
        comparisons.map { $0.scoreTest().value?.twoSidedP ?? 1 })
      switch Verdict.of(
        comparisons[0], adjustedP: adjusted[0], targetLift: 0.1, plannedAlpha: planned)
      {
      case .higher, .lower: family.shown += 1
      case .noneShown: family.noneShown += 1
      case .tooEarly, .withinMargin, .beyondMargin: family.tooEarly += 1
      }
    }
    return family
  }

  @Test func `a sample planned for its family shows what it promises`() throws {
    let runs = 500
    let planned = MultipleTesting.holm.plannedAlpha(0.05, comparisons: 12)
    #expect(abs(planned - 0.05 / 12) < 1e-15)
    let family = try family(runs: runs, plannedAt: planned)
    let share = Double(family.shown) / Double(runs)
    print("Power of one effect among 12, planned at alpha / 12: \(share)")
    #expect(share >= 0.8 - margin(0.8, runs))
  }

  @Test func `a sample planned for one metric is too early for twelve`() throws {
    let runs = 500
    let family = try family(runs: runs, plannedAt: 0.05)
    print(
      "Planned at alpha: shown \(family.shown), none shown \(family.noneShown), too early",
      "\(family.tooEarly) of \(runs)")
    // The power is half of what was promised, and no true effect is called absent.
    #expect(Double(family.shown) / Double(runs) < 0.7)
    #expect(family.noneShown == 0 && family.tooEarly > 0)
  }

  @Test(arguments: [(0.3, 0.1), (0.6, 0.04), (0.85, 0.02)])
  func `a guardrail holds wrongly in one of twenty, and rightly as often as planned`(
    rate: Double, loss: Double
  ) throws {
    let size = try #require(
      NonInferiority.trialsNeeded(rate: rate, margin: loss).value
    ).control
    var random = SplitMix64(seed: 13)
    let runs = 2_000
    let level = NonInferiority.intervalLevel(alpha: 0.05, isSequential: false)
    let control = BinomialTable(trials: size, share: rate)
    func holds(_ treatment: BinomialTable) -> Double {
      let held = (0..<runs).count { _ in
        let comparison = StratifiedComparison(
          treatment: Proportion(successes: treatment.draw(using: &random), trials: size),
          control: Proportion(successes: control.draw(using: &random), trials: size))
        let lift = comparison.relativeLift(level: level).value
        return lift.map { NonInferiority.of($0.interval, margin: loss) } == .withinMargin
      }
      return Double(held) / Double(runs)
    }
    let wrong = holds(BinomialTable(trials: size, share: rate * (1 - loss)))
    let right = holds(control)
    print("Guardrail \(rate), margin \(loss): wrongly \(wrong), rightly \(right), n \(size)")
    #expect(abs(wrong - 0.05) <= margin(0.05, runs))
    #expect(abs(right - 0.8) <= margin(0.8, runs))
  }

  @Test func `a watched guardrail rarely holds where it is at its margin`() throws {
    var random = SplitMix64(seed: 14)
    let (runs, perDay) = (1_000, 150)
    let control = BinomialTable(trials: perDay, share: 0.5)
    let treatment = BinomialTable(trials: perDay, share: 0.5 * 0.92)
    let level = NonInferiority.intervalLevel(alpha: 0.05, isSequential: true)
    var held = 0
    for _ in 0..<runs {
      var (x1, x0) = (0, 0)
      for day in 1...60 {
        x1 += treatment.draw(using: &random)
        x0 += control.draw(using: &random)
        let lift = ConfidenceSequence.relativeLift(
          treatment: Proportion(successes: x1, trials: day * perDay),
          control: Proportion(successes: x0, trials: day * perDay), level: level)
        guard let interval = lift.value?.interval else { continue }
        if NonInferiority.of(interval, margin: 0.08) == .withinMargin {
          held += 1
          break
        }
      }
    }
    print("A watched guardrail held wrongly in \(held) of \(runs)")
    #expect(Double(held) / Double(runs) <= 0.05 + margin(0.05, runs))
  }

  @Test func `a rise is the loss where lower is better`() {
    let interval = Interval(lower: -0.01, upper: 0.03)
    #expect(NonInferiority.of(interval, margin: 0.02) == .withinMargin)
    #expect(NonInferiority.of(interval, margin: 0.02, lowerIsBetter: true) == .open)
    let rise = Interval(lower: 0.03, upper: 0.05)
    #expect(NonInferiority.of(rise, margin: 0.02, lowerIsBetter: true) == .beyondMargin)
    #expect(NonInferiority.of(rise, margin: 0.02) == .withinMargin)
  }

  @Test func `what a guardrail can't be planned for says why`() {
    func reason(_ rate: Double, _ margin: Double, _ alpha: Double = 0.05) -> Unavailable? {
      NonInferiority.trialsNeeded(rate: rate, margin: margin, alpha: alpha).reason
    }
    #expect(reason(0, 0.1) == .noVariation && reason(1, 0.1) == .noVariation)
    #expect(reason(0.5, 0) == .invalidInput && reason(1.5, 0.1) == .invalidInput)
    #expect(reason(0.5, 0.1, 0) == .invalidLevel && reason(.nan, 0.1) == .invalidInput)
    let single = NonInferiority.trialsNeeded(rate: 0.5, margin: 0.05).value
    let watched = NonInferiority.trialsNeeded(
      rate: 0.5, margin: 0.05, sequential: SequentialTuning()
    ).value
    #expect((watched?.total ?? 0) > (single?.total ?? .max))
  }
}
