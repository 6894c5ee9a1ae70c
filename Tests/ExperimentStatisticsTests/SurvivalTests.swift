import ExperimentStatistics
import Testing

@Suite struct SurvivalTests {
  @Test func `incidences and those still going on are all there are`() throws {
    for row in try ReferenceFile("cumulative-incidence").cases {
      for step in CumulativeIncidence(Checks.endings(row.inputs), causes: 3).steps {
        #expect(agrees(step.incidence.reduce(step.survival, +), 1, within: 1e-12))
      }
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
