/// A rate that experiments compare between a variant and its control: over everybody assigned,
/// never over those who got far (definitions 6.8).
public struct TestedRate: Sendable, Hashable {
  /// Its name in docs/metrics.md.
  public var metric: MetricName
  /// The goal or permission; `all` where the metric has none.
  public var step: String

  package init(_ metric: MetricName, _ step: String = "all") {
    self.metric = metric
    self.step = step
  }
}

extension Flow {
  /// What an experiment tests, each quantity once, in the order of output.
  ///
  /// Where two rates are one quantity by construction, such as two goals with one definition, or a
  /// bracket of days 7 to 30 beside "on or after day 7, until 31", the first stands for both:
  /// tested twice it would be adjusted for twice, and found twice.
  public var testedRates: [TestedRate] {
    var seen: Set<Quantity> = []
    return comparableRates.filter { seen.insert($0.quantity).inserted }.map(\.rate)
  }

  /// The tested rate that stands for a rate; `nil` where experiments don't compare it.
  public func testedRate(for metric: MetricName, step: String = "all") -> TestedRate? {
    let all = comparableRates
    let wanted = TestedRate(metric, step)
    guard let quantity = all.first(where: { $0.rate == wanted })?.quantity else { return nil }
    return all.first { $0.quantity == quantity }?.rate
  }

  /// What a rate is of, without its name.
  private enum Quantity: Hashable {
    case completion, skip, usedSkip
    case optIn(permission: String)
    case goal(
      EventPattern, withinMilliseconds: Int64, Anchor, ofViewedStep: Int?, isOverall: Bool)
    case friction(EventPattern)
    case retention(start: Int, end: Int, EventPattern?, Anchor, isOverall: Bool)
  }

  /// The first rate of each quantity, by every rate's name.
  var firstRates: [TestedRate: TestedRate] {
    var first: [Quantity: TestedRate] = [:]
    var found: [TestedRate: TestedRate] = [:]
    for (rate, quantity) in comparableRates + otherRates {
      found[rate] = first[quantity] ?? rate
      first[quantity] = found[rate]
    }
    return found
  }

  /// Rates that experiments don't compare, of which two may be one quantity.
  private var otherRates: [(rate: TestedRate, quantity: Quantity)] {
    goals.filter { !isRandomised($0) }.map {
      (TestedRate(.goalRate, $0.id), quantity(of: $0, isOverall: false))
    }
      + retention.filter { !isRandomised($0) }.map {
        (TestedRate(.retention($0)), quantity(of: $0, isOverall: false))
      }
      + friction.map {
        (TestedRate(.frictionRate, $0.id), .friction($0.pattern.canonical))
      }
  }

  private func quantity(of goal: Goal, isOverall: Bool) -> Quantity {
    .goal(
      goal.pattern.canonical, withinMilliseconds: goal.withinMilliseconds, canonical(goal.anchor),
      ofViewedStep: goal.ofViewedStep, isOverall: isOverall)
  }

  private func quantity(of measure: RetentionMeasure, isOverall: Bool) -> Quantity {
    let days = measure.window.days
    return .retention(
      start: days.start, end: days.end, measure.pattern?.canonical, canonical(measure.anchor),
      isOverall: isOverall)
  }

  private var comparableRates: [(rate: TestedRate, quantity: Quantity)] {
    var rates: [(TestedRate, Quantity)] = [(TestedRate(.completionRate), .completion)]
    // Who used skip and finished all the same is not skipped: these are two quantities.
    if skip == .ends { rates.append((TestedRate(.skipRate), .skip)) }
    rates.append((TestedRate(.usedSkipRate), .usedSkip))
    rates += permissions.map { (TestedRate(.permissionOptIn, $0), .optIn(permission: $0)) }
    for goal in goals {
      let isOverall = !isRandomised(goal)
      rates.append(
        (
          TestedRate(isOverall ? .goalRateOverall : .goalRate, goal.id),
          quantity(of: goal, isOverall: isOverall)
        ))
    }
    for measure in retention {
      let isOverall = !isRandomised(measure)
      rates.append(
        (
          TestedRate(isOverall ? .retention(measure).overall : .retention(measure)),
          quantity(of: measure, isOverall: isOverall)
        ))
    }
    return rates
  }

  /// The first goal with the same definition as the one that an anchor names.
  private func canonical(_ anchor: Anchor) -> Anchor {
    switch anchor {
    case .entry: return .entry
    case .event(let pattern): return .event(pattern.canonical)
    case .goal(let index):
      guard goals.indices.contains(index) else { return anchor }
      let own = goals[index]
      let first = goals.firstIndex {
        $0.pattern.canonical == own.pattern.canonical && $0.anchor == own.anchor
          && $0.withinMilliseconds == own.withinMilliseconds && $0.ofViewedStep == own.ofViewedStep
      }
      return .goal(first ?? index)
    }
  }
}
