import ExperimentStatistics
import Testing

@Suite struct ConfidenceSequenceTests {
  @Test func `too early there is no interval`() {
    let few = Proportion(successes: 4, trials: 900)
    let many = Proportion(successes: 400, trials: 900)
    let empty = Proportion(successes: 0, trials: 0)
    #expect(ConfidenceSequence.difference(treatment: few, control: many).reason == .tooFew)
    #expect(ConfidenceSequence.relativeLift(treatment: many, control: few).reason == .tooFew)
    #expect(
      ConfidenceSequence.pValue(treatment: many, control: empty).reason == .emptyDenominator)
    #expect(
      ConfidenceSequence.difference(treatment: many, control: many, tuningTrials: 0).reason
        == .invalidInput)
  }
}
