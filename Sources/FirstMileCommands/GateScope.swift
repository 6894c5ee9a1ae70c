import FlowDefinition
import FunnelEngine
import FunnelMetrics
import RegressionGate

/// Which of the people in the data a gate judges, and its run over them.
struct GateScope {
  let days: GateDays
  let gate: Gate
  /// Of `--period`.
  let period: GatePeriod?
  /// Of `--history`.
  let history: Int?
  /// Of `--accepted`.
  let accepted: String?
  /// What `--against` read.
  let other: Baseline?
  /// The file that `--baseline` or the gate names.
  let file: Baseline?
  /// Whether every day since the baseline is needed, to say when a rate broke.
  var asksWhen = false
  /// What messages call the data.
  let inputs: String

  /// A run, and how each of its parts was evaluated.
  struct Scoped {
    var run: GateRun
    var options: [DaySpan?: EvaluationOptions]
  }

  /// Whether a rule is held against a baseline.
  private var isHeld: Bool {
    gate.rules.contains { if case .notWorse(.baseline, _) = $0.demand { true } else { false } }
  }

  /// The gate over the data as they stood so many days ago; 0 is now.
  ///
  /// - Parameter whole: over the dates of the command line.
  /// - Throws: `CommandError` where people who are judged are the baseline's own.
  func scoped(_ whole: Report, daysAgo: Int = 0, today: Int? = nil) async throws -> Scoped {
    let options = days.options(daysAgo: daysAgo)
    guard let chosen = try chosen(options), whole.hasPeople else {
      var baseline = other ?? file
      if let history {
        baseline = try await days.history(
          days: history, before: options, until: accepted, isPast: daysAgo > 0)
      }
      var run = GateRun(gate: gate, report: whole, baseline: baseline, today: today)
      run.parts = try explained(
        try await declines(options, isPast: daysAgo > 0), baseline: baseline, whole)
      if !run.parts.isEmpty { run.whole = whole }
      return Scoped(run: run, options: [nil: options])
    }
    let judged = JudgedDays(
      calendar: days.calendar, horizonMilliseconds: options.horizonMilliseconds,
      baseline: isHeld || chosen == .sinceBaseline ? file?.began : nil)
    var parts: [GatePart.Key: GatePart] = try await declines(options, isPast: daysAgo > 0)
    var found: [DaySpan: (part: GatePart, options: EvaluationOptions)] = [:]
    for settling in GateRun.settlings(gate, days.flow) {
      switch judged.resolve(chosen, settling) {
      case .days(let span):
        if found[span] == nil {
          found[span] = try await part(span, options, isPast: daysAgo > 0)
        }
        parts[GatePart.Key(settling)] = found[span]?.part
      case .nothing(let reason):
        parts[GatePart.Key(settling)] = GatePart(
          days: nil, report: nil, emptiness: reason)
      case nil: break
      }
    }
    let ofWindow = GatePart.Key(days.flow.settlingOfAttempts)
    var run = GateRun(
      gate: gate, report: parts[ofWindow]?.report ?? whole,
      baseline: other ?? file ?? GateRun.baseline(ofParts: parts, days.flow), today: today)
    run.parts = try explained(parts, baseline: run.baseline, whole)
    run.whole = whole
    var ofDays: [DaySpan?: EvaluationOptions] = [nil: options]
    for (span, entry) in found { ofDays[span] = entry.options }
    return Scoped(run: run, options: ofDays)
  }

  /// Where nobody began on judged days, whether chance may be why, and what the data have instead.
  private func explained(
    _ parts: [GatePart.Key: GatePart], baseline: Baseline?, _ whole: Report
  ) throws -> [GatePart.Key: GatePart] {
    var words: String??
    return try parts.mapValues { part in
      var part = part
      guard part.report == nil, let span = part.days,
        let quiet = UnlikelyQuiet(span, baseline: part.baseline ?? baseline, whole: whole)
      else { return part }
      // All facts are visited for this, so only where it is asked.
      let others = try words ?? UnlikelyQuiet.words(FactCensus(days.dump.timelines), of: days.flow)
      words = others
      part.isUnlikelyEmpty = true
      part.emptiness = [quiet.sentence, others].compactMap(\.self).joined(separator: " ")
      return part
    }
  }

  /// Every complete day since the baseline or since `--accepted`, for rules that watch for a slow
  /// decline, whatever the period is.
  private func declines(
    _ options: EvaluationOptions, isPast: Bool
  ) async throws -> [GatePart.Key: GatePart] {
    let settlings =
      asksWhen
      ? GateRun.settlingsOfBreaks(gate, days.flow)
      : GateRun.settlingsOfDeclines(gate, days.flow)
    if settlings.isEmpty { return [:] }
    var base = options
    (base.fromMilliseconds, base.toMilliseconds) = (nil, nil)
    let last = try lastAcceptedDay()
    let judged = JudgedDays(
      calendar: days.calendar, horizonMilliseconds: options.horizonMilliseconds,
      baseline: DaySpan(first: last, last: last))
    var parts: [GatePart.Key: GatePart] = [:]
    for settling in settlings {
      let key = GatePart.Key(settling, isSlowDecline: true)
      switch judged.resolve(.sinceBaseline, settling) {
      case .days(let span): parts[key] = try await part(span, base, isPast: isPast).part
      case .nothing(let reason):
        parts[key] = GatePart(days: nil, report: nil, emptiness: reason)
      case nil: break
      }
    }
    return parts
  }

  /// The last day that somebody accepted.
  private func lastAcceptedDay() throws -> Int {
    if let accepted, history != nil {
      let moment = try Moment.parse(
        accepted, option: "--accepted", edge: .start, calendar: days.calendar)
      return days.calendar.day(of: moment) - 1
    }
    if history == nil, other == nil {
      guard let file else {
        throw CommandError(
          "\(asker) held against what somebody accepted, and there is no baseline file: name one "
            + "with --baseline, or make one with --accept")
      }
      guard let began = file.began else { throw withoutSpan }
      return began.last
    }
    throw CommandError(
      "\(asker) held against what somebody accepted: name a --baseline file, or with --history the "
        + "day up to which numbers were accepted, by --accepted")
  }

  private var asker: String {
    asksWhen ? "with --when the days are" : "a rule with slow_decline is"
  }

  /// Some days, looked back on for as long as the baseline's people are.
  func part(
    _ span: DaySpan, _ base: EvaluationOptions, isPast: Bool
  ) async throws -> (part: GatePart, options: EvaluationOptions) {
    var options = days.over(span, base)
    var part = GatePart(days: span, report: try await days.report(options))
    if base.historyFromMilliseconds == nil, let file, isHeld,
      let lookBack = JudgedDays.lookBack(
        of: span, known: part.report?.provenance.lookBack, like: file)
    {
      if lookBack < part.report?.provenance.lookBack?.days ?? 0 {
        options.historyFromMilliseconds = days.calendar.start(ofDay: span.first - lookBack)
        part.report = try await days.report(options)
      }
      part.hasBaselinesLookBack = true
    }
    if part.report?.hasPeople == false {
      part = GatePart(
        days: span, report: nil,
        emptiness: span.count == 1
          ? "nobody began on \(span.text)" : "nobody began from \(span.text)")
    }
    if let history {
      part.baseline = try await days.history(
        days: history, before: options, until: accepted, isPast: isPast)
    }
    return (part, options)
  }

  // MARK: The period

  /// - Returns: `nil` where the dates of the command line hold, or everyone is judged.
  private func chosen(_ options: EvaluationOptions) throws -> GatePeriod? {
    let hasDates = options.fromMilliseconds != nil || options.toMilliseconds != nil
    let written = period ?? gate.period
    if written == .everyone { return nil }
    if period == nil, hasDates {
      if isHeld, file != nil { try refuseOverlap(span(options)) }
      return nil
    }
    let isFile = file != nil && (isHeld || written == .sinceBaseline)
    if isFile, file?.began == nil { throw withoutSpan }
    if written == .sinceBaseline, file == nil {
      let found = history != nil ? "--history" : other != nil ? "--against" : "none"
      throw CommandError(
        "the period 'since baseline' goes with a baseline file, and there is \(found): write "
          + "--period 'last 7 complete days', or name the file with --baseline")
    }
    guard let written else { return isFile ? .sinceBaseline : nil }
    if case .days(let days) = written, isFile {
      try refuseOverlap(DaySpan(first: days.lowerBound, last: days.upperBound))
    }
    return written
  }

  /// The days of `--from` and `--to`.
  private func span(_ options: EvaluationOptions) -> DaySpan {
    let last = min(options.toMilliseconds.map { $0 - 1 } ?? .max, options.horizonMilliseconds)
    let first = options.fromMilliseconds.map { days.calendar.day(of: $0) } ?? 0
    return DaySpan(first: first, last: max(first, days.calendar.day(of: last)))
  }

  private func refuseOverlap(_ judged: DaySpan) throws {
    guard let file, let began = file.began, let both = began.intersection(judged) else { return }
    let day = DaySpan.text(began.last + 1)
    throw CommandError(
      "people who began \(both.count == 1 ? "on" : "from") \(both.text) are on both sides: in the "
        + "baseline '\(file.name)' (people who began \(began.text)) and among those judged of "
        + "'\(inputs)'. The same people can't show a drop. Write --period 'since baseline', or "
        + "dates from \(day) on, or in the gate file 'period: since baseline'")
  }

  private var withoutSpan: CommandError {
    CommandError(
      "the baseline '\(file?.name ?? "")' does not say when its people began, so they might be the "
        + "people who are judged: it was written by an earlier version. Renew it over the days "
        + "that it was made of: firstmile check … --period '2026-03-01 to 2026-03-28' --accept")
  }
}

extension Report {
  /// Whether anybody entered.
  var hasPeople: Bool { analysis.row(.entered)?.numerator ?? 0 > 0 }

  /// Whether the window of anybody is over.
  var hasMaturePeople: Bool { analysis.row(.persons)?.numerator ?? 0 > 0 }
}
