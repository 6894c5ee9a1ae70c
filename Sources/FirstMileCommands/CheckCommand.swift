import ArgumentParser
import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import RegressionGate
import ReportText

/// The gate: dumps in, a verdict and an exit code out.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Hold metrics against targets and a baseline.",
    discussion: """
      firstmile check dumps/ --flow aiq --gate gate.yaml --baseline baseline.json

      With a baseline, people are judged who began after its last day; --period or 'period' in the \
      gate file chooses other days.

      Without --gate the flow's own targets are held. Exit codes: 0 passed, 1 a rule failed, \
      2 usage, the gate file or input that can't be read, 3 inconclusive where asked to fail on \
      it, 4 invalid data.
      """)

  @OptionGroup var input: InputOptions

  @Option(
    help: "The gate file; without it the flow's targets are the rules.",
    completion: .file(extensions: ["yaml", "yml"]))
  var gate: String?

  @Option(help: "A metrics.json, or what --accept wrote; wins over the gate file's.")
  var baseline: String?

  @Option(
    name: .customLong("against"), parsing: .singleValue,
    help: "Dumps to compare with in place of a baseline; may be given several times.")
  var against: [String] = []

  @Option(
    help: """
      Whom to judge, by the day they began: 'last complete day', 'last 7 complete days', 'since \
      baseline', '2026-03-01 to 2026-03-07', or everyone; wins over the gate file's.
      """)
  var period: String?

  @Flag(help: "Write these numbers as the new baseline, and judge nothing.")
  var accept = false

  @Flag(help: "Tell what this gate can catch on this much data, and judge nothing.")
  var plan = false

  @Option(help: "With --plan: what the gate would have said on each of so many past days.")
  var replay: Int = 0

  @Option(
    help: """
      Compare with those who began in so many days before --from or the period, out of the same \
      dumps or store.
      """)
  var history: Int?

  @Option(
    help: """
      With --history: the days before this date, up to which somebody accepted the numbers, in \
      place of those before --from. So a lasting drop fails until the date is moved.
      """)
  var accepted: String?

  @Option(help: "The day that ages and suppressions are reckoned by; the horizon's if not given.")
  var today: String?

  @Option(
    help: "More rejected lines than this share make the data invalid.",
    transform: Share.parse)
  var maxRejectRate = Share(0.01)

  @Option(help: "With each failure, hashes of so many persons that it is about.")
  var examples: Int = 0

  @Flag(help: "With each failed rate: since which day, and what departs from the rest since then.")
  var when = false

  @OptionGroup var outputs: CheckOutputs

  func validate() throws {
    if !(0...5).contains(examples) {
      throw ValidationError("--examples must be from 0 to 5, found \(examples)")
    }
    let references = [baseline != nil, !against.isEmpty, history != nil].count { $0 }
    if references > 1 {
      throw ValidationError("--baseline, --against and --history exclude each other")
    }
    if !(0...366).contains(replay) || replay > 0 && !plan {
      throw ValidationError("--replay goes with --plan, and is from 1 to 366 days")
    }
    if let history, !(1...3660).contains(history) {
      throw ValidationError("--history must be from 1 to 3660 days, found \(history)")
    }
    if accepted != nil, history == nil {
      throw ValidationError("--accepted goes with --history: it says which days these are")
    }
    if let period, GatePeriod(period) == nil {
      throw ValidationError(
        "--period: found '\(period)'; allowed are "
          + GatePeriod.allowed.map { "'\($0)'" }.joined(separator: ", "))
    }
    if period != nil, chosenPeriod != .everyone, input.from != nil || input.to != nil {
      throw ValidationError("--period and --from or --to both name days: leave one out")
    }
    if when, accept || plan {
      throw ValidationError("--when goes with judging, not with --accept or --plan")
    }
    if accept && plan { throw ValidationError("--accept and --plan exclude each other") }
  }

  func run() async throws {
    let flows = try input.loadFlows()
    guard let flow = flows.first, flows.count == 1 else {
      throw CommandError("check judges one flow at a time; name one with --flow")
    }
    let gate = try GateInput.load(gate, for: flow)
    let files = CommandFiles()
    let job = AnalysisRun(
      flows: [flow], options: input, cohorts: .day, maximumRejectRate: maxRejectRate.fraction,
      files: files)
    defer { job.finish() }
    let places = try places(gate, files)
    let dump = try await job.read()
    Console.tell(problems: dump.problems)
    if dump.isUnreadable { throw ExitStatus.usage }
    let days = try GateDays(job: job, dump: dump, flow: flow)
    let whole = try await days.report(days.options(daysAgo: 0))
    do {
      if let place = places.baseline { return try await write(gate, whole, days, to: place) }
      try await judge(gate, whole, days, places)
    } catch let error as GateError {
      // Where nobody entered, that no rule matches anything is no mistake in the rules.
      guard try await tellNobody(whole, days) else { throw error }
      throw ExitStatus.dataQuality
    }
  }

  private var chosenPeriod: GatePeriod? { period.flatMap(GatePeriod.init) }

  /// Where results go.
  private struct Places {
    var outputs: CheckOutputs.Files
    /// Of `--accept`.
    var baseline: OutputFile?
  }

  /// Names the files that are read and written besides the dumps, before these are read.
  private func places(_ gate: Gate, _ files: CommandFiles) throws -> Places {
    if let path = self.gate { try files.read(path, as: "the gate file") }
    let path = baseline ?? GateInput.baselinePath(gate)
    if accept {
      guard let path else {
        throw CommandError(
          "--accept needs a place to write to: --baseline FILE, or 'baseline' in "
            + "the gate file")
      }
      return Places(
        outputs: try outputs.files(of: files),
        baseline: try files.write(path, as: "--accept into the baseline"))
    }
    if let path { try files.read(path, as: "the baseline") }
    return Places(outputs: try outputs.files(of: files))
  }

  private func judge(
    _ gate: Gate, _ whole: Report, _ days: GateDays, _ places: Places
  ) async throws {
    let flow = days.flow
    let day = try today.map {
      let calendar = CivilCalendar(timeZone: flow.timeZone)
      return calendar.day(
        of: try Moment.parse($0, option: "--today", edge: .start, calendar: calendar))
    }
    let scope = try await scope(gate, days, today: day)
    let scoped = try await scope.scoped(whole, today: day)
    let run = scoped.run
    if run.baseline == nil, try run.needsBaseline() {
      throw CommandError(
        "a rule is held against the baseline, and there is none: name one with --baseline, or "
          + "make one with --accept")
    }
    if plan {
      try await tellPlan(run, scope, places)
      if !days.dump.problems.isEmpty { throw ExitStatus.usage }
      if try await tellNobody(whole, days) { throw ExitStatus.dataQuality }
      return
    }
    var result = try run.result()
    if examples > 0 {
      try PersonExamples(
        job: days.job, dump: days.dump, report: run.report, options: scoped.options,
        limit: examples
      ).add(to: &result)
    }
    if when { try await addBreaks(to: &result, run, scope) }
    if let notice = days.job.asOfNotice.text {
      result.remarks.append(notice)
      result.lacksDays = true
    }
    result.commands = CheckInvocation(command: self, gate: gate).commands(after: result)
    if let damaged = DamagedSources(days.dump, store: input.store),
      result.data.contains(where: { $0.measure == .damagedInputs && !$0.isMet })
    {
      result.commands.append(GateCommand(.drop, damaged.dropping))
    }
    try outputs.write(result, to: places.outputs)
    if !days.dump.problems.isEmpty { throw ExitStatus.usage }
    if try await tellNobody(whole, days) { throw ExitStatus.dataQuality }
    if result.exitCode != 0 { throw ExitCode(result.exitCode) }
  }

  /// Says of failed rates since when, out of every day since the baseline.
  private func addBreaks(
    to result: inout GateResult, _ run: GateRun, _ scope: GateScope
  ) async throws {
    var base = scope.days.options(daysAgo: 0)
    (base.fromMilliseconds, base.toMilliseconds) = (nil, nil)
    for index in result.checks.indices {
      guard var found = run.breakDay(of: result.checks[index]) else { continue }
      let since = try await scope.part(found.since, base, isPast: false).part.report
      var before: Report?
      if let span = found.before {
        before = try await scope.part(span, base, isPast: false).part.report
      }
      if let since {
        run.nameCulprits(of: result.checks[index], in: &found, since: since, before: before)
      }
      result.checks[index].broke = found
    }
  }

  /// Returns whether nobody entered: then there is nothing to judge.
  private func tellNobody(_ report: Report, _ days: GateDays) async throws -> Bool {
    guard report.analysis.row(.entered)?.numerator == 0 else { return false }
    let nobody =
      try await days.job.nobodyEntered(days.dump, report) ?? "there is no event in the input"
    Console.message("there is nothing to judge: \(nobody)")
    return true
  }

  private func tellPlan(
    _ run: GateRun, _ scope: GateScope, _ places: Places
  ) async throws {
    var planned = try run.plan()
    for daysAgo in 0..<replay {
      let whole = try await scope.days.report(scope.days.options(daysAgo: daysAgo))
      // Days on which only the baseline's people could be judged are left out.
      guard let past = try? await scope.scoped(whole, daysAgo: daysAgo).run, past.hasJudgedPeople
      else {
        planned.replay.leaveOut()
        continue
      }
      // A rule may have had nothing to match yet.
      if let result = try? past.result() { planned.replay.prepend(result) }
    }
    try outputs.write(planned, to: places.outputs)
  }

  private func scope(_ gate: Gate, _ days: GateDays, today: Int?) async throws -> GateScope {
    let isFile = history == nil && against.isEmpty
    return GateScope(
      days: days, gate: gate, period: chosenPeriod, history: history, accepted: accepted,
      other: try await readOther(gate, days, today: today),
      file: isFile ? try GateInput.baseline(baseline, gate, days.flow) : nil, asksWhen: when,
      inputs: input.store ?? input.inputs.map(RemoteAddress.shown).joined(separator: " "))
  }

  /// The second set of dumps that is compared with.
  private func readOther(
    _ gate: Gate, _ days: GateDays, today: Int?
  ) async throws -> Baseline? {
    if against.isEmpty { return nil }
    var options = input
    options.inputs = against
    options.store = nil
    // The dates are about the inputs that are judged.
    (options.asOf, options.from, options.to, options.historyFrom) = (nil, nil, nil, nil)
    let job = AnalysisRun(
      flows: [days.flow], options: options, cohorts: .day,
      maximumRejectRate: maxRejectRate.fraction, files: days.job.files)
    defer { job.finish() }
    let dump = try await job.read()
    if let problem = dump.problems.first { throw CommandError(problem.description) }
    let report = try await job.report(dump, days.flow)
    Console.tellProblems(of: dump.summaries)
    var other = Baseline(report, name: against.map(RemoteAddress.shown).joined(separator: " "))
    // Suppressions are reckoned by the day of what is judged.
    let run = GateRun(
      gate: gate, report: report, baseline: nil, today: today ?? days.lastDay)
    let nobody = report.hasMaturePeople ? nil : "nobody's window is over"
    if let fault = run.dataFaults.first ?? nobody {
      other.fault = "what is compared with (--against) is no measure: \(fault)"
    }
    return other
  }

  /// A baseline of data on which nothing would be judged is no measure either.
  private func refuseUnfit(_ run: GateRun, _ days: GateDays) async throws {
    let kept = "no baseline was written, and the one before it stays"
    if !days.dump.problems.isEmpty {
      Console.message("\(kept): not all of the input could be read")
      throw ExitStatus.usage
    }
    if try await tellNobody(run.report, days) {
      Console.message(kept)
      throw ExitStatus.dataQuality
    }
    if !run.report.hasMaturePeople {
      Console.message("\(kept): nobody's window is over")
      throw ExitStatus.dataQuality
    }
    let faults = run.dataFaults
    if faults.isEmpty { return }
    for fault in faults { Console.message("\(kept): \(fault)") }
    throw ExitStatus.dataQuality
  }

  /// Writes the new baseline and prints what changes with it.
  private func write(
    _ gate: Gate, _ whole: Report, _ days: GateDays, to place: OutputFile
  ) async throws {
    let old = try? GateInput.baseline(baseline, gate, days.flow)
    var report = whole
    if let chosenPeriod {
      let options = days.options(daysAgo: 0)
      let judged = JudgedDays(
        calendar: days.calendar, horizonMilliseconds: options.horizonMilliseconds,
        baseline: chosenPeriod == .sinceBaseline ? old?.began : nil)
      switch judged.resolve(chosenPeriod, days.flow.settlingOfAttempts) {
      case .days(let span): report = try await days.report(days.over(span, options))
      case .nothing(let reason): throw CommandError("there is nothing to accept: \(reason)")
      case nil: break
      }
    }
    let run = GateRun(gate: gate, report: report, baseline: nil)
    guard try run.needsBaseline() else {
      throw CommandError("no rule is held against a baseline: there is nothing to accept")
    }
    try await refuseUnfit(run, days)
    let text = try run.baselineDocument()
    try place.replace(with: text)
    let new = try Baseline(json: Array(text.utf8), name: place.given, flow: days.flow)
    if !outputs.quiet {
      Console.output(
        try BaselineChange(
          run: run, old: old, new: new,
          style: TerminalStyle(width: 80, color: Console.hasColor)
        ).text())
    }
    Console.message("the baseline is in \(place.given)")
    if new.hasFewDays {
      Console.message(
        "it is of fewer than 14 days, which don't show how days differ: an unusual day can fail a "
          + "healthy app. Accept two weeks or more (--period, --from and --to) when they are there")
    }
  }
}
