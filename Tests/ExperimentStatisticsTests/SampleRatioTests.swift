import ExperimentStatistics
import Testing

@Suite struct SampleRatioTests {
  @Test func `what can't be tested says why`() {
    #expect(
      SampleRatio.test(observed: [0, 0], expectedShares: [1, 1]).reason == .emptyDenominator)
    #expect(SampleRatio.test(observed: [5], expectedShares: [1]).reason == .tooFew)
    #expect(SampleRatio.test(observed: [], expectedShares: []).reason == .tooFew)
    #expect(SampleRatio.test(observed: [5, 5], expectedShares: [1]).reason == .invalidInput)
    #expect(SampleRatio.test(observed: [5, 5], expectedShares: [1, 0]).reason == .invalidInput)
    #expect(SampleRatio.test(observed: [5, 5], expectedShares: [1, .nan]).reason == .invalidInput)
  }

  @Test func `shares are weights`() {
    let shares = SampleRatio.test(observed: [70, 40], expectedShares: [0.6, 0.4]).value
    let weights = SampleRatio.test(observed: [70, 40], expectedShares: [3, 2]).value
    #expect(agrees(shares?.statistic, weights?.statistic, within: 1e-14))
  }

  private func p(_ counts: [Int], _ shares: [Double]) -> Double {
    SampleRatio.check(periods: [counts], expectedShares: [shares]).value?.pValue ?? .nan
  }

  /// The chance that a split as declared is called a mismatch at 0.1 %, summed over all outcomes.
  private func size(
    people: Int, share: Double, _ p: ([Int], [Double]) -> Double?
  ) -> Double {
    let table = BinomialTable(trials: people, share: share)
    return table.chances.enumerated().reduce(0) { sum, outcome in
      let found = p([outcome.offset, people - outcome.offset], [share, 1 - share]) ?? 1
      return sum + (found < 0.001 ? outcome.element : 0)
    }
  }

  @Test(arguments: [(10, 0.5), (50, 0.9), (100, 0.95), (400, 0.99), (900, 0.9)])
  func `a small sample is called a mismatch no more often than promised`(
    people: Int, share: Double
  ) {
    let exact = size(people: people, share: share) { p($0, $1) }
    let limit = size(people: people, share: share) {
      SampleRatio.test(observed: $0, expectedShares: $1).value?.pValue
    }
    print("Mismatch at 0.1 % of \(people) people, \(share): exact \(exact), chi-square \(limit)")
    #expect(exact <= 0.001)
    if people == 50 { #expect(limit > 0.003) }
  }

  @Test func `a large sample is tested by chi-square, as before`() {
    let large = SampleRatio.check(periods: [[5100, 4900]], expectedShares: [[1, 1]]).value
    let chiSquare = SampleRatio.test(observed: [5100, 4900], expectedShares: [1, 1]).value
    #expect(large?.pValue == chiSquare?.pValue && large?.method == .chiSquare)
    let small = SampleRatio.check(periods: [[51, 49]], expectedShares: [[1, 1]]).value
    #expect(small?.method == .exact)
    // Too many ways to fall on thirty variants.
    let many = [Int](repeating: 20, count: 30)
    let tested = SampleRatio.check(periods: [many], expectedShares: [many.map(Double.init)])
    #expect(tested.value?.method == .chiSquare)
  }

  @Test func `a small period does not hide a large one, and the other way round`() {
    let shares = [[0.9, 0.1], [0.5, 0.5]]
    func p(_ periods: [[Int]]) -> Double {
      SampleRatio.check(periods: periods, expectedShares: shares).value?.pValue ?? .nan
    }
    #expect(p([[45, 5], [5000, 5000]]) > 0.5)
    #expect(p([[20, 30], [5000, 5000]]) < 0.001)
    #expect(p([[45, 5], [5300, 4700]]) < 0.001)
    // A period in which nobody was seen says nothing.
    #expect(p([[0, 0], [51, 49]]) == self.p([51, 49], [1, 1]))
  }

  @Test func `periods that are split as declared are rarely called a mismatch`() {
    var random = SplitMix64(seed: 91)
    let runs = 20_000
    let (first, second) = (
      BinomialTable(trials: 60, share: 0.1), BinomialTable(trials: 600, share: 0.5)
    )
    let alarms = (0..<runs).count { _ in
      let (x, y) = (first.draw(using: &random), second.draw(using: &random))
      let found = SampleRatio.check(
        periods: [[60 - x, x], [600 - y, y]], expectedShares: [[0.9, 0.1], [0.5, 0.5]])
      return (found.value?.pValue ?? 1) < 0.01
    }
    let share = Double(alarms) / Double(runs)
    print("Mismatch at 1 % over two periods: \(share)")
    #expect(share <= 0.01 + 3 * (0.01 * 0.99 / Double(runs)).squareRoot())
  }

  @Test(arguments: [(0.5, 40), (0.9, 100)])
  func `a split that is watched for 60 days raises few false alarms`(share: Double, perDay: Int) {
    var random = SplitMix64(seed: 92)
    let runs = 2_000
    let table = BinomialTable(trials: perDay, share: share)
    var (sequential, single) = (0, 0)
    for _ in 0..<runs {
      var first = 0
      var (isOff, isOffAtOnce) = (false, false)
      for day in 1...60 {
        first += table.draw(using: &random)
        let counts = [[first, day * perDay - first]]
        let shares = [[share, 1 - share]]
        let watched = SampleRatio.checkSequentially(periods: counts, expectedShares: shares)
        if (watched.value?.pValue ?? 1) < 0.05 { isOff = true }
        let once = SampleRatio.test(observed: counts[0], expectedShares: shares[0])
        if (once.value?.pValue ?? 1) < 0.05 { isOffAtOnce = true }
      }
      sequential += isOff ? 1 : 0
      single += isOffAtOnce ? 1 : 0
    }
    print("Watched split \(share): sequential \(sequential), chi-square \(single) of \(runs)")
    let limit = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
    #expect(Double(sequential) / Double(runs) <= limit)
    #expect(Double(single) / Double(runs) > 0.2)
  }

  @Test func `a watched split finds gross mismatches early and slight ones late`() {
    func p(_ counts: [Int]) -> Double {
      SampleRatio.checkSequentially(periods: [counts], expectedShares: [[1, 1]]).value?.pValue ?? 1
    }
    #expect(p([150, 50]) < 0.001 && p([110, 90]) > 0.1)
    #expect(p([51_000, 49_000]) < 0.001 && p([50_100, 49_900]) == 1)
  }
}
