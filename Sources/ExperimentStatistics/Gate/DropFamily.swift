/// The tests of one run, judged together so that a run without any true drop fails in at most
/// alpha of all cases.
public struct DropFamily: Sendable {
  /// The largest chance, over all tests together, that a run without any true drop fails.
  public let alpha: Double
  /// The chance to see what is looked for that a sample needs before it may pass.
  public let power: Double
  /// How the p-values of the family are adjusted for there being several.
  public let correction: MultipleTesting

  /// Describes a family; `alpha` and `power` are chances between 0 and 1.
  public init(alpha: Double, power: Double, correction: MultipleTesting) {
    self.alpha = alpha
    self.power = power
    self.correction = correction
  }

  /// What may be said of one test.
  public enum Outcome: Sendable, Hashable {
    /// Worse, shown, and beyond the margin.
    case failed
    /// The interval lies within the margin, or the demand asks for nothing.
    case passed
    /// Nothing was shown, by a sample that was large enough; a drop beyond the margin is not
    /// excluded.
    case noneShown
    /// Neither: so many trials more would tell; nil where no number of them would, or there is
    /// nothing to go by.
    case inconclusive(missing: Int?)
  }

  /// One test in its family.
  public struct Judgement: Sendable, Hashable {
    /// What may be said of the test.
    public let outcome: Outcome
    /// The one-sided p-value as it is, not adjusted; `nil` where there was nothing to test.
    public let p: Double?
    /// Adjusted for the family; nil for a test that is not in it.
    public let adjustedP: Double?
    /// The one-sided level of this test alone: the bound of an interval at this level and the
    /// verdict never contradict.
    public let ownAlpha: Double
    /// The chance to show what is looked for, of a proof that nothing is worse where nothing is, at
    /// the level of ``DropFamily/singleAlpha(of:)``.
    public let power: Double
  }

  /// The level that a single drop has to pass in a family of so many tests. Holm's first step and
  /// Benjamini and Hochberg's are both Bonferroni's.
  public func singleAlpha(of count: Int) -> Double {
    correction == .none ? alpha : alpha / Double(max(1, count))
  }

  /// Judges the tests in their order.
  ///
  /// A test whose estimate is not beyond its margin can't fail, and enters the correction with a p
  /// of 1: that can only make other tests harder to fail, so the family's level holds, and the
  /// chance that any fails is at most the sum of each one's alone.
  ///
  /// - Parameter proofs: places of tests that pass only where the interval lies within the margin:
  ///   non-inferiority. Each is tested at ``singleAlpha(of:)``, so that the chance that any of them
  ///   passes although the truth is worse by its margin or more is at most alpha (of Benjamini and
  ///   Hochberg's correction too).
  public func judge(_ tests: [any DropTest], proofs: Set<Int> = []) -> [Judgement] {
    let tested = tests.indices.filter { tests[$0].p != nil }
    let values = tested.map { tests[$0].isBeyondMargin ? tests[$0].p ?? 1 : 1 }
    let adjusted = correction.adjust(values)
    let alphas = correction.intervalAlphas(values, alpha: alpha)
    let single = singleAlpha(of: tested.count)
    let place = Dictionary(uniqueKeysWithValues: zip(tested, tested.indices))
    return tests.indices.map { index in
      let test = tests[index]
      guard let place = place[index] else {
        return Judgement(
          outcome: .inconclusive(missing: nil), p: nil, adjustedP: nil, ownAlpha: single, power: 0)
      }
      let isProof = proofs.contains(index)
      let power =
        isProof
        ? test.chanceToHold(drop: 0, alpha: single, trials: test.trials)
        : test.chanceToFail(drop: test.lookedFor, alpha: single)
      let failed = adjusted[place] < alpha && test.isBeyondMargin
      return Judgement(
        outcome: failed ? .failed : outcome(test, single, power, isProof: isProof), p: test.p,
        adjustedP: adjusted[place], ownAlpha: failed ? alphas[place] : single,
        power: power)
    }
  }

  private func outcome(
    _ test: any DropTest, _ single: Double, _ power: Double, isProof: Bool
  ) -> Outcome {
    if test.asksForNothing || test.isShownToHold(alpha: single) { return .passed }
    if isProof {
      let needed = test.trialsNeededToHold(alpha: single, power: self.power)
      // A sample that was large enough showed nothing: more of the kind may never do.
      return .inconclusive(missing: needed.map { $0 - test.trials }.flatMap { $0 > 0 ? $0 : nil })
    }
    if power >= self.power { return .noneShown }
    let needed = test.trialsNeeded(alpha: single, power: self.power)
    return .inconclusive(missing: needed.map { max(1, $0 - test.trials) })
  }

  /// The chance that a run without any true drop fails: at most the sum of each test's own, and at
  /// most alpha where the correction bounds it.
  public func falseAlarmRate(_ tests: [any DropTest]) -> Double {
    let single = singleAlpha(of: tests.count { $0.p != nil })
    let sum = tests.reduce(0) {
      $0 + ($1.p == nil ? 0 : $1.chanceToFail(drop: 0, alpha: single))
    }
    return min(1, sum)
  }
}
