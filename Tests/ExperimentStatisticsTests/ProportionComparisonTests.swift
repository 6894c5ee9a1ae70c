import ExperimentStatistics
import Testing

@Suite struct ProportionComparisonTests {
  /// Newcombe (Statistics in Medicine 17, 1998), table II, and R's PropCIs: the values that
  /// statsmodels 0.14 and 0.15 miss.
  @Test func `published intervals of the difference are met`() throws {
    let newcombe = try #require(Checks.comparison([56, 70, 48, 80]).difference().value)
    #expect(abs(newcombe.interval.lower - 0.0528) < 5e-5)
    #expect(abs(newcombe.interval.upper - 0.3382) < 5e-5)
    let package = try #require(Checks.comparison([7, 34, 1, 34]).difference().value)
    #expect(abs(package.interval.lower - 0.0270416) < 5e-8)
    #expect(abs(package.interval.upper - 0.3452912) < 5e-8)
  }

  @Test func `what can't be compared says why`() {
    let empty = Checks.comparison([0, 0, 3, 9])
    #expect(empty.scoreTest().reason == .emptyDenominator)
    #expect(empty.difference().reason == .emptyDenominator)
    #expect(empty.relativeLift().reason == .emptyDenominator)
    #expect(Checks.comparison([0, 4, 0, 9]).scoreTest().reason == .noVariation)
    #expect(Checks.comparison([4, 4, 9, 9]).scoreTest().reason == .noVariation)
    #expect(Checks.comparison([1, 4, 0, 9]).relativeLift().reason == .zeroControl)
    #expect(empty.fisherExact().reason == .emptyDenominator)
    #expect(Checks.comparison([0, 4, 0, 9]).fisherExact().value == 1)
  }

  @Test func `swapping the groups mirrors the difference`() throws {
    for row in try ReferenceFile("miettinen-nurminen").cases {
      let swapped = [row.inputs[2], row.inputs[3], row.inputs[0], row.inputs[1]]
      let here = try #require(Checks.comparison(row.inputs).difference().value)
      let there = try #require(Checks.comparison(swapped).difference().value)
      #expect(abs(here.interval.lower + there.interval.upper) < 1e-11, "\(row)")
    }
  }

  @Test func `a small cell is one under 5`() {
    #expect(Checks.comparison([4, 10, 5, 10]).hasSmallCell)
    #expect(!Checks.comparison([5, 10, 5, 10]).hasSmallCell)
    #expect(Checks.comparison([5, 10, 5, 9]).hasSmallCell)
  }
}
