import ExperimentStatistics
import Testing

@Suite struct SurvivalTests {
  /// Rows of time, three causes, censored, after the time asked for.
  private func counts(_ inputs: [Double]) -> [CumulativeIncidence.Count] {
    stride(from: 1, to: inputs.count, by: 5).map { start in
      CumulativeIncidence.Count(
        time: inputs[start], events: (1...3).map { Int(inputs[start + $0]) },
        censored: Int(inputs[start + 4]))
    }
  }

  private func curve(_ inputs: [Double]) -> KaplanMeier {
    KaplanMeier(
      counts(inputs).map {
        TimeCount(time: $0.time, events: $0.events.reduce(0, +), censored: $0.censored)
      })
  }

  @Test func `Kaplan and Meier's curve agrees with statsmodels and scipy`() throws {
    for row in try ReferenceFile("kaplan-meier").cases {
      let curve = curve(row.inputs)
      let step = try #require(curve.steps.first { $0.time == row.inputs[0] })
      let interval = curve.interval(at: row.inputs[0]).value?.interval
      #expect(agrees(step.survival, row.expected[0]), "\(row)")
      #expect(agrees(step.standardError, row.expected[1]), "\(row)")
      #expect(agrees(interval?.lower, row.expected[2]), "\(row)")
      #expect(agrees(interval?.upper, row.expected[3]), "\(row)")
    }
  }

  @Test func `cumulative incidences agree with statsmodels`() throws {
    for row in try ReferenceFile("cumulative-incidence").cases {
      let curve = CumulativeIncidence(counts(row.inputs), causes: 3)
      let step = try #require(curve.steps.first { $0.time == row.inputs[0] })
      for cause in 0..<3 {
        #expect(agrees(step.incidence[cause], row.expected[2 * cause]), "\(row)")
        #expect(agrees(step.standardErrors[cause], row.expected[2 * cause + 1]), "\(row)")
      }
      #expect(agrees(step.incidence.reduce(step.survival, +), 1, within: 1e-12))
    }
  }

  @Test func `with one cause the incidence is what the curve leaves out`() throws {
    let times = (1...12).map { TimeCount(time: Double($0), events: $0 % 4, censored: 3) }
    let curve = KaplanMeier(times)
    let incidence = CumulativeIncidence(
      times.map { .init(time: $0.time, events: [$0.events], censored: $0.censored) }, causes: 1)
    for (one, other) in zip(curve.steps, incidence.steps) {
      #expect(agrees(1 - one.survival, other.incidence[0], within: 1e-12))
      #expect(agrees(one.standardError, other.standardErrors[0], within: 1e-12))
    }
    let survival = try #require(curve.interval(at: 9).value)
    let ended = try #require(incidence.interval(cause: 0, at: 9).value)
    #expect(agrees(1 - survival.interval.lower, ended.interval.upper))
    #expect(agrees(1 - survival.interval.upper, ended.interval.lower))
  }

  @Test func `without censoring the curve is the share`() throws {
    let curve = KaplanMeier((1...10).map { TimeCount(time: Double($0), events: 1, censored: 0) })
    #expect(agrees(curve.survival(at: 4).value, 0.6))
    #expect(curve.survival(at: 99).value == 0)
    #expect(curve.interval(at: 99).reason == .noVariation)
    #expect(curve.interval(at: 0.5).reason == .noVariation)
    let median = try #require(curve.quantile(0.5).value)
    #expect(median.estimate == 5)
    #expect(median.lower < 5)
    #expect(try #require(median.upper) > 5)
  }

  @Test func `beyond the last observation nothing is known`() {
    let curve = KaplanMeier([
      TimeCount(time: 1, events: 2, censored: 1), TimeCount(time: 5, events: 1, censored: 6),
    ])
    #expect(curve.survival(at: 5).value != nil)
    #expect(curve.survival(at: 6).reason == .tooFew)
    #expect(curve.quantile(0.5).reason == .tooFew)
    #expect(KaplanMeier([]).survival(at: 1).reason == .emptyDenominator)
    let incidence = CumulativeIncidence([.init(time: 1, events: [2, 1], censored: 4)], causes: 2)
    #expect(incidence.interval(cause: 0, at: 2).reason == .tooFew)
    #expect(incidence.interval(cause: 2, at: 1).reason == .invalidInput)
    #expect(incidence.interval(cause: 1, at: 1).value != nil)
  }
}
