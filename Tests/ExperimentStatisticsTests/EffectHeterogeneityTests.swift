import ExperimentStatistics
import Testing

/// Whether an effect depends on who people are.
@Suite struct EffectHeterogeneityTests {
  private func stratum(_ x1: Int, _ n1: Int, _ x0: Int, _ n0: Int) -> StratifiedComparison {
    StratifiedComparison(
      treatment: Proportion(successes: x1, trials: n1),
      control: Proportion(successes: x0, trials: n0))
  }

  /// 10 and 20 points more are one lift of 25 %, and 10 points each are lifts of 25 and 12.5 %:
  /// neither shows that people differ in what the treatment does for them.
  @Test func `one lift, or one number of points, is no difference between people`() throws {
    let n = 40_000
    for strata in [
      [stratum(20_000, n, 16_000, n), stratum(n, n * 5 / 4, 32_000, n * 5 / 4)],
      [stratum(20_000, n, 16_000, n), stratum(36_000, n, 32_000, n)],
    ] {
      let test = try #require(EffectHeterogeneity(strata).test().value)
      #expect(max(test.ofDifferences, test.ofRatios) > 50 && test.pValue > 0.1, "\(test)")
    }
    let other = [stratum(20_000, n, 16_000, n), stratum(31_500, n, 32_000, n)]
    #expect(try #require(EffectHeterogeneity(other).test().value).pValue < 1e-6)
  }

  @Test func `strata with few outcomes are left out`() {
    let large = stratum(200, 400, 180, 400)
    #expect(EffectHeterogeneity([large, stratum(9, 400, 80, 400)]).strata == [large])
    #expect(EffectHeterogeneity([large, stratum(9, 400, 80, 400)]).test().reason == .tooFew)
    #expect(EffectHeterogeneity([large, large]).test().value?.pValue == 1)
  }

  @Test func `effects that are watched raise few false alarms`() throws {
    var random = SplitMix64(seed: 62)
    func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    let runs = 300
    var (watched, single) = (0, 0)
    for _ in 0..<runs {
      var counts = [[Int]](repeating: [0, 0, 0, 0], count: 3)
      var (isWatched, isSingle) = (false, false)
      for _ in 0..<20 {
        for place in counts.indices {
          for arm in 0..<2 {
            counts[place][2 * arm + 1] += 60
            counts[place][2 * arm] += (0..<60).count { _ in
              uniform() < (arm == 0 ? 0.45 : 0.4)
            }
          }
        }
        let test = EffectHeterogeneity(counts.map { stratum($0[0], $0[1], $0[2], $0[3]) })
        if let p = test.test().value?.pValue, p < 0.05 { isSingle = true }
        let always = test.test(tuning: SequentialTuning()).value
        if let p = always?.pValue, p < 0.05 { isWatched = true }
      }
      watched += isWatched ? 1 : 0
      single += isSingle ? 1 : 0
    }
    print("Watched interactions: always valid \(watched), single look \(single) of \(runs)")
    #expect(Double(watched) / Double(runs) <= 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot())
    #expect(single > 2 * watched && single > runs / 10)
  }
}
