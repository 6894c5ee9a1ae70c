import ExperimentStatistics
import Testing

/// Every function against the values of public statistics packages: the largest difference, of the
/// number's size or absolutely where it is under 1, must be within 1e-9.
@Suite struct AgreementTests {
  /// What the target says to the inputs of one case, in the order of the expected numbers.
  typealias Evaluation = @Sendable ([Double]) -> [Double?]

  struct Check: Sendable, CustomTestStringConvertible {
    let file: String
    let evaluate: Evaluation
    var testDescription: String { file }

    init(_ file: String, _ evaluate: @escaping Evaluation) {
      self.file = file
      self.evaluate = evaluate
    }
  }

  @Test(
    arguments: Checks.proportions + Checks.families + Checks.means + Checks.posteriors
      + Checks.others)
  func `agrees with`(check: Check) throws {
    let reference = try ReferenceFile(check.file)
    var largest = 0.0
    var numbers = 0
    for row in reference.cases {
      let actual = check.evaluate(row.inputs)
      #expect(actual.count == row.expected.count, "\(check.file) \(row)")
      for (actual, expected) in zip(actual, row.expected) {
        guard let actual, let expected else {
          #expect(
            actual == nil && expected == nil, "\(check.file) \(row) \(String(describing: actual))")
          continue
        }
        let difference = abs(actual - expected) / max(1, abs(expected))
        #expect(difference <= 1e-9, "\(check.file) \(row) \(actual)")
        largest = max(largest, difference)
        numbers += 1
      }
    }
    #expect(numbers > 0)
    print(
      "Agreement, \(check.file): \(reference.cases.count) inputs, \(numbers) numbers,",
      "largest difference \(largest), from \(reference.source)")
  }

  @Test func `there are more than 300 inputs, and each names its packages`() throws {
    let files = (Checks.proportions + Checks.families + Checks.posteriors + Checks.others)
      .map(\.file)
    let references = try files.map { try ReferenceFile($0) }
    #expect(references.reduce(0) { $0 + $1.cases.count } > 300)
    for reference in references {
      #expect(reference.packages["scipy"] != nil && !reference.source.isEmpty)
    }
  }
}
