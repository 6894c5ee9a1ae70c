import FlowDefinition
import FunnelEngine
import FunnelMetrics
import RegressionGate

/// One set of facts at several moments: as they are, as they stood some days ago, and the days
/// before those that are judged.
struct GateDays {
  let job: AnalysisRun
  let dump: AnalysisRun.Dump
  let flow: Flow
  private let evaluation: EvaluationOptions
  let calendar: CivilCalendar

  init(job: AnalysisRun, dump: AnalysisRun.Dump, flow: Flow) throws {
    self.job = job
    self.dump = dump
    self.flow = flow
    calendar = CivilCalendar(timeZone: flow.timeZone)
    evaluation = try job.evaluationOptions(dump.timelines, flow)
  }

  /// The day of the horizon.
  var lastDay: Int { calendar.day(of: evaluation.horizonMilliseconds) }

  /// Evaluates the facts over some days.
  func report(_ options: EvaluationOptions) async throws -> Report {
    try await job.report(dump, flow, options)
  }

  /// The options for people who began on some days.
  func over(_ span: DaySpan, _ base: EvaluationOptions) -> EvaluationOptions {
    var options = base
    options.fromMilliseconds = calendar.start(ofDay: span.first)
    options.toMilliseconds = calendar.start(ofDay: span.last + 1)
    return options
  }

  /// Those who began in so many days of the flow's time zone before others, or before the date up
  /// to which somebody accepted the numbers. That date stays where it is: days of a drop that was
  /// not accepted never become what others are held against.
  ///
  /// - Parameters:
  ///   - judged: the days after them.
  ///   - accepted: the date, as `--accepted` has it.
  ///   - isPast: whether the days are judged as of some time ago, when the date may lie ahead.
  /// - Throws: `CommandError` where the judged days have no beginning, and for a date after it.
  func history(
    days: Int, before judged: EvaluationOptions, until accepted: String?, isPast: Bool
  ) async throws -> Baseline {
    var options = judged
    guard let from = options.fromMilliseconds else {
      throw CommandError(
        "--history needs --from or --period: it is of those who began in the days before")
    }
    var end = from
    if let accepted {
      end = try Moment.parse(accepted, option: "--accepted", edge: .start, calendar: calendar)
      guard end <= from || isPast else {
        throw CommandError(
          "--accepted must not lie after --from or the period, found --accepted \(accepted): the "
            + "days before it are what those are held against")
      }
      end = min(end, from)
    }
    options.toMilliseconds = end
    options.fromMilliseconds = calendar.moment(end, movedByDays: -days)
    let report = try await report(options)
    // Out of the same facts: those who began earlier are known for less long, and that is all.
    return Baseline(
      report,
      name: "those who began in \(days) days before" + (accepted.map { " \($0)" } ?? ""),
      hasOwnLookBack: false)
  }

  /// How the facts are evaluated as they stood at the end of a day so many days ago; 0 is now. The
  /// dates of `--from` and `--to` go back with it.
  func options(daysAgo: Int) -> EvaluationOptions {
    guard daysAgo > 0 else { return evaluation }
    let day = calendar.day(of: evaluation.horizonMilliseconds) - daysAgo
    func back(_ moment: Int64) -> Int64 { calendar.moment(moment, movedByDays: -daysAgo) }
    var options = evaluation
    options.horizonMilliseconds = calendar.start(ofDay: day + 1) - 1
    options.fromMilliseconds = evaluation.fromMilliseconds.map(back)
    options.toMilliseconds = evaluation.toMilliseconds.map(back)
    return options
  }
}
