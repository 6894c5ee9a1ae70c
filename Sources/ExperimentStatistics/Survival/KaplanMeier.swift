import RealModule

/// The share that has not had the event yet as time goes by, when some are lost from sight before
/// they had it.
///
/// Kaplan and Meier, "Nonparametric estimation from incomplete observations" (JASA 53, 1958),
/// equation 2b, with Greenwood's variance (1926): S^2 times the sum of d / (n (n - d)).
public struct KaplanMeier: Sendable {
  /// The state just after one time at which events happened.
  public struct Step: Sendable, Hashable {
    /// The time since the start, in the unit of the counts.
    public let time: Double
    /// How many could have had the event at this time.
    public let atRisk: Int
    /// How many had the event at this time.
    public let events: Int
    /// The share without the event after this time.
    public let survival: Double
    /// Greenwood's sum up to here, the squared relative error of ``survival``; nil once nobody
    /// is left without the event.
    let greenwood: Double?

    /// Greenwood's standard error of ``survival``; zero once nobody is left without the event,
    /// where the variance has no estimate.
    public var standardError: Double { survival * (greenwood ?? 0).squareRoot() }
  }

  /// One step for each time with events, ascending.
  public let steps: [Step]
  /// How many were observed.
  public let total: Int
  /// The last time at which anybody was observed, or nil without observations. Nothing is known
  /// beyond it.
  public let lastTime: Double?

  /// Counts may come in any order and repeat a time; times that are not finite are left out.
  public init(_ counts: [TimeCount]) {
    var endings: [Ending] = []
    for count in counts {
      endings.append(Ending(time: count.time, cause: 0, count: count.events))
      endings.append(Ending(time: count.time, cause: nil, count: count.censored))
    }
    let merged = SurvivalTable(endings, causes: 1)
    var survival = 1.0
    var greenwood: Double? = 0
    var steps: [Step] = []
    for row in merged.rows where row.allEvents > 0 {
      let atRisk = Double(row.atRisk)
      let remaining = Double(row.atRisk - row.allEvents)
      survival *= remaining / atRisk
      greenwood =
        remaining > 0
        ? greenwood.map { $0 + (Double(row.allEvents) / atRisk) / remaining } : nil
      steps.append(
        Step(
          time: row.time, atRisk: row.atRisk, events: row.allEvents, survival: survival,
          greenwood: greenwood))
    }
    self.steps = steps
    total = merged.total
    lastTime = merged.rows.last?.time
  }

  /// The last step at or before a time.
  private func step(at time: Double) -> Step? {
    steps.last { $0.time <= time }
  }

  /// The share without the event after this time. Unavailable without observations, and beyond
  /// the last of them unless all have had the event by then (`tooFew`).
  public func survival(at time: Double) -> Estimate<Double> {
    guard let lastTime else { return .unavailable(.emptyDenominator) }
    let survival = step(at: time)?.survival ?? 1
    guard time <= lastTime || survival == 0 else { return .unavailable(.tooFew) }
    return .value(survival)
  }

  /// The share without the event with Greenwood's interval on the scale of log(-log S), which
  /// stays within 0 and 1 (Kalbfleisch and Prentice, The Statistical Analysis of Failure Time
  /// Data, 2002, section 1.4). Unavailable while nobody or after everybody has had the event
  /// (`noVariation`), where the variance has no estimate.
  public func interval(at time: Double, level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    if case .unavailable(let reason) = survival(at: time) { return .unavailable(reason) }
    guard let step = step(at: time) else { return .unavailable(.noVariation) }
    return Self.interval(step, critical: critical)
  }

  private static func interval(_ step: Step, critical: Double) -> Estimate<EstimateWithInterval> {
    guard let greenwood = step.greenwood, step.survival < 1 else {
      return .unavailable(.noVariation)
    }
    let log = Double.log(step.survival)
    let factor = Double.exp(critical * greenwood.squareRoot() / -log)
    return .value(
      EstimateWithInterval(
        estimate: step.survival,
        interval: Interval(
          lower: max(0, .exp(log * factor)), upper: min(1, .exp(log / factor)))))
  }

  /// The time by which a share (0.5 for the median) has had the event, with the interval of
  /// Brookmeyer and Crowley (Biometrics 38, 1982): all times whose interval of the survival holds
  /// the share that is left. An upper bound that lies beyond the last event is nil.
  public struct Quantile: Sendable, Hashable {
    /// The first time by which at least that share has had the event, in the unit of the counts.
    public let estimate: Double
    /// The interval's lower bound, at or before the estimate.
    public let lower: Double
    /// The interval's upper bound, at or after the estimate; `nil` beyond the last event.
    public let upper: Double?
  }

  /// Unavailable where fewer than that share are known to have had the event (`tooFew`).
  public func quantile(_ share: Double, level: Double = 0.95) -> Estimate<Quantile> {
    guard share > 0, share < 1 else { return .unavailable(.invalidInput) }
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    guard total > 0 else { return .unavailable(.emptyDenominator) }
    let left = 1 - share
    guard let reached = steps.first(where: { $0.survival <= left + 1e-12 }) else {
      return .unavailable(.tooFew)
    }
    // A step without an interval holds the share only at its own survival.
    func bounds(_ step: Step) -> Interval {
      Self.interval(step, critical: critical).value?.interval
        ?? Interval(lower: step.survival, upper: step.survival)
    }
    let lower = steps.first { bounds($0).lower <= left }?.time ?? reached.time
    let upper = steps.first { bounds($0).upper < left }?.time
    return .value(
      Quantile(
        estimate: reached.time, lower: min(lower, reached.time),
        upper: upper.map { max($0, reached.time) }))
  }
}
