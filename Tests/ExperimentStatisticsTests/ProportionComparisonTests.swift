import ExperimentStatistics
import Testing

@Suite struct ProportionComparisonTests {
  static func comparison(_ inputs: [Double]) -> ProportionComparison {
    ProportionComparison(
      treatment: Proportion(successes: Int(inputs[0]), trials: Int(inputs[1])),
      control: Proportion(successes: Int(inputs[2]), trials: Int(inputs[3])))
  }

  @Test func `the score test agrees with its references`() throws {
    for row in try ReferenceFile("score-test").cases {
      let test = Self.comparison(row.inputs).scoreTest().value
      #expect(agrees(test?.statistic, row.expected[0]), "\(row)")
      #expect(agrees(test?.twoSidedP, row.expected[1]), "\(row)")
      #expect(agrees(test?.greaterP, row.expected[2]), "\(row)")
    }
  }

  @Test func `Miettinen and Nurminen's interval agrees with the inverted test`() throws {
    for row in try ReferenceFile("miettinen-nurminen").cases {
      let difference = Self.comparison(row.inputs).difference(level: row.inputs[4]).value
      #expect(agrees(difference?.estimate, row.expected[0]), "\(row)")
      #expect(agrees(difference?.interval.lower, row.expected[1]), "\(row)")
      #expect(agrees(difference?.interval.upper, row.expected[2]), "\(row)")
    }
  }

  @Test func `Koopman's interval agrees with the inverted test`() throws {
    for row in try ReferenceFile("koopman").cases {
      let lift = Self.comparison(row.inputs).relativeLift(level: row.inputs[4]).value
      #expect(agrees(lift?.estimate, row.expected[0]), "\(row)")
      #expect(agrees(lift?.interval.lower, row.expected[1]), "\(row)")
      #expect(agrees(lift?.interval.upper, row.expected[2]), "\(row)")
    }
  }

  @Test func `Koopman's interval agrees with statsmodels`() throws {
    for row in try ReferenceFile("koopman-statsmodels").cases {
      let lift = Self.comparison(row.inputs).relativeLift(level: row.inputs[4]).value
      #expect(agrees(lift?.interval.lower, row.expected[0]), "\(row)")
      #expect(agrees(lift?.interval.upper, row.expected[1]), "\(row)")
    }
  }

  @Test func `Fisher's exact test agrees with scipy`() throws {
    for row in try ReferenceFile("fisher").cases {
      let p = Self.comparison(row.inputs).fisherExact().value
      #expect(agrees(p, row.expected[0]), "\(row)")
    }
    #expect(Self.comparison([0, 0, 3, 9]).fisherExact().reason == .emptyDenominator)
    #expect(Self.comparison([0, 4, 0, 9]).fisherExact().value == 1)
  }

  /// Newcombe (Statistics in Medicine 17, 1998), table II, and R's PropCIs: the values that
  /// statsmodels 0.14 and 0.15 miss.
  @Test func `published intervals of the difference are met`() throws {
    let newcombe = try #require(Self.comparison([56, 70, 48, 80]).difference().value)
    #expect(abs(newcombe.interval.lower - 0.0528) < 5e-5)
    #expect(abs(newcombe.interval.upper - 0.3382) < 5e-5)
    let package = try #require(Self.comparison([7, 34, 1, 34]).difference().value)
    #expect(abs(package.interval.lower - 0.0270416) < 5e-8)
    #expect(abs(package.interval.upper - 0.3452912) < 5e-8)
  }

  @Test func `what can't be compared says why`() {
    let empty = Self.comparison([0, 0, 3, 9])
    #expect(empty.scoreTest().reason == .emptyDenominator)
    #expect(empty.difference().reason == .emptyDenominator)
    #expect(empty.relativeLift().reason == .emptyDenominator)
    #expect(Self.comparison([0, 4, 0, 9]).scoreTest().reason == .noVariation)
    #expect(Self.comparison([4, 4, 9, 9]).scoreTest().reason == .noVariation)
    #expect(Self.comparison([1, 4, 0, 9]).relativeLift().reason == .zeroControl)
  }

  @Test func `swapping the groups mirrors the difference`() throws {
    for row in try ReferenceFile("miettinen-nurminen").cases {
      let swapped = [row.inputs[2], row.inputs[3], row.inputs[0], row.inputs[1]]
      let here = try #require(Self.comparison(row.inputs).difference().value)
      let there = try #require(Self.comparison(swapped).difference().value)
      #expect(abs(here.interval.lower + there.interval.upper) < 1e-11, "\(row)")
    }
  }

  @Test func `a small cell is one under 5`() {
    #expect(Self.comparison([4, 10, 5, 10]).hasSmallCell)
    #expect(!Self.comparison([5, 10, 5, 10]).hasSmallCell)
    #expect(Self.comparison([5, 10, 5, 9]).hasSmallCell)
  }
}
