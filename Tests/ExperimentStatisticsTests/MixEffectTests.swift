import ExperimentStatistics
import Testing

@Suite struct MixEffectTests {
  private func pair(_ now: (Int, Int), _ before: (Int, Int)) -> ProportionComparison {
    ProportionComparison(
      treatment: Proportion(successes: now.0, trials: now.1),
      control: Proportion(successes: before.0, trials: before.1))
  }

  @Test func `one mix on both sides has no effect, whatever the drop`() throws {
    let mix = try #require(
      MixEffect([pair((300, 500), (800, 1_000)), pair((100, 500), (400, 1_000))]))
    #expect(abs(mix.points) < 1e-12)
    #expect(abs(mix.lessP - 0.5) < 1e-9)
  }

  @Test func `it is the difference with one mix minus the difference as it is`() throws {
    let strata = [pair((3_648, 4_800), (3_200, 4_000)), pair((1_152, 3_200), (1_600, 4_000))]
    let mix = try #require(MixEffect(strata))
    #expect(abs(mix.points - (-0.04 - (4_800.0 / 8_000 - 4_800.0 / 8_000))) < 1e-12)
    // Shares: 0.04 of variance between 0.76 and 0.36 at 0.6, and between 0.8 and 0.4 at a half; the
    // rates' part is a tenth of it.
    let shares = (0.24 * 0.16 + 0.04) / 8_000
    #expect(mix.standardError * mix.standardError > shares)
    #expect(mix.standardError * mix.standardError < 1.1 * shares)
    #expect(mix.lessP < 1e-20 && mix.greaterP > 0.999)
  }

  @Test func `where nothing can be compared there is none`() {
    #expect(MixEffect([]) == nil)
    #expect(MixEffect([pair((1, 2), (0, 0)), pair((0, 0), (1, 2))]) == nil)
  }

  @Test func `strata without any difference between them hide nothing`() throws {
    let mix = try #require(MixEffect([pair((5, 5), (9, 9)), pair((7, 7), (2, 2))]))
    #expect(mix.points.magnitude < 1e-12 && mix.lessP > 0.4)
  }

  /// The chance to find an effect where shares differ by chance alone.
  @Test func `by chance it is found as often as promised`() throws {
    var random = SplitMix64(seed: 7)
    var found = 0
    let runs = 2_000
    for _ in 0..<runs {
      func draw(_ people: Int, drop: Double) -> [Proportion] {
        var counts = [(0, 0), (0, 0)]
        for _ in 0..<people {
          let stratum = random.uniform() < 0.3 ? 0 : 1
          let rate = [0.8, 0.4][stratum] - drop
          counts[stratum].1 += 1
          if random.uniform() < rate { counts[stratum].0 += 1 }
        }
        return counts.map { Proportion(successes: $0.0, trials: $0.1) }
      }
      let (now, before) = (draw(300, drop: 0.1), draw(600, drop: 0))
      let mix = try #require(
        MixEffect(zip(now, before).map { ProportionComparison(treatment: $0, control: $1) }))
      if mix.lessP < 0.05 { found += 1 }
    }
    #expect((0.03...0.07).contains(Double(found) / Double(runs)))
  }
}
