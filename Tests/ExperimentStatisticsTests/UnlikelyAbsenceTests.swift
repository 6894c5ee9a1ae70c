import ExperimentStatistics
import Testing

@Suite struct UnlikelyAbsenceTests {
  @Test("absence is unlikely from the trials on at which the product of chances says so")
  func product() {
    for share in [0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 0.999] {
      var chance = 1.0
      for trials in 1...8000 {
        chance *= 1 - share
        // Both round; nothing else is asked within a billionth of the bound.
        if abs(chance - 0.001) < 1e-12 { continue }
        #expect(UnlikelyAbsence.holds(share: share, trials: trials) == (chance < 0.001))
      }
    }
  }

  @Test("what nobody has is never missed, what everybody has always")
  func ends() {
    #expect(!UnlikelyAbsence.holds(share: 0, trials: 1_000_000))
    #expect(!UnlikelyAbsence.holds(share: -1, trials: 10))
    #expect(!UnlikelyAbsence.holds(share: 0.5, trials: 0))
    #expect(UnlikelyAbsence.holds(share: 1, trials: 1))
    #expect(UnlikelyAbsence.holds(share: 2, trials: 1))
    #expect(!UnlikelyAbsence.holds(share: .nan, trials: 10))
  }

  @Test func `so many expected people hardly all stay away`() {
    // exp(−6.9) is 0.00101, exp(−6.91) is 0.000998.
    #expect(!UnlikelyAbsence.holds(expected: 6.9) && UnlikelyAbsence.holds(expected: 6.91))
    #expect(!UnlikelyAbsence.holds(expected: 0) && !UnlikelyAbsence.holds(expected: .nan))
  }
}
