import FlowDefinition
import FunnelEngine
import FunnelReport

/// The same facts at several moments: as they are, as they stood some days ago, and the days before
/// those that are judged.
struct GateDays {
  let job: DumpRun
  let dump: DumpRun.Dump
  let flow: Flow
  private let evaluation: EvaluationOptions
  private let calendar: CivilCalendar

  init(job: DumpRun, dump: DumpRun.Dump, flow: Flow) throws {
    self.job = job
    self.dump = dump
    self.flow = flow
    calendar = CivilCalendar(timeZone: flow.timeZone)
    evaluation = try job.evaluationOptions(dump.timelines, flow)
  }

  /// What is judged, as it stood at the end of a day so many days ago; 0 is now. The dates of
  /// `--from` and `--to` go back with it.
  func report(daysAgo: Int) async throws -> Report {
    try await job.report(dump, flow, options(daysAgo: daysAgo))
  }

  /// Those who began in so many days of the flow's time zone before `--from`, or before the date up
  /// to which somebody accepted the numbers. That date stays where it is: days of a drop that was
  /// not accepted never become what others are held against.
  ///
  /// - Throws: `CommandError` without `--from`, and for a date after it.
  func history(days: Int, until accepted: String?, daysAgo: Int) async throws -> Baseline {
    var options = options(daysAgo: daysAgo)
    guard let from = options.fromMilliseconds else {
      throw CommandError("--history needs --from: it is of those who began before")
    }
    var end = from
    if let accepted {
      end = try Moment.parse(accepted, option: "--accepted", edge: .start, calendar: calendar)
      guard end <= from || daysAgo > 0 else {
        throw CommandError(
          "--accepted must not lie after --from, found --accepted \(accepted): the days before it "
            + "are what those from --from on are held against")
      }
      end = min(end, from)
    }
    options.toMilliseconds = end
    options.fromMilliseconds = calendar.moment(end, movedByDays: -days)
    let report = try await job.report(dump, flow, options)
    // Out of the same facts: those who began earlier are known for less long, and that is all.
    return Baseline(
      report,
      name: "those who began in \(days) days before" + (accepted.map { " \($0)" } ?? ""),
      hasOwnLookBack: false)
  }

  private func options(daysAgo: Int) -> EvaluationOptions {
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
