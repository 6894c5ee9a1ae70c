internal import FlowDefinition

/// How those fared who entered a funnel in each day, week or month.
public struct FunnelTrend: Sendable {
  /// People of one period.
  public struct Period: Sendable, Hashable {
    /// Who got to each step or further.
    public internal(set) var reached: [Int]
    /// People whose only entries of the period are too late to count.
    public internal(set) var immature = 0

    init(steps: Int) { reached = Array(repeating: 0, count: steps) }

    fileprivate mutating func add(_ path: FunnelPath) {
      for step in 0..<path.furthest { reached[step] += 1 }
    }
  }

  /// The periods that people are counted by, in one time zone.
  public let calendar: CalendarPeriods
  /// People are counted in each period in which they enter, by the entries of that period.
  public let entersEachPeriod: Bool
  /// By the number of the period; those without an entry are not there.
  public private(set) var periods: [Int: Period] = [:]
  private let steps: Int
  /// From an entry until nothing more can happen.
  private let span: Int64
  private let horizon: Int64

  /// - Parameter funnel: as its rules read it.
  init(
    _ calendar: CalendarPeriods, entersEachPeriod: Bool, funnel: CustomFunnel,
    options: EvaluationOptions
  ) {
    self.calendar = calendar
    self.entersEachPeriod = entersEachPeriod
    steps = funnel.steps.count
    span = FunnelMatcher.span(of: funnel)
    horizon = options.horizonMilliseconds
  }

  /// Whether the windows of all entries of a period are over, and so its numbers final.
  public func isComplete(_ period: Int) -> Bool {
    FunnelStates.sum(calendar.start(of: period + 1) - 1, span) <= horizon
  }

  mutating func merge(_ other: FunnelTrend) {
    for (number, period) in other.periods {
      var sum = periods[number] ?? Period(steps: steps)
      for step in sum.reached.indices { sum.reached[step] += period.reached[step] }
      sum.immature += period.immature
      periods[number] = sum
    }
  }

  /// Adds a person.
  ///
  /// - Parameters:
  ///   - standing: what the matcher found the person to be.
  ///   - matcher: its entry times are left as they are.
  ///   - path: the walk that it found.
  mutating func add(
    _ facts: [FunnelFact], _ standing: FunnelMatcher.Standing, _ matcher: inout FunnelMatcher,
    _ path: inout FunnelPath
  ) {
    if !entersEachPeriod && standing == .absent { return }
    let times = matcher.entryTimes
    let entries = facts.lazy.filter { [states = matcher.states] in
      $0.steps & states.entrySteps != 0 && times?.contains($0.time) ?? true
    }
    if !entersEachPeriod {
      // A person whose every entry is too late belongs to the period of the first one.
      let entry = path.times.lazy.compactMap { $0 }.first
      guard let time = entry ?? entries.first?.time else { return }
      count(path, isImmature: standing == .immature, in: calendar.number(of: time))
      return
    }
    var last: Int?
    for entry in entries {
      let number = calendar.number(of: entry.time)
      if number == last { continue }
      last = number
      let period = calendar.start(of: number)..<calendar.start(of: number + 1)
      matcher.entryTimes = times.map { $0.clamped(to: period) } ?? period
      let standing = matcher.match(facts, into: &path)
      if standing != .absent { count(path, isImmature: standing == .immature, in: number) }
    }
    matcher.entryTimes = times
  }

  private mutating func count(_ path: FunnelPath, isImmature: Bool, in number: Int) {
    var period = periods[number] ?? Period(steps: steps)
    if isImmature { period.immature += 1 } else { period.add(path) }
    periods[number] = period
  }
}
