package import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// Sentences that stand on several surfaces (page, Markdown, terminal, gate): written once, so that
/// all of them say it in the words of docs and meetings.
package enum ReportWords {
  /// `1 person`, `1,200 people`
  package static func people(_ count: Int) -> String {
    count == 1 ? "1 person" : "\(NumberText.grouped(count)) people"
  }

  /// What a version of the flow is, where the app's versions are near.
  package static let flowVersion =
    "which list of steps people were given. It isn’t the release of the app: several releases may "
    + "share one."

  /// Two numbers of one comparison that don't answer the same question.
  package static let severalProbabilities =
    "p and P(rate is higher) look at one metric by itself; the verdict follows from p adjusted, "
    + "which allows for all metrics."

  package static let alwaysValidP =
    "p and p adjusted allow for checking at any time, and so are larger than those of a single "
    + "look; P(rate is higher) doesn’t: don’t decide by it."

  /// Why more people granted than were asked and granted.
  package static let answersAndAcceptance =
    "“Granted” and “denied” include answers without a record that the system asked. Acceptance is "
    + "of the recorded questions only, answered or not."

  /// How the shares of a curve over time may differ from the rates.
  package static let incidence =
    "Of everyone who started. People who could still finish count as not known, not as lost, so "
    + "the last value may differ a little from completion, which leaves people out who joined too "
    + "recently."

  /// How two medians of a step differ.
  package static let stepTimes =
    "“Median” adds up a person’s visits; “half have moved on” is from the first view, over "
    + "everyone who saw the step, where people who drop off count as never moving on"

  /// `13 people joined too recently to count.`, for people whose window is still open; of a
  /// measure's days, `13 people joined too recently for day 7.`
  package static func tooRecent(_ count: Int, for days: String? = nil) -> String {
    "\(people(count)) joined too recently \(days.map { "for \($0)" } ?? "to count")."
  }

  /// `no data from before 5 Jan 2026`; `nil` where nobody started.
  package static func dataBegin(_ report: Report) -> String? {
    guard let lookBack = report.provenance.lookBack else { return nil }
    if lookBack.knowsEveryone { return "data go back to the first users" }
    guard lookBack.days == 0, let first = report.startDays()?.lowerBound else {
      return "data begin \(lookBack.beginning)"
    }
    return "no data from before \(DateText.day(first))"
  }

  /// Who can be known to have used the app before, in a sentence; `nil` where nobody started.
  package static func knownBefore(_ report: Report) -> String? {
    guard let lookBack = report.provenance.lookBack else { return nil }
    if lookBack.knowsEveryone {
      return "Nearly all who are seen in the data’s first week started in it: the data go back to "
        + "the first users, and everyone’s earlier use is known."
    }
    return knownBefore(lookBack.days)
  }

  /// Who can be known to have used the app before, where nobody is known for longer.
  package static func knownBefore(_ lookBackDays: Int) -> String {
    lookBackDays == 0
      ? "The data begins with the first start, so some of these people may have used the app "
        + "before. Only people who were active well before their own start are left out as "
        + "existing users."
      : "Who used the app before is known for the \(CountText.of(lookBackDays, "day")) before the "
        + "first start."
  }

  /// `5 Jan – 3 Jul 2026`: when the people of a report started; `nil` where nobody did.
  package static func dates(_ report: Report) -> String? {
    report.startDays().map { DateText.range($0.lowerBound, $0.upperBound) }
  }

  /// `Targets: 1 of 5 met, 1 missed, 3 undecided.`
  package static func targets(_ verdicts: [TargetCheck.Verdict]) -> String {
    func count(_ verdict: TargetCheck.Verdict) -> Int { verdicts.count { $0 == verdict } }
    var parts = ["\(count(.met)) of \(NumberText.grouped(verdicts.count)) met"]
    let others: [TargetCheck.Verdict] = [.missed, .unclear, .unknown]
    for verdict in others where count(verdict) > 0 {
      parts.append("\(count(verdict)) \(verdict == .unknown ? "with no data" : verdict.rawValue)")
    }
    return "Targets: \(parts.joined(separator: ", "))."
  }

  /// `Every total is the sum of its parts (4 checks in 163 groups).`
  package static func sums(_ analysis: Analysis) -> String {
    let slices = "\(NumberText.grouped(analysis.slices.slices.count)) groups"
    let failures = analysis.identities.flatMap(\.failures)
    guard let first = failures.first else {
      let checks = analysis.identities.count
      return "Every total is the sum of its parts (\(checks) checks in \(slices))."
    }
    return "\(failures.count) sums in \(slices) don’t add up, the first: \(SafeText.name(first))."
  }

  /// `With 215 people, a true rise of less than 13.4 points (33.6 % of the control’s rate)
  /// would often be missed.` Tables and intervals are in points, lifts are of the control's rate.
  package static func power(_ people: Int, lift: Double, of control: Double?) -> String {
    let share = RateText.percent(lift)
    let size =
      control.map { "\(RateText.number($0 * lift)) points (\(share) of the control’s rate)" }
      ?? "\(share) of the control’s rate"
    return "With \(self.people(people)), a true rise of less than \(size) would often be "
      + "missed."
  }

  /// How large a difference of the rates would be seen by now: a rise, and where the variant is
  /// below the control a fall, which takes another size.
  package static func couldShow(_ comparison: MetricComparison) -> String? {
    guard let difference = comparison.smallestDetectableDifference else { return nil }
    let rates = comparison.comparedRates
    let control = rates.control ?? 0
    let size = "\(RateText.number(difference)) points"
    guard rates.treatment ?? 0 < control else {
      return "So far, only a rise of \(size) or more would show."
    }
    let rise = comparison.smallestDetectableLift.map {
      "a rise of \(RateText.number($0 * control)) or "
    }
    return "So far, only \(rise ?? "")a fall of \(size) or more would show."
  }

  /// Why the rate of everyone may lie outside those of all variants; `nil` where everyone of an
  /// experiment has a variant, or those who have none had the same steps.
  package static func everyoneIncludes(_ analysis: Analysis) -> String? {
    guard analysis.seenVersions.count > 1, let experiment = analysis.experiments.first?.id,
      let without = WithoutVariant(analysis, experiment: experiment)
    else { return nil }
    return "Everyone includes \(people(without.people)) without a variant\(without.which)."
  }

  /// Why the numbers of these variants may differ from everyone's before their experiment is met;
  /// `nil` where everybody assigned is in them.
  package static func exposed(_ slices: [Slice], _ flow: Flow) -> String? {
    let experiments = Set(slices.map(\.experiment))
    return flow.experiments.contains { $0.exposure != nil && experiments.contains($0.id) }
      ? "The variants’ columns, here and below, are of the people who were exposed to the "
        + "experiment: they have come as far as that."
      : nil
  }

  /// `11 more metrics, none with a clear difference`
  package static func undecidedMetrics(_ count: Int) -> String {
    count == 1
      ? "1 more metric, without a clear difference"
      : "\(NumberText.grouped(count)) more metrics, none with a clear difference"
  }

  /// Why no number is about skips; `nil` where some could be. That nobody skips in data that might
  /// not record it is not said.
  package static func noSkip(_ analysis: Analysis) -> String? {
    analysis.hasSkips
      ? nil : "This flow has no Skip that ends it: people finish it or abandon it."
  }

  /// `12 existing users left out, 7 people left out by leave_out`; `nil` where none are.
  package static func leftOut(_ analysis: Analysis) -> Sentence? {
    let all = [leftOutAsExisting(analysis), leftOutByFlow(analysis)].compactMap { $0 }
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }

  /// `7 people left out by leave_out`, none too: what leaves nobody out must be seen. `nil` where
  /// the flow leaves nobody out.
  private static func leftOutByFlow(_ analysis: Analysis) -> Sentence? {
    if analysis.flow.leaveOut.isEmpty { return nil }
    let count = analysis.tally.quality.leftOut
    let shown = Sentence(quality: count, "left_out")
    return "\(shown) \(count == 1 ? "person" : "people") left out by leave_out"
  }

  /// Whom a funnel or a matrix leaves out for the flow file.
  package static func leftOutByFlow(_ count: Int) -> String {
    "\(people(count)) \(count == 1 ? "is" : "are") left out by the flow file (leave_out)"
  }

  private static func leftOutAsExisting(_ analysis: Analysis) -> Sentence? {
    guard analysis.flow.existingUsers == .exclude, let datum = analysis.datum(.existingUsers),
      let count = datum.row.numerator, count > 0
    else { return nil }
    return "\(datum.saidCount) existing \(count == 1 ? "user" : "users") left out"
  }

  /// `5 people without a recorded start`; `nil` where there are none.
  package static func withoutStart(_ analysis: Analysis) -> Sentence? {
    guard let datum = analysis.datum(.orphans), let count = datum.row.numerator, count > 0 else {
      return nil
    }
    return "\(datum.saidCount) \(count == 1 ? "person" : "people") without a recorded start"
  }
}

extension String {
  /// With a full stop, unless it has an end of its own: a name that was cut, or a question.
  package var ended: String {
    last.map { "….?!".contains($0) } ?? true ? self : "\(self)."
  }
}
