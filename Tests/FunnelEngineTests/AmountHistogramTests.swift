import FunnelEngine
import ReferenceEvaluator
import Testing

/// Caps are quantiles of the people's amounts, and capped sums are exact.
@Suite struct AmountHistogramTests {
  /// Amounts as skewed as revenue: most of them small, a few a thousand times as large.
  private func amounts(_ count: Int) -> [Int128] {
    var random = SeededGenerator(seed: 71)
    return (0..<count).map { _ in
      let doublings =
        Int.random(in: 0..<10, using: &random) + Int.random(in: 0..<10, using: &random)
      return Int128.random(in: 1_000..<1_001_000, using: &random) << Int128(doublings)
    }
  }

  private func histogram(_ amounts: some Sequence<Int128>) -> AmountHistogram {
    var histogram = AmountHistogram()
    for amount in amounts { histogram.record(amount) }
    return histogram
  }

  private func sum(_ amounts: [Int128]) -> AmountSum {
    var sum = AmountSum()
    for amount in amounts { sum.add(amount) }
    return sum
  }

  @Test(arguments: [0.5, 0.9, 0.95, 0.99, 0.999])
  func `the cap lies at the quantile and caps every larger amount`(share: Double) throws {
    let amounts = amounts(5_000)
    let histogram = histogram(amounts)
    let cap = try #require(histogram.cap(atShare: share))
    let exact = amounts.sorted()[Int((share * 5_000).rounded(.up)) - 1]
    #expect(cap.millionths >= exact && Double(cap.millionths) <= Double(exact) * 1.001)
    #expect(amounts.contains(cap.millionths))
    let capped = histogram.capping(sum(amounts), at: cap)
    #expect(capped == sum(amounts.map { min($0, cap.millionths) }))
    #expect(histogram.people(above: cap) == amounts.count { $0 > cap.millionths })
    #expect(histogram.people(above: cap) > 0)
  }

  /// A few prices, as of a shop: the cap is one of them and not a number beside it.
  @Test func `among a few prices the cap is a price`() throws {
    let prices: [Int128] = [9_990_000, 29_990_000, 59_990_000]
    let amounts = (0..<100).map { prices[$0 < 60 ? 0 : $0 < 98 ? 1 : 2] }
    let histogram = histogram(amounts)
    #expect(try #require(histogram.cap(atShare: 0.98)).amount == 29.99)
    #expect(try #require(histogram.cap(atShare: 0.981)).amount == 59.99)
    #expect(try #require(histogram.cap(atShare: 0.6)).amount == 9.99)
  }

  /// 59.98 and 59.99 share a bucket, of which the cap is the largest amount.
  @Test func `an amount just below the cap stays as it is`() throws {
    let amounts: [Int128] = [9_990_000, 59_980_000, 59_990_000, 99_990_000]
    let histogram = histogram(amounts)
    let cap = try #require(histogram.cap(atShare: 0.5))
    #expect(cap.amount == 59.99)
    let capped = amounts.dropLast() + [59_990_000]
    #expect(histogram.capping(sum(amounts), at: cap) == sum(Array(capped)))
  }

  @Test func `neither order nor parts change anything`() {
    let amounts = amounts(3_000)
    let whole = histogram(amounts)
    var merged = AmountHistogram()
    for part in [2, 0, 1] {
      merged.merge(histogram(amounts.indices.filter { $0 % 3 == part }.map { amounts[$0] }))
    }
    #expect(merged == whole && histogram(amounts.reversed()) == whole)
  }

  @Test func `refunds and nothing stay as they are and move no cap`() throws {
    let amounts: [Int128] = [-5_000_000, 0, 1_000_000, 2_000_000, 3_000_000, 90_000_000]
    let histogram = histogram(amounts)
    let cap = try #require(histogram.cap(atShare: 0.75))
    #expect(histogram.people == 4 && cap.amount == 3)
    #expect(histogram.capping(sum(amounts), at: cap).total == -5 + 1 + 2 + 3 + 3)
    #expect(AmountHistogram().cap(atShare: 0.9) == nil)
  }
}
