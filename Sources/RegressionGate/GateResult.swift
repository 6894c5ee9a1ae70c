package import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// What the gate says of a case.
package enum GateVerdict: String, Sendable, Hashable, CaseIterable {
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
package struct GateCheck: Sendable {
  package var rule: GateRule
  /// `step_conversion plan, variant short`, as the gate's file has it
  package var title: String
  /// The title in the words of the flow's titles.
  package var heading: String
  package var metric: MetricName
  /// `all` where the metric has none.
  package var step: String
  package var slice: Slice
  package var verdict: GateVerdict
  /// Why the verdict does not count, while the suppression holds.
  package var suppression: GateRule.Suppression?
  package var current: MetricRow?
  /// The other number of a comparison, and what to call it.
  package var reference: MetricRow?
  package var referenceName = ""
  /// In the number's unit; `nil` for bounds.
  package var margin: Double?
  /// For rates held against the baseline.
  package var days: DayToDay?
  /// When the people began who are judged; `nil` for everyone in the data.
  package var judged: DaySpan?
  /// When the people began against whom these are held, where rules have days of their own
  /// (`--history`).
  package var referenceBegan: DaySpan?
  /// Current minus reference with the bounds of its interval, in the number's unit; the number
  /// itself for bounds.
  package var estimate: Double?
  package var low: Double?
  package var high: Double?
  /// The one-sided level of `low` and `high`.
  package var alpha: Double?
  package var p: Double?
  package var adjustedP: Double?
  /// The chance that this sample would have shown a drop of twice the margin.
  package var power: Double?
  /// For what is inconclusive, where a number of persons would do.
  package var missingPersons: Int?
  package var missingDays: Int?
  /// What all nights since the baseline say, of a rule with `slow_decline`.
  package var decline: DeclineFinding?
  /// Why the verdict is what it is, where that is more than the numbers.
  package var note = ""
  /// For a failed rate, where asked for: since when.
  package var broke: BreakFinding?
  /// Whether nobody has the number any more, though chance hardly explains that.
  package var isGone = false
  /// For a failure: what contributes most.
  package var explanations: [DropContribution] = []
  /// For a failure: no step and no value departs from the rest.
  package var isAlikeEverywhere = false
  /// Where the mix of people hides or makes a part of the change.
  package var standardised: [StandardisedChange] = []
  /// For a failure, where asked for: hashes of persons that it is about.
  package var examples: [String] = []

  package var isSuppressed: Bool { suppression != nil }

  /// By how much other days of the week move the rate, where that is more than a tenth of the
  /// tested difference: the change of all days together is then another one than what was tested.
  package var pointsOfWeekdays: Double? {
    guard let same = days?.referenceOnSameWeekdays, let all = reference?.value, let estimate
    else { return nil }
    let points = same - all
    return points.magnitude > 0.1 * estimate.magnitude ? points : nil
  }
}

/// A condition on the data themselves.
package struct DataCheck: Sendable {
  package var measure: QualityMeasure
  /// The experiment it is about; `nil` where it is about everything.
  package var experiment: String?
  /// `nil` where there is nothing to measure.
  package var value: Double?
  /// At most this; for the sample ratio at least.
  package var bound: Double
  package var numerator: Int?
  package var denominator: Int?
  /// What it comes from, where that is known.
  package var cause: String?
  /// The names of the inputs that it counts, where it is about inputs.
  package var inputs: [String] = []
  package var isMet: Bool
  /// The rule that set the bound; `nil` for the bounds that always hold.
  package var rule: GateRule?
  package var suppression: GateRule.Suppression?

  /// Whether it makes verdicts invalid.
  package var isBroken: Bool { !isMet && suppression == nil && rule?.level != .warn }
}

/// A gate's run over one report.
package struct GateResult: Sendable {
  package var gate: Gate
  package var flow: String
  package var fingerprint: String
  package var programVersion: String
  package var horizonMilliseconds: Int64?
  package var baselineName: String?
  package var baselineHorizonMilliseconds: Int64?
  /// When the baseline's people began, or those of most checks where rules have days of their own;
  /// `nil` where it does not say.
  package var baselineBegan: DaySpan? = nil
  /// In the order of the rules.
  package var checks: [GateCheck]
  package var data: [DataCheck]
  /// How many tests the correction is over.
  package var familySize: Int
  /// How many rules watch for a slow decline: a family of their own.
  package var declines = 0
  /// Things to know that are no verdict: a suppression that ended, a flow without rules.
  package var remarks: [String]
  /// What to run next, where something failed.
  package var commands: [GateCommand] = []

  /// When the people began whom most checks judge; `nil` for everyone in the data.
  package var judged: DaySpan? { GateResult.most(checks.compactMap(\.judged)) }

  /// The days that most have; the latest of those that equally many have.
  static func most(_ days: [DaySpan]) -> DaySpan? {
    days.max { one, other in
      let (left, right) = (days.count { $0 == one }, days.count { $0 == other })
      return (left, one.last, one.first) < (right, other.last, other.first)
    }
  }

  /// Whether nobody has a number any more, so that what failed may follow from lost events.
  package var hasGone: Bool { checks.contains(where: \.isGone) }

  /// Whether days are missing, or have not come yet, on which judged people might have come back.
  package var lacksDays = false

  /// How many checks that count have a verdict.
  package func count(_ verdict: GateVerdict) -> Int {
    checks.count { $0.verdict == verdict && !$0.isSuppressed }
  }

  /// What becomes of an inconclusive check.
  package func policy(_ check: GateCheck) -> GateRule.OnInconclusive {
    check.rule.onInconclusive ?? gate.onInconclusive
  }

  /// What a check amounts to once its level is taken into account.
  package func severity(_ check: GateCheck) -> Severity {
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
  package enum Severity: String, Sendable, Hashable {
    case none, warning, error
  }

  /// The verdict of the whole gate: the worst of those that count as errors.
  package var verdict: GateVerdict {
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
  package var exitCode: Int32 {
    switch verdict {
    case .pass, .noneShown: 0
    case .fail: 1
    case .inconclusive: 3
    case .invalid: 4
    }
  }
}
