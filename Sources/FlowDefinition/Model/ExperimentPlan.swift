/// What an experiment is decided by, declared before anybody looks at it: `primary` and
/// `guardrails` of the flow file.
public struct ExperimentPlan: Sendable, Hashable {
  /// The metric that decides, tested first and at the whole alpha.
  public var primary: TestedRate
  /// Metrics that must not suffer by more than their margin, in the order of the file.
  public var guardrails: [Guardrail]

  /// A plan; without guardrails the primary metric alone decides what is shipped.
  public init(primary: TestedRate, guardrails: [Guardrail] = []) {
    self.primary = primary
    self.guardrails = guardrails
  }

  /// A metric that must not suffer.
  public struct Guardrail: Sendable, Hashable {
    /// The rate that must not get worse.
    public var rate: TestedRate
    /// The largest loss that is accepted, relative to the control: 0.02 is a fiftieth.
    public var margin: Double

    /// A guardrail; the margin is a share of the control's rate.
    public init(rate: TestedRate, margin: Double) {
      self.rate = rate
      self.margin = margin
    }
  }
}

extension Flow {
  /// The rates that a plan can name, each by all names that mean nothing else: `completion`,
  /// `skip`, `used_skip`, the id of a goal, retention measure or permission, and with its kind
  /// (`goal:first_plan`), which is always clear.
  var planNames: [(name: String, rate: TestedRate)] {
    let rates = testedRates.flatMap { rate in
      TestedRate.planNames(of: rate).map { (name: $0, rate: rate) }
    }
    var counts: [String: Int] = [:]
    for named in rates { counts[named.name, default: 0] += 1 }
    return rates.filter { counts[$0.name] == 1 }
  }

  /// The shortest name of a tested rate in a plan.
  func planName(of rate: TestedRate) -> String {
    planNames.first { $0.rate == rate }?.name ?? rate.metric.rawValue
  }
}

extension TestedRate {
  /// What a plan may call a rate, the shortest first; names of other rates may be the same.
  fileprivate static func planNames(of rate: TestedRate) -> [String] {
    let metric = rate.metric.withoutOverall
    let name = metric.rawValue
    switch metric {
    case .completionRate: return ["completion", name]
    case .skipRate: return ["skip", name]
    case .usedSkipRate: return ["used_skip", name]
    case .permissionOptIn: return [rate.step, "permission:\(rate.step)"]
    case .goalRate: return [rate.step, "goal:\(rate.step)"]
    default:
      guard let id = metric.retentionID else { return [name] }
      return [id, "retention:\(id)"]
    }
  }
}
