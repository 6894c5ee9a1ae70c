import ExperimentStatistics
import Testing

@Suite struct ConfidenceSequenceTests {
  @Test func `intervals and p-values agree with gbstats`() throws {
    for row in try ReferenceFile("confidence-sequence").cases {
      let treatment = Proportion(successes: Int(row.inputs[0]), trials: Int(row.inputs[1]))
      let control = Proportion(successes: Int(row.inputs[2]), trials: Int(row.inputs[3]))
      let (level, tuning) = (row.inputs[4], Int(row.inputs[5]))
      let isRelative = row.inputs[6] == 1
      let estimate =
        isRelative
        ? ConfidenceSequence.relativeLift(
          treatment: treatment, control: control, level: level, tuningTrials: tuning)
        : ConfidenceSequence.difference(
          treatment: treatment, control: control, level: level, tuningTrials: tuning)
      #expect(agrees(estimate.value?.interval.lower, row.expected[0]), "\(row)")
      #expect(agrees(estimate.value?.interval.upper, row.expected[1]), "\(row)")
      guard !isRelative else { continue }
      let p = ConfidenceSequence.pValue(
        treatment: treatment, control: control, level: level, tuningTrials: tuning)
      #expect(agrees(p.value, row.expected[2]), "\(row)")
    }
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
      ConfidenceSequence.difference(treatment: many, control: many, tuningTrials: 0).reason
        == .invalidInput)
  }
}
