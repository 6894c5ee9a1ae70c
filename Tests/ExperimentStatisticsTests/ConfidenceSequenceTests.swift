import ExperimentStatistics
import Testing

@Suite struct ConfidenceSequenceTests {
  /// With one tuning for all levels, an adjusted p and the interval of its level agree.
  @Test func pAndIntervalOfEveryLevelAgree() throws {
    let tuning = SequentialTuning(trials: 2000)
    var excluded = 0
    for successes in stride(from: 10, through: 990, by: 7) {
      let treatment = Proportion(successes: successes, trials: 1000)
      let control = Proportion(successes: 300, trials: 900)
      let p = try #require(
        ConfidenceSequence.pValue(treatment: treatment, control: control, tuning: tuning).value)
      for alpha in [0.2, 0.05, 0.05 / 7, 0.001] {
        let difference = try #require(
          ConfidenceSequence.difference(
            treatment: treatment, control: control, level: 1 - alpha, tuning: tuning
          ).value)
        let isExcluded = difference.interval.lower > 0 || difference.interval.upper < 0
        #expect(isExcluded == (p < alpha), "\(successes) at \(alpha)")
        excluded += isExcluded ? 1 : 0
      }
    }
    #expect(excluded > 100 && excluded < 560)
  }

  @Test func `too early there is no interval`() {
    let few = Proportion(successes: 4, trials: 900)
    let many = Proportion(successes: 400, trials: 900)
    let empty = Proportion(successes: 0, trials: 0)
    #expect(ConfidenceSequence.difference(treatment: few, control: many).reason == .tooFew)
    #expect(ConfidenceSequence.relativeLift(treatment: many, control: few).reason == .tooFew)
    #expect(
      ConfidenceSequence.pValue(treatment: many, control: empty).reason == .emptyDenominator)
    #expect(
      ConfidenceSequence.difference(
        treatment: many, control: many, tuning: SequentialTuning(trials: 0)
      ).reason
        == .invalidInput)
  }

  /// Nobody of either group and everybody of both: there is no difference that could be shown.
  @Test(arguments: [0.0, 1.0]) func noTrialsShowADifferenceThatIsNone(rate: Double) {
    #expect(
      SequentialPower.trialsNeeded(treatmentRate: rate, controlRate: rate).reason == .unreachable)
    let all = Proportion(successes: rate == 0 ? 0 : 500, trials: 500)
    let verdict = Verdict.of(
      ProportionComparison(treatment: all, control: all), adjustedP: 1, targetLift: 0.05,
      sequential: SequentialTuning())
    #expect(verdict == .tooEarly(missing: nil))
  }

  /// The trials that are said to be needed show the difference in about the share of looks that is
  /// said, and are more than a single look needs.
  @Test func whatALookNeedsIsWhatItShowsWith() throws {
    let needed = try #require(
      SequentialPower.trialsNeeded(treatmentRate: 0.65, controlRate: 0.6).value)
    let single = try #require(Power.trialsNeeded(treatmentRate: 0.65, controlRate: 0.6).value)
    #expect(needed.total > single.total)
    var random = SplitMix64(seed: 11)
    func draw(_ rate: Double, _ trials: Int) -> Proportion {
      Proportion(successes: random.successes(of: trials, chance: rate), trials: trials)
    }
    var shown = 0
    for _ in 0..<400 {
      let p = ConfidenceSequence.pValue(
        treatment: draw(0.65, needed.treatment), control: draw(0.6, needed.control)
      ).value
      shown += (p ?? 1) < 0.05 ? 1 : 0
    }
    // 80 % of 400, within three standard errors of 8.
    #expect((296...344).contains(shown), "\(shown)")
    let lift = try #require(
      SequentialPower.smallestDetectableLift(
        controlRate: 0.6, treatmentTrials: needed.treatment, controlTrials: needed.control
      ).value)
    #expect(abs(lift - 0.05 / 0.6) < 1e-3, "\(lift)")
  }

  @Test func `the lift leaves out 0 exactly where the difference does`() throws {
    var random = SplitMix64(seed: 77)
    var (excluded, bounded) = (0, 0)
    for _ in 0..<2000 {
      func rate() -> Proportion {
        let trials = Int.random(in: 40...4000, using: &random)
        return Proportion(
          successes: Int.random(in: 5...(trials - 5), using: &random), trials: trials)
      }
      let (treatment, control) = (rate(), rate())
      let level = [0.8, 0.95, 0.995].randomElement(using: &random) ?? 0.95
      let difference = try #require(
        ConfidenceSequence.difference(treatment: treatment, control: control, level: level).value)
      guard
        let lift = ConfidenceSequence.relativeLift(
          treatment: treatment, control: control, level: level
        ).value
      else { continue }
      bounded += 1
      excluded += difference.interval.contains(0) ? 0 : 1
      #expect(
        lift.interval.contains(0) == difference.interval.contains(0),
        "\(treatment) \(control) \(level)")
      #expect(lift.interval.contains(lift.estimate))
    }
    #expect(bounded > 1000 && excluded > 300)
  }

  /// Fieller's bounds solve (t − r c)² = s (var t + r² var c), s from the interval of the difference.
  @Test func `the bounds of a lift are ratios that are just ruled out`() throws {
    let treatment = Proportion(successes: 320, trials: 900)
    let control = Proportion(successes: 250, trials: 1000)
    let (t, c) = (320.0 / 900, 0.25)
    let (ownVariance, baseVariance) = (t * (1 - t) / 900, c * (1 - c) / 1000)
    let difference = try #require(
      ConfidenceSequence.difference(treatment: treatment, control: control).value)
    let half = (difference.interval.upper - difference.interval.lower) / 2
    let scale = half * half / (ownVariance + baseVariance)
    let lift = try #require(
      ConfidenceSequence.relativeLift(treatment: treatment, control: control).value)
    for bound in [lift.interval.lower, lift.interval.upper] {
      let ratio = 1 + bound
      let distance = (t - ratio * c) * (t - ratio * c)
      let variance = ownVariance + ratio * ratio * baseVariance
      #expect(abs(distance - scale * variance) < 1e-12)
    }
  }

  @Test func `a ratio has no bounds when the control's rate may be 0`() {
    let lift = ConfidenceSequence.relativeLift(
      treatment: Proportion(successes: 400, trials: 900),
      control: Proportion(successes: 5, trials: 200))
    #expect(lift.reason == .zeroControl)
  }
}
