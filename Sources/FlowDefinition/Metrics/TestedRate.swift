/// A rate that experiments compare between a variant and its control: over everybody assigned,
/// never over those who got far.
public struct TestedRate: Sendable, Hashable {
  public var metric: String
  /// The goal or permission; `all` where the metric has none.
  public var step: String

  init(_ metric: String, _ step: String = "all") {
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
  public func testedRate(for metric: String, step: String = "all") -> TestedRate? {
    let all = comparableRates
    let wanted = TestedRate(metric, step)
    guard let quantity = all.first(where: { $0.rate == wanted })?.quantity else { return nil }
    return all.first { $0.quantity == quantity }?.rate
  }

  /// What a rate is of, without its name.
  private enum Quantity: Hashable {
    case completion, skip
    case optIn(permission: String)
    case goal(EventPattern, withinMilliseconds: Int64, Anchor)
    case retention(start: Int, end: Int, EventPattern?, Anchor)
  }

  private var comparableRates: [(rate: TestedRate, quantity: Quantity)] {
    var rates: [(TestedRate, Quantity)] = [(TestedRate("completion_rate"), .completion)]
    // Where a skip ends the flow, who used it is whom it ended the flow for.
    if skip == .ends { rates.append((TestedRate("skip_rate"), .skip)) }
    rates.append((TestedRate("used_skip_rate"), .skip))
    rates += permissions.map { (TestedRate("permission_opt_in", $0), .optIn(permission: $0)) }
    for goal in goals where goal.ofViewedStep == nil {
      let quantity = Quantity.goal(
        goal.pattern.canonical, withinMilliseconds: goal.withinMilliseconds, canonical(goal.anchor))
      rates.append((TestedRate("goal_rate", goal.id), quantity))
    }
    for measure in retention {
      let days = measure.window.days
      let quantity = Quantity.retention(
        start: days.start, end: days.end, measure.pattern?.canonical, canonical(measure.anchor))
      rates.append((TestedRate("retention_\(measure.id)"), quantity))
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
