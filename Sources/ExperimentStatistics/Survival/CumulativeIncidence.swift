import RealModule

/// The share that has ended in each of several competing ways as time goes by, when some are lost
/// from sight before they ended.
///
/// Aalen and Johansen (Scandinavian Journal of Statistics 5, 1978): at each time the share still
/// going on just before, times the cause's events over those at risk, is added to the cause. The
/// incidences and the share still going on sum to 1 at every time, which one minus Kaplan-Meier
/// for each cause alone would not.
public struct CumulativeIncidence: Sendable {
  /// What was seen at one time: how many ended by each cause, and how many were last seen then.
  public struct Count: Sendable, Hashable {
    /// The time since the start, in any unit.
    public let time: Double
    /// One count for each cause, in the caller's order.
    public let events: [Int]
    /// How many were last seen then without having ended; they count as at risk at this time.
    public let censored: Int

    /// Joins the counts of one time, as they are.
    public init(time: Double, events: [Int], censored: Int) {
      self.time = time
      self.events = events
      self.censored = censored
    }
  }

  /// The state just after one time at which something ended.
  public struct Step: Sendable, Hashable {
    /// The time since the start, in the unit of the counts.
    public let time: Double
    /// How many had not ended yet and were still seen at this time.
    public let atRisk: Int
    /// The share still going on.
    public let survival: Double
    /// The share that has ended by each cause.
    public let incidence: [Double]
    /// The standard error of each incidence.
    public let standardErrors: [Double]
  }

  /// One step for each time at which something ended, ascending.
  public var steps: [Step] { states.indices.map(step) }
  /// How many ways to end there are; causes are numbered from 0.
  public let causes: Int
  /// How many were observed, those who were lost from sight among them.
  public let total: Int
  /// The last time at which anybody was observed.
  public let lastTime: Double?
  private let states: [State]
  /// Incidence and standard error of each cause, `causes` for each state: no state has arrays of
  /// its own, as there may be thousands.
  private let shares: [Share]

  private struct State {
    var time: Double
    var atRisk: Int
    var survival: Double
  }

  private struct Share {
    var incidence: Double
    var standardError: Double
  }

  /// Counts may come in any order and repeat a time; negative counts count as none.
  public init(_ counts: [Count], causes: Int) {
    var endings: [Ending] = []
    for count in counts {
      for (cause, events) in count.events.enumerated() {
        endings.append(Ending(time: count.time, cause: cause, count: events))
      }
      endings.append(Ending(time: count.time, cause: nil, count: count.censored))
    }
    self.init(endings, causes: causes)
  }

  /// Endings may come in any order and repeat a time; those by causes that there are not are left
  /// out.
  public init(_ endings: [Ending], causes: Int) {
    let causes = max(0, causes)
    let table = SurvivalTable(endings, causes: causes)
    self.causes = causes
    total = table.total
    lastTime = table.rows.last?.time
    var survival = 1.0
    var incidence = [Double](repeating: 0, count: causes)
    var errors = [VarianceSums](repeating: VarianceSums(), count: causes)
    var states: [State] = []
    var shares: [Share] = []
    states.reserveCapacity(table.rows.count)
    shares.reserveCapacity(table.rows.count * causes)
    for (index, row) in table.rows.enumerated() where row.allEvents > 0 {
      let atRisk = Double(row.atRisk)
      for cause in 0..<causes {
        let events = Double(table.events(index, cause: cause))
        incidence[cause] = min(1, incidence[cause] + survival * (events / atRisk))
        errors[cause].add(
          incidence: incidence[cause], survival: survival, atRisk: atRisk, events: events,
          remaining: Double(row.atRisk - row.allEvents), allEvents: Double(row.allEvents))
        shares.append(
          Share(
            incidence: incidence[cause],
            standardError: errors[cause].variance(at: incidence[cause]).squareRoot()))
      }
      survival *= Double(row.atRisk - row.allEvents) / atRisk
      states.append(State(time: row.time, atRisk: row.atRisk, survival: survival))
    }
    self.states = states
    self.shares = shares
  }

  /// The last step at or before a time; `nil` before the first.
  public func step(at time: Double) -> Step? { place(at: time).map(step) }

  private func place(at time: Double) -> Int? {
    var low = 0
    var high = states.count
    while low < high {
      let middle = (low + high) / 2
      if states[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private func step(_ place: Int) -> Step {
    let own = shares[(place * causes)..<((place + 1) * causes)]
    return Step(
      time: states[place].time, atRisk: states[place].atRisk, survival: states[place].survival,
      incidence: own.map(\.incidence), standardErrors: own.map(\.standardError))
  }

  /// The share that has ended by a cause up to a time, with the interval on the scale of
  /// log(-log(1 - I)), which stays within 0 and 1 (Choudhury, Statistics in Medicine 21, 2002).
  ///
  /// Unavailable without observations, beyond the last of them while some were still going on
  /// (`tooFew`), and where no or all have ended by this cause (`noVariation`).
  public func interval(
    cause: Int, at time: Double, level: Double = 0.95
  ) -> Estimate<EstimateWithInterval> {
    guard let critical = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    guard cause >= 0, cause < causes else { return .unavailable(.invalidInput) }
    guard let lastTime else { return .unavailable(.emptyDenominator) }
    let step = step(at: time)
    guard time <= lastTime || step?.survival == 0 else { return .unavailable(.tooFew) }
    guard let step else { return .unavailable(.noVariation) }
    let incidence = step.incidence[cause]
    guard incidence > 0, incidence < 1, step.standardErrors[cause] > 0 else {
      return .unavailable(.noVariation)
    }
    let log = Double.log(onePlus: -incidence)
    guard log < 0, log.isFinite else { return .unavailable(.noVariation) }
    let factor = Double.exp(
      min(700, critical * step.standardErrors[cause] / ((1 - incidence) * -log)))
    return .value(
      EstimateWithInterval(
        estimate: incidence,
        interval: Interval(
          lower: -.expMinusOne(log / factor), upper: -.expMinusOne(log * factor))))
  }
}

/// The running sums from which the variance of an incidence follows at any later time: Marubini
/// and Valsecchi, Analysing Survival Data (1995), equation 10.12, the delta-method variance
///
///     sum (I - I_j)^2 d_j / (n_j (n_j - d_j)) + sum S_j^2 (n_j - e_j) e_j / n_j^3
///       - 2 sum (I - I_j) S_j e_j / n_j^2
///
/// with d_j all events, e_j those of the cause, and S_j the share going on just before. The
/// squares are multiplied out, so that one pass over the times is enough.
private struct VarianceSums {
  private var relative = 0.0
  private var relativeIncidence = 0.0
  private var relativeSquare = 0.0
  private var own = 0.0
  private var cross = 0.0
  private var crossIncidence = 0.0

  mutating func add(
    incidence: Double, survival: Double, atRisk: Double, events: Double, remaining: Double,
    allEvents: Double
  ) {
    // When all that are left end at once nothing comes after, and (I - I_j) is zero.
    if remaining > 0 {
      let term = allEvents / atRisk / remaining
      relative += term
      relativeIncidence += term * incidence
      relativeSquare += term * incidence * incidence
    }
    own += survival * survival * ((atRisk - events) / atRisk) * (events / atRisk) / atRisk
    let term = survival * (events / atRisk) / atRisk
    cross += term
    crossIncidence += term * incidence
  }

  func variance(at incidence: Double) -> Double {
    let spread =
      incidence * incidence * relative - 2 * incidence * relativeIncidence + relativeSquare
    let variance = spread + own - 2 * (incidence * cross - crossIncidence)
    return max(0, variance)
  }
}
