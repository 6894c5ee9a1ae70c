public import FlowDefinition
public import FunnelMetrics
internal import ReportText

/// What the gate says of a case.
public enum GateVerdict: String, Sendable, Hashable, CaseIterable {
  case pass, fail
  /// Nothing worse was shown by a sample that was large enough, and nothing better proven.
  case noneShown = "none_shown"
  case inconclusive, invalid
}

extension GateVerdict {
  /// As people read it.
  package var words: String { self == .noneShown ? "none shown" : rawValue }
}

/// One rule in one slice, judged.
public struct GateCheck: Sendable {
  public var rule: GateRule
  /// `step_conversion plan, variant short`, as the gate's file has it
  public var title: String
  /// The title in the words of the flow's titles.
  public var heading: String
  public var metric: String
  /// `all` where the metric has none.
  public var step: String
  public var slice: Slice
  public var verdict: GateVerdict
  /// Why the verdict does not count, while the suppression holds.
  public var suppression: GateRule.Suppression?
  public var current: MetricRow?
  /// The other number of a comparison, and what to call it.
  public var reference: MetricRow?
  public var referenceName = ""
  /// In the number's unit; `nil` for bounds.
  public var margin: Double?
  /// For rates held against the baseline.
  public var days: DayToDay?
  /// When the people began who are judged; `nil` for everyone in the data.
  public var judged: DaySpan?
  /// Current minus reference with the bounds of its interval, in the number's unit; the number
  /// itself for bounds.
  public var estimate: Double?
  public var low: Double?
  public var high: Double?
  /// The one-sided level of `low` and `high`.
  public var alpha: Double?
  public var p: Double?
  public var adjustedP: Double?
  /// The chance that this sample would have shown a drop of twice the margin.
  public var power: Double?
  /// For what is inconclusive, where a number of persons would do.
  public var missingPersons: Int?
  public var missingDays: Int?
  /// What all nights since the baseline say, of a rule with `slow_decline`.
  public var decline: DeclineFinding?
  /// Why the verdict is what it is, where that is more than the numbers.
  public var note = ""
  /// For a failed rate, where asked for: since when.
  public var broke: BreakFinding?
  /// For a failure: what contributes most.
  public var explanations: [DropContribution] = []
  /// For a failure: no step and no value departs from the rest.
  public var isAlikeEverywhere = false
  /// Where the mix of people hides or makes a part of the change.
  public var standardised: [StandardisedChange] = []
  /// For a failure, where asked for: hashes of persons that it is about.
  public var examples: [String] = []

  public var isSuppressed: Bool { suppression != nil }
}

/// A condition on the data themselves.
public struct DataCheck: Sendable {
  public var measure: QualityMeasure
  /// The experiment it is about; `nil` where it is about everything.
  public var experiment: String?
  /// `nil` where there is nothing to measure.
  public var value: Double?
  /// At most this; for the sample ratio at least.
  public var bound: Double
  public var numerator: Int?
  public var denominator: Int?
  public var isMet: Bool
  /// The rule that set the bound; `nil` for the bounds that always hold.
  public var rule: GateRule?
  public var suppression: GateRule.Suppression?

  /// Whether it makes verdicts invalid.
  public var isBroken: Bool { !isMet && suppression == nil && rule?.level != .warn }
}

/// A gate's run over one report.
public struct GateResult: Sendable {
  public var gate: Gate
  public var flow: String
  public var fingerprint: String
  public var programVersion: String
  public var horizonMilliseconds: Int64?
  public var baselineName: String?
  public var baselineHorizonMilliseconds: Int64?
  /// When the baseline's people began; `nil` where it does not say.
  public var baselineBegan: DaySpan? = nil
  /// In the order of the rules.
  public var checks: [GateCheck]
  public var data: [DataCheck]
  /// How many tests the correction is over.
  public var familySize: Int
  /// Things to know that are no verdict: a suppression that ended, a flow without rules.
  public var remarks: [String]
  /// What to run next, where something failed.
  public var commands: [GateCommand] = []

  /// When the people began whom most checks judge; `nil` for everyone in the data.
  public var judged: DaySpan? {
    let days = checks.compactMap(\.judged)
    return days.max { one, other in
      let (left, right) = (days.count { $0 == one }, days.count { $0 == other })
      return (left, one.last) < (right, other.last)
    }
  }

  /// How many checks that count have a verdict.
  public func count(_ verdict: GateVerdict) -> Int {
    checks.count { $0.verdict == verdict && !$0.isSuppressed }
  }

  /// What becomes of an inconclusive check.
  public func policy(_ check: GateCheck) -> GateRule.OnInconclusive {
    check.rule.onInconclusive ?? gate.onInconclusive
  }

  /// What a check amounts to once its level is taken into account.
  public func severity(_ check: GateCheck) -> Severity {
    if check.isSuppressed { return .none }
    let full: Severity = check.rule.level == .error ? .error : .warning
    switch check.verdict {
    case .pass, .noneShown: return .none
    case .fail, .invalid: return full
    case .inconclusive:
      switch policy(check) {
      case .fail: return full
      case .warn: return .warning
      case .ignore: return .none
      }
    }
  }

  /// How severe something is.
  public enum Severity: String, Sendable, Hashable {
    case none, warning, error
  }

  /// The verdict of the whole gate: the worst of those that count as errors.
  public var verdict: GateVerdict {
    let errors = checks.filter { severity($0) == .error }
    if errors.contains(where: { $0.verdict == .fail }) { return .fail }
    if errors.contains(where: { $0.verdict == .invalid }) || data.contains(where: \.isBroken) {
      return .invalid
    }
    if errors.contains(where: { $0.verdict == .inconclusive }) { return .inconclusive }
    return .pass
  }

  /// A pass in words: it says how many checks are undecided, and is none where all are.
  var passWords: String {
    let undecided = count(.inconclusive)
    if undecided == 0 { return "passed" }
    let isAll = undecided == checks.count { !$0.isSuppressed }
    return isAll ? "undecided" : "passed, \(NumberText.grouped(undecided)) undecided"
  }

  /// The exit code: 0 fine, 1 a check failed, 3 inconclusive where asked to fail on it, 4 invalid
  /// data.
  public var exitCode: Int32 {
    switch verdict {
    case .pass, .noneShown: 0
    case .fail: 1
    case .inconclusive: 3
    case .invalid: 4
    }
  }
}
