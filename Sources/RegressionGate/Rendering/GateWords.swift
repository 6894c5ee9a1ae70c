internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// A check in words, the same in every output.
struct GateWords {
  let check: GateCheck
  private var unit: MetricRow.Unit { MetricCatalog.unit(of: check.metric) }

  init(_ check: GateCheck) { self.check = check }

  /// `at least 80 %`, `not worse than the baseline by more than 2 points`
  var demand: String {
    switch check.rule.demand {
    case .atLeast(let bound): return "at least \(self.bound(bound))"
    case .atMost(let bound): return "at most \(self.bound(bound))"
    case .notWorse(let reference, let margin):
      let name = check.referenceName.isEmpty ? "the \(reference.rawValue)" : check.referenceName
      let kind =
        check.rule.isSlowDecline ? "no slow decline: " : check.rule.isProof ? "shown to be " : ""
      let mix = check.rule.adjustedFor.map { SafeText.name($0) }.listed
      return kind + "not worse than \(name) by more than \(amount(margin))"
        + (mix.isEmpty ? "" : ", adjusted for \(mix)")
    }
  }

  private func amount(_ margin: GateRule.Margin) -> String {
    if margin.isRelative { return "\(RateText.bound(margin.amount)) of it" }
    if unit == .seconds { return RateText.duration(margin.amount) }
    return points(margin.amount)
  }

  private func points(_ rate: Double) -> String {
    let points = NumberText.format(rate * 100) ?? "–"
    return points == "1" ? "1 point" : "\(points) points"
  }

  /// `57.1 % (1,142/2,000) against 60.2 % (1,204/2,000)`
  var numbers: String {
    guard let current = check.current else { return "no number" }
    let own = value(current)
    return check.reference.map { "\(own) against \(value($0))" } ?? own
  }

  /// `−3.1 points, 95 % one-sided bounds −5.6 to −0.5`
  var change: String {
    guard let estimate = check.estimate else { return "" }
    let isDifference = check.reference != nil
    var text = isDifference ? signed(estimate) : number(estimate)
    if isDifference && unit == .rate { text += " points" }
    guard let low = check.low, let high = check.high, let alpha = check.alpha else { return text }
    let level = RateText.bound(((1 - 2 * alpha) * 10_000).rounded() / 10_000)
    let isShort = isDifference || unit == .points
    let ends = isShort ? (signed(low), signed(high)) : (number(low), number(high))
    return "\(text), \(level) interval \(ends.0) to \(ends.1)"
  }

  /// Why: what was shown, what is missing, what is broken.
  var reason: String {
    var parts: [String] = []
    switch check.verdict {
    case .fail:
      if let adjusted = check.adjustedP {
        parts.append("one-sided adjusted \(RateText.p(adjusted))")
      }
      if check.margin != nil { parts.append("beyond the margin") }
    case .inconclusive:
      if let missing = check.missingPersons, missing > 0 {
        let days =
          check.missingDays.map {
            " (≈ \(CountText.of($0, "day")))"
          }
          ?? ""
        parts.append("needs \(NumberText.grouped(missing)) more people\(days)")
      }
    case .pass, .noneShown, .invalid: break
    }
    if !check.note.isEmpty { parts.append(check.note) }
    if let days = check.days, check.p != nil { parts += words(days) }
    return parts.joined(separator: ", ")
  }

  private func words(_ days: DayToDay) -> [String] {
    guard let deviation = days.deviation else { return [] }
    var words: [String] = []
    if let same = days.referenceOnSameWeekdays {
      words.append("the baseline had \(RateText.percent(same)) on these weekdays")
    }
    let points = NumberText.format((deviation * 1000).rounded() / 10) ?? "–"
    let count = NumberText.grouped(days.days)
    words.append(
      deviation == 0
        ? "its \(count) days differ no more than chance makes them"
        : "its \(count) days differ by \(points) points (standard deviation)")
    if let correlation = days.neighbourCorrelation, correlation >= 0.05 {
      let shown = NumberText.format((correlation * 10).rounded() / 10) ?? "–"
      words.append("each resembles the day before (correlation \(shown))")
    }
    return words
  }

  /// What all nights since the baseline show.
  static func decline(_ check: GateCheck) -> String {
    guard let decline = check.decline else { return "" }
    let nights = CountText.of(decline.nights, "day")
    guard check.verdict == .fail, let firstDay = decline.firstDay else {
      return "no decline is shown over the \(nights) since the baseline"
    }
    let shown = decline.shownOn.map { ", shown from \(DaySpan.text($0)) on" } ?? ""
    let decisive = decline.decisive
    let weekdays = decisive?.isByWeekday == true ? ", compared by weekday" : ""
    var after = ""
    if let since = decisive?.since, let rate = decisive?.rateSince {
      after = "; people who began \(since.text) have \(RateText.percent(rate))"
    }
    return "worse since about \(DaySpan.text(firstDay))\(weekdays)\(shown)\(after); "
      + "it fails until somebody accepts it"
  }

  /// What a gate can't know whose baseline has too few days.
  static func unknownDays(_ days: Int) -> String {
    let found = days == 0 ? "no counts by day" : CountText.of(days, "day")
    return "Day-to-day variation is unknown: that takes a baseline of 14 days or more, and this "
      + "one has \(found). An unusual day can fail a healthy app, or hide a fault. check --accept "
      + "over two weeks or more writes the days."
  }

  /// `base.json, people who began 2026-03-01 to 2026-03-28, complete up to …`
  static func baseline(_ result: GateResult) -> String? {
    guard let name = result.baselineName else { return nil }
    let began = result.baselineBegan.map { ", people who began \($0.text)" }
    let until = result.baselineHorizonMilliseconds.map {
      ", complete up to \(InstantText.minute($0))"
    }
    return SafeText.name(name) + (began ?? "") + (until ?? "")
  }

  /// The days of a check that are not those at the head of the output; `nil` where they are.
  static func days(_ check: GateCheck, of result: GateResult) -> String? {
    if let decisive = check.decline?.decisive {
      return "people who began \(decisive.days.text), held against people who began "
        + decisive.before.text
    }
    let judged = check.judged.flatMap {
      $0 == result.judged ? nil : "people who began \($0.text)"
    }
    let held = check.referenceBegan.flatMap {
      $0 == result.baselineBegan ? nil : "held against people who began \($0.text)"
    }
    let parts = [judged, held].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// How failures are accepted that no baseline decides; `nil` without such a failure.
  static func otherAcceptance(_ result: GateResult) -> String? {
    let rules = result.checks.filter { check in
      if case .notWorse(.baseline, _) = check.rule.demand { return false }
      return check.verdict == .fail && !check.isSuppressed
    }
    guard let rule = rules.first?.rule, !result.gate.file.isEmpty || rule.line == 0 else {
      return nil
    }
    if rule.line == 0 {
      return "a target is accepted by changing it in the flow file, or for a while by a rule of "
        + "the gate file that asks the same, with 'suppress'"
    }
    return "a bound is accepted by changing it, or for a while by 'suppress', in "
      + "\(SafeText.name(result.gate.file)), line \(rule.line)"
  }

  /// One sentence for annotations and messages.
  var sentence: String {
    let parts = ["\(check.heading): \(demand)", numbers, change, reason]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// What contributed most, a line each.
  var explanations: [String] {
    let alike =
      check.isAlikeEverywhere
      ? ["Everywhere alike: no step and no value of a dimension departs from the rest."] : []
    return check.explanations.map(GateWords.words) + alike + weekdays + broke
      + check.standardised.map(words)
  }

  /// Why a failure isn't taken apart.
  private var weekdays: [String] {
    guard check.verdict == .fail, let points = check.pointsOfWeekdays else { return [] }
    return [
      "Not taken apart by step and value: how many there were of each is known of all the "
        + "baseline's days together, and on these weekdays it had "
        + "\(RateText.signedNumber(points)) points. A period of whole weeks would be."
    ]
  }

  /// When it broke, and what departs from the rest since then.
  private var broke: [String] {
    guard let broke = check.broke else { return [] }
    let days = DaySpan(first: broke.earliest, last: broke.latest)
    let interval = days.count == 1 ? "no other day" : days.text
    let first =
      "Broke on about \(DaySpan.text(broke.day)) (\(RateText.bound(broke.level)) interval: "
      + "\(interval)), \(RateText.signedNumber(broke.difference)) points since then."
    let alike =
      broke.isAlikeEverywhere
      ? ["Since then no value, no release and no flow version departs from the rest."] : []
    return [first] + broke.culprits.map { "since then, " + GateWords.words($0) } + alike
  }

  private func words(_ change: StandardisedChange) -> String {
    let name = SafeText.name(change.dimension)
    let numbers =
      "\(RateText.signedNumber(change.points)) points with one mix of \(name), "
      + "\(RateText.signedNumber(change.crude)) as it is"
    if check.verdict == .fail || !check.rule.adjustedFor.isEmpty {
      return "mix: \(numbers)."
    }
    return "The mix of people hides a drop: \(numbers). A rule with adjust: [\(name)] tests it."
  }

  private static func words(_ part: DropContribution) -> String {
    let name = SafeText.name(part.name)
    let (before, now) = (RateText.percent(part.before), RateText.percent(part.now))
    var points = "\(RateText.signedNumber(part.points)) points"
    if let people = part.shareOfPeople, let change = part.shareOfChange {
      points +=
        " of the whole, \(RateText.percent(change)) of the change with "
        + "\(RateText.percent(people)) of the people"
    }
    switch part.kind {
    case .step:
      return "step \(name): \(now) of all people dropped off there, before \(before) (\(points))"
    case .rate: return "\(name), rate: \(now), before \(before) (\(points))"
    case .mix: return "\(name), mix: \(now) of people, before \(before) (\(points))"
    case .newKind:
      return "\(name), new kind: \(now) of people, before \(before) (\(points))"
    }
  }

  var suppression: String {
    check.suppression.map {
      "suppressed until \(DataConditions.text($0)): \(SafeText.name($0.reason))"
    } ?? ""
  }

  private func value(_ row: MetricRow) -> String {
    guard let value = row.value else { return "no value" }
    guard let numerator = row.numerator, let denominator = row.denominator else {
      return number(value)
    }
    return "\(RateText.percent(value)) (\(NumberText.grouped(numerator))/"
      + "\(NumberText.grouped(denominator)))"
  }

  private func number(_ value: Double) -> String {
    switch unit {
    case .seconds: value < 0 ? RateText.signedDuration(value) : RateText.duration(value)
    case .persons: NumberText.format(value) ?? "–"
    case .amount: RateText.amount(value)
    case .ratio: RateText.signedPercent(value)
    case .points: "\(RateText.signedNumber(value)) points"
    case .probability: NumberText.format(value) ?? "–"
    case .rate: RateText.percent(value)
    }
  }

  /// A number that somebody wrote, with the digits that they wrote.
  private func bound(_ value: Double) -> String {
    switch unit {
    case .rate, .ratio: RateText.bound(value)
    case .points: points(value)
    case .seconds, .persons, .amount, .probability: number(value)
    }
  }

  /// `≥ 80 %`, `≤ 3 min`; empty for comparisons.
  var shortBound: String {
    switch check.rule.demand {
    case .atLeast(let bound): "≥ \(self.bound(bound))"
    case .atMost(let bound): "≤ \(self.bound(bound))"
    case .notWorse: ""
    }
  }

  private func signed(_ value: Double) -> String {
    if unit == .seconds {
      return value.magnitude < 0.05
        ? "0 s" : (value < 0 ? "−" : "+") + RateText.duration(value.magnitude)
    }
    return RateText.signedNumber(value)
  }
}
