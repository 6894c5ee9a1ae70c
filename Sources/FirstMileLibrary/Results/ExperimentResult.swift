import ExperimentStatistics
import FlowDefinition
import FunnelMetrics

/// One experiment of the flow.
public struct ExperimentResult: Sendable, Identifiable {
  /// A reason why no verdict is given.
  public enum Doubt: Sendable, Hashable {
    /// The split is not the declared one.
    case sampleRatioMismatch
    /// Of an experiment on accounts: so many of all have people of several variants, who were
    /// assigned one by one.
    case mixedAccounts(mixed: Int, all: Int)
    /// The shares of the variants change over time, though one split is declared: the least and the
    /// greatest that a variant has of a cohort, from 0 to 1.
    case splitChanged(variant: String, least: Double, greatest: Double)
    /// Too many people were seen with several variants; from 0 to 1.
    case contaminated(share: Double)
    /// Too many people have no variant.
    case unassigned(share: Double)
    /// Of an experiment on accounts: too many people have none.
    case withoutAccount(share: Double)
  }

  /// The experiment, as the flow calls it.
  public let id: String
  /// The variant that the others are compared with.
  public let control: String
  /// In declared order, the control among them.
  public let variants: [String]
  /// Empty where verdicts are given.
  public let doubts: [Doubt]
  private let comparisons: [MetricComparison]

  init(_ summary: ExperimentSummary) {
    id = summary.id
    control = summary.control
    variants = summary.arms.map(\.variant)
    comparisons = summary.comparisons
    doubts = summary.doubts.map { doubt in
      switch doubt {
      case .sampleRatioMismatch: .sampleRatioMismatch
      case .mixedAccounts(let mixed, let all): .mixedAccounts(mixed: mixed, all: all)
      case .splitChanged(let variant, let least, let greatest):
        .splitChanged(variant: variant, least: least, greatest: greatest)
      case .contaminated(let share): .contaminated(share: share)
      case .unassigned(let share): .unassigned(share: share)
      case .withoutAccount(let share): .withoutAccount(share: share)
      }
    }
  }

  /// The lift of a rate.
  ///
  /// A goal or retention that counts from something after the beginning is compared over everyone.
  ///
  /// - Parameters:
  ///   - metric: the rate to compare.
  ///   - variant: the first that is not the control if not given.
  /// - Returns: `nil` where the experiment doesn't compare the metric, or has no such variant.
  public func lift(of metric: Metric, variant: String? = nil) -> Lift? {
    let variant = variant ?? variants.first { $0 != control }
    func comparison(_ metric: Metric) -> MetricComparison? {
      comparisons.first {
        $0.variant == variant && $0.metric == metric.metricName && $0.step == metric.subject
          && $0.isRandomised
      }
    }
    guard let found = comparison(metric) ?? comparison(metric.overall) else { return nil }
    let interval = found.lift.value?.interval
    return Lift(
      metric: metric, variant: found.variant, control: found.control,
      lift: found.lift.value?.estimate,
      interval: interval.map { $0.lower...max($0.lower, $0.upper) },
      difference: found.difference.value?.estimate, pValue: found.pAdjusted ?? found.p,
      verdict: found.verdict.map(Lift.Verdict.init))
  }
}

extension Lift.Verdict {
  init(_ verdict: ExperimentStatistics.Verdict) {
    switch verdict {
    case .higher: self = .higher
    case .lower: self = .lower
    case .noneShown: self = .noneShown
    case .tooEarly: self = .tooEarly
    case .withinMargin: self = .withinMargin
    case .beyondMargin: self = .beyondMargin
    }
  }
}
