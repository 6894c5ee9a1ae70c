internal import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// A gate held against a report: rules × numbers → verdicts.
///
/// The way: rules are spread over their slices (`GateCases`), each case finds its numbers and the
/// test they go into (`GateEvidenceSource`), all tests of the run are judged together
/// (`DropFamily`), and what failed is taken apart (`DropExplanation`).
package struct GateRun: Sendable {
  package let gate: Gate
  package let report: Report
  /// `nil` where the gate has none, or none was found.
  package let baseline: Baseline?
  /// What rules are judged on; all of them on ``report`` where empty.
  package var parts: [GatePart.Key: GatePart] = [:]
  /// Of everyone in the data, where `report` is of some days.
  package var whole: Report?
  /// The day that ages and suppressions are reckoned by, as days since 1970.
  package let today: Int

  /// - Parameter today: days since 1970 in the flow's time zone; the horizon's day if `nil`.
  package init(gate: Gate, report: Report, baseline: Baseline?, today: Int? = nil) {
    self.gate = gate
    self.report = report
    self.baseline = baseline
    let calendar = CivilCalendar(timeZone: report.analysis.flow.timeZone)
    self.today = today ?? report.provenance.horizonMilliseconds.map { calendar.day(of: $0) } ?? 0
  }

  var analysis: Analysis { report.analysis }

  /// - Throws: `GateError` for a rule that matches nothing.
  package func result() throws(GateError) -> GateResult {
    let conditions = DataConditions(gate: gate, report: report, today: today)
    let data = conditions.checks()
    let judged = try judgedCases(data)
    var result = GateResult(
      gate: gate, flow: analysis.flow.id, fingerprint: analysis.flow.fingerprint,
      programVersion: report.provenance.programVersion,
      horizonMilliseconds: report.provenance.horizonMilliseconds, baselineName: baseline?.name,
      baselineHorizonMilliseconds: baseline?.horizonMilliseconds, checks: judged.checks,
      data: data, familySize: judged.familySize, remarks: [])
    let references = judged.checks.compactMap(\.referenceBegan)
    result.baselineBegan = GateResult.most(references) ?? baseline?.began
    result.declines = judged.checks.count { $0.decline != nil && !$0.isSuppressed }
    result.remarks = remarks(result)
    let first = judged.checks.compactMap(\.judged?.first).min() ?? recently
    result.lacksDays =
      MissingDaysWords(report.provenance, since: DaySpan.text(first)) != nil
      || MissingStartsWords(report, since: first) != nil
      || !StoppedEventsWords.all(analysis, since: first).isEmpty
    return result
  }

  /// Why nothing may be judged on the report's data, or accepted of them, in words; empty where all
  /// is well. What is wrong with an experiment alone concerns its rules.
  package var dataFaults: [String] {
    DataConditions(gate: gate, report: report, today: today).checks()
      // What is written down or compared with are numbers of people whose window is over.
      .filter { $0.isBroken && $0.experiment == nil && $0.measure != .immature }
      .map(DataConditions.words)
  }

  /// The text that `check --accept` writes.
  ///
  /// - Throws: `GateError` for a rule that matches nothing.
  package func baselineDocument() throws(GateError) -> String {
    try BaselineDocument(gate, report).text()
  }

  /// Whether any rule is held against a baseline.
  package func needsBaseline() throws(GateError) -> Bool {
    try cases().contains { $0.item.needsBaseline }
  }

  /// Every case with its evidence, broken data and suppressions taken into account.
  func evidence(_ data: [DataCheck]) throws(GateError) -> [(item: GateCase, found: GateEvidence)] {
    var sources: [GatePart.Key?: GateEvidenceSource] = [:]
    let broken = data.filter(\.isBroken)
    let everything = broken.first { $0.experiment == nil }
    let ofExperiment = Dictionary(
      broken.compactMap { check in check.experiment.map { ($0, check) } },
      uniquingKeysWith: { first, _ in first })
    let age = tooOld()
    var evidence: [(item: GateCase, found: GateEvidence)] = []
    for (item, key) in try cases() {
      let part = key.flatMap { parts[$0] }
      var source =
        sources[key]
        ?? GateEvidenceSource(
          part?.report?.analysis ?? analysis, part?.baseline ?? baseline,
          isSettled: part?.report != nil)
      if let whole, let days = part?.days { source.earlier = (whole.analysis, days.first) }
      let isUnjudged = part != nil && part?.report == nil
      var found =
        isUnjudged
        ? unjudged(item, part) : source.evidence(item)
      found.judged = part?.days
      if item.needsBaseline { found.referenceBegan = part?.baseline?.began }
      sources[key] = source
      // Where nobody can be judged yet there is no look-back either.
      let lookBack = isUnjudged ? nil : unlikeLookBack(part)
      if let broken = everything ?? ofExperiment[item.slice.experiment] {
        found.judging = .invalid(DataConditions.words(broken))
      } else if item.needsBaseline, let fault = baseline?.fault {
        found.judging = .invalid(fault)
      } else if item.needsBaseline, let age {
        found.judging = .invalid(age)
      } else if item.needsBaseline, let lookBack, !found.isInvalid {
        found.judging = .invalid(lookBack)
      } else if analysis.flow.counting == .attempts, found.isTested {
        found.judging = .invalid(
          "the flow counts attempts (count: attempts), and several attempts of one person are not "
            + "independent: nothing can be tested; count persons")
      }
      if item.isOfAbsentExperiment, !found.isGone { continue }
      evidence.append((item, found))
    }
    return evidence
  }

  private func unjudged(_ item: GateCase, _ part: GatePart?) -> GateEvidence {
    let reason = item.emptiness ?? ""
    return part?.isUnlikelyEmpty == true
      ? GateEvidence(gone: reason) : GateEvidence(.unknown(reason))
  }

  private func judgedCases(
    _ data: [DataCheck]
  ) throws(GateError) -> (checks: [GateCheck], familySize: Int) {
    let all = try evidence(data)
    var tests: [any DropTest] = []
    var places: [Int: Int] = [:]
    var proofs: Set<Int> = []
    for (index, entry) in all.enumerated() where suppression(entry.item.rule) == nil {
      guard case .test(let test) = entry.found.judging else { continue }
      places[index] = tests.count
      if entry.item.rule.isProof { proofs.insert(tests.count) }
      tests.append(test)
    }
    let family = family
    let judgements = family.judge(tests, proofs: proofs)
    let declines = judgedDeclines(all)
    let checks = all.enumerated().map { index, entry in
      var judgement = places[index].map { judgements[$0] }
      if judgement == nil, case .test(let test) = entry.found.judging {
        // A suppressed rule is judged on its own and reported, but weighs on no other.
        judgement = family.judge([test], proofs: entry.item.rule.isProof ? [0] : []).first
      }
      var check = check(entry.item, entry.found, judgement, familySize: tests.count)
      if let decline = declines[index] { settle(&check, decline) }
      explain(&check, entry.item)
      return check
    }
    return (checks, tests.count)
  }

  var correction: MultipleTesting {
    switch gate.correction {
    case .holm: .holm
    case .benjaminiHochberg: .benjaminiHochberg
    case .none: .none
    }
  }

  var family: DropFamily {
    DropFamily(alpha: gate.alphaOfRun, power: gate.power, correction: correction)
  }

  private func check(
    _ item: GateCase, _ found: GateEvidence, _ judgement: DropFamily.Judgement?, familySize: Int
  ) -> GateCheck {
    var check = GateCheck(
      rule: item.rule, title: item.title, heading: item.heading(analysis.flow),
      metric: item.metric, step: item.step, slice: item.slice, verdict: .pass,
      suppression: suppression(item.rule), current: found.current,
      reference: found.reference, referenceName: found.referenceName, margin: found.margin,
      days: found.days)
    check.judged = found.judged
    check.referenceBegan = found.referenceBegan
    check.isGone = found.isGone && found.isInvalid
    switch found.judging {
    case .plain(let isMet): check.verdict = isMet ? .pass : .fail
    case .decline: break
    case .unknown(let reason):
      check.verdict = .inconclusive
      check.note = reason
    case .invalid(let reason):
      check.verdict = .invalid
      check.note = reason
    case .test(let test):
      guard let judgement else { break }
      GateNumbers(check: check, test: test, judgement: judgement).fill(&check)
      settle(&check, test, judgement, single: family.singleAlpha(of: familySize))
    }
    return check
  }

  private func settle(
    _ check: inout GateCheck, _ test: any DropTest, _ judgement: DropFamily.Judgement,
    single: Double
  ) {
    switch judgement.outcome {
    case .failed: check.verdict = .fail
    case .passed:
      check.verdict = .pass
      if test.asksForNothing { check.note = "it can't fail: it asks for nothing" }
    case .noneShown:
      check.verdict = .noneShown
      check.note = "nothing worse is shown; the interval says what is not excluded"
    case .inconclusive(let missing):
      check.verdict = .inconclusive
      check.missingPersons = missing
      if test.p == nil { check.note = "nobody counts for it yet" }
      if test.p != nil, !test.canDrop {
        check.note = "\(check.referenceName) lies within the margin of 0, and too few people say so"
      }
      if check.rule.isProof {
        settleProof(&check, test, judgement, single: single)
        return
      }
      if missing == nil, let both = test.trialsNeededOnBothSides(alpha: single, power: gate.power) {
        check.missingPersons = max(0, both - test.trials)
        let place = check.days?.referenceOnSameWeekdays == nil ? "" : " on these weekdays"
        check.note =
          "\(check.referenceName) has too few\(place) as well: it takes "
          + "\(NumberText.grouped(both)) on each side"
      }
      if let missing = check.missingPersons, missing > 0 {
        check.missingDays = days(missing, trials: test.trials)
      }
    }
  }

  /// A rule that asks for a proof, and has none.
  private func settleProof(
    _ check: inout GateCheck, _ test: any DropTest, _ judgement: DropFamily.Judgement,
    single: Double
  ) {
    guard test.p != nil else { return }
    check.note = "not shown to lie within the margin"
    if let missing = check.missingPersons {
      check.missingDays = days(missing, trials: test.trials)
    } else if judgement.power >= gate.power {
      check.note +=
        ", which samples of this size show in "
        + "\(RateText.percent(judgement.power)) of runs where nothing is worse"
    } else {
      check.note += "; \(check.referenceName) has too few for any number of people to show it"
    }
  }

  /// How many days more at the pace of those that the data covers.
  func days(_ missing: Int, trials: Int) -> Int? {
    guard trials > 0, let covered = DaysCovered.count(analysis), covered > 0 else { return nil }
    let days = (Double(missing) * Double(covered) / Double(trials)).rounded(.up)
    return days < 1e9 ? Int(days) : nil
  }

  // MARK: Suppression, age, remarks

  func suppression(_ rule: GateRule) -> GateRule.Suppression? {
    guard let suppression = rule.suppression, today <= DataConditions.day(suppression) else {
      return nil
    }
    return suppression
  }

  private func tooOld() -> String? {
    guard let baseline, let horizon = baseline.horizonMilliseconds else { return nil }
    let calendar = CivilCalendar(timeZone: analysis.flow.timeZone)
    let age = today - calendar.day(of: horizon)
    let most = Int(gate.maximumBaselineAgeMilliseconds / 86_400_000)
    guard age > most else { return nil }
    return "the baseline is \(CountText.of(age, "day")) old, at most \(most) are allowed; "
      + "accept a new one with check --accept"
  }

  private func unlikeLookBack(_ part: GatePart?) -> String? {
    let provenance = (part?.report ?? report).provenance
    guard let own = provenance.lookBack, !(part?.hasBaselinesLookBack ?? false),
      let other = (part?.baseline ?? baseline)?.lookBack, !own.isAlike(other)
    else { return nil }
    return LookBack.difference(own, other, of: "the baseline")
  }

  /// So many days after the data's last one a nightly run may be.
  private static let daysBehind = 2

  /// Days that are missing since then are named.
  private var recently: Int { today - 35 }

  private func remarks(_ result: GateResult) -> [String] {
    var remarks: [String] = []
    for rule in gate.rules {
      guard let suppression = rule.suppression, self.suppression(rule) == nil else { continue }
      remarks.append(
        "\(gate.file):\(rule.line): the suppression ended on \(DataConditions.text(suppression)): "
          + "the rule counts again")
    }
    if let horizon = report.provenance.horizonMilliseconds {
      let last = CivilCalendar(timeZone: analysis.flow.timeZone).day(of: horizon)
      if today - last > Self.daysBehind {
        remarks.append(
          "The data end on \(DaySpan.text(last)), \(CountText.of(today - last, "day")) before "
            + "today: no newer day was judged.")
      }
    }
    if let missing = MissingDaysWords(report.provenance, since: DaySpan.text(recently)) {
      remarks.append("\(missing.claim) \(missing.detail)")
    }
    if let missing = MissingStartsWords(report, since: recently) {
      remarks.append("\(missing.claim) \(missing.detail)")
    }
    remarks += StoppedEventsWords.all(analysis, since: recently).map { "\($0.claim) \($0.detail)" }
    remarks += UndeclaredVariants(analysis).sentences
    let unknown = result.checks.compactMap(\.days).filter { $0.deviation == nil }
    if let days = unknown.map(\.days).max() { remarks.append(GateWords.unknownDays(days)) }
    if result.hasGone, result.checks.contains(where: { $0.verdict == .fail }) {
      remarks.append(
        "what failed may follow from the number that nobody has any more: find out about that "
          + "first")
    }
    if result.checks.isEmpty && gate.rules.isEmpty {
      remarks.append("the flow has no targets and there is no gate file: nothing was held")
    }
    return remarks
  }
}

/// How many days the persons of an analysis began in.
enum DaysCovered {
  /// From the first to the last cohort, both counted whole; `nil` without cohorts.
  static func count(_ analysis: Analysis) -> Int? {
    let labels = analysis.slices.slices.filter { $0.uncut == .all && $0.cohort != "all" }
      .map(\.cohort)
    let days = labels.compactMap { label in InstantReader.day(label).map { ($0, label) } }
      .sorted { $0.0 < $1.0 }
    if days.count == labels.count, let first = first(days, analysis), let last = days.last {
      return last.0 - first + 1
    }
    let length = labels.contains { $0.contains("W") } ? 7 : 30
    return labels.isEmpty ? nil : labels.count * length
  }

  /// The first day, but for those of a few persons, a hundredth of all at most, more than a month
  /// before the others: clocks that are late would make any pace a slow one.
  private static func first(_ days: [(day: Int, label: String)], _ analysis: Analysis) -> Int? {
    let total = analysis.row(.entered)?.numerator ?? 0
    var sum = 0
    var first = days.first?.day
    for (cohort, next) in zip(days, days.dropFirst()) {
      let key = BreakdownKey(dimension: BreakdownKey.cohort, value: cohort.label)
      sum += analysis.row(.entered, in: Slice(breakdown: key))?.numerator ?? 0
      if sum * 100 > total { break }
      if next.day - cohort.day > 30 { first = next.day }
    }
    return first
  }
}
