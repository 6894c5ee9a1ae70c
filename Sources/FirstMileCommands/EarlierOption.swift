import ArgumentParser
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReportText

/// `--against`: what the reports of a run are held against.
enum EarlierOption {
  /// The period before that of the report, which is as long.
  case previous
  /// A recorded report for each flow, in the order of the flows.
  case recorded(name: String, [RecordedReport])

  /// Whether the people in the dump are counted a second time.
  var countsAgain: Bool { if case .previous = self { true } else { false } }

  /// Reads what it names, before hours of reading dumps.
  ///
  /// - Throws: `CommandError` where there is no such report, or one of another flow.
  init?(_ given: String?, _ flows: [Flow], _ input: InputOptions, _ files: CommandFiles) throws {
    guard let given else { return nil }
    if given == "previous" {
      guard input.from != nil else {
        throw CommandError(
          "--against previous needs --from DATE: the period before it, which is as long, is what "
            + "the report is held against")
      }
      self = .previous
      return
    }
    let reports = try flows.map { flow in
      let place = flows.count == 1 ? given : "\(ReportFolders.trimmed(given))/\(flow.id)"
      let file = try RecordedReportFile(given: place)
      let report = try file.read(files, allowsBaseline: true)
      guard report.flowID == flow.id else {
        throw CommandError(
          "--against: '\(file.path)' is of flow '\(report.flowID)', not of '\(flow.id)'")
      }
      return report
    }
    self = .recorded(name: EarlierOption.name(given), reports)
  }

  /// The last folder of a path, or its file: what people call a report.
  private static func name(_ path: String) -> String {
    let names = path.split(separator: "/").filter { $0 != "." && $0 != "metrics.json" }
    return names.last.map(String.init) ?? path
  }

  /// The numbers of a recorded report that the report of a flow is held against; `nil` where
  /// people would have to be counted.
  func recorded(of report: Report, flow place: Int) throws -> EarlierNumbers? {
    guard case .recorded(let name, let reports) = self else { return nil }
    return try EarlierNumbers(reports[place], of: report, name: name)
  }

  /// The numbers that the report of a flow is held against.
  func numbers(
    of report: Report, flow place: Int, _ dump: AnalysisRun.Dump, _ job: AnalysisRun
  ) async throws -> EarlierNumbers {
    switch self {
    case .recorded(let name, let reports):
      return try EarlierNumbers(reports[place], of: report, name: name)
    case .previous:
      let flow = job.flows[place]
      let calendar = CivilCalendar(timeZone: flow.timeZone)
      var evaluation = try job.evaluationOptions(dump.timelines, flow)
      var own = evaluation
      let days = evaluation.moveToPeriodBefore(in: calendar)
      let earlier = try await job.report(dump, flow, evaluation)
      var recount: Report?
      if !report.hasLookBack(like: earlier), let from = own.fromMilliseconds {
        own.lookBack(asFarAs: evaluation, before: from, in: calendar)
        recount = try await job.report(dump, flow, own)
      }
      return try EarlierNumbers(
        RecordedReport(earlier), of: report, recount: recount, name: days, areOtherPeriods: true)
    }
  }
}

extension EvaluationOptions {
  /// Sets facts aside that are further before this period than the data begin before an earlier
  /// one, so that both know people equally long.
  fileprivate mutating func lookBack(
    asFarAs earlier: EvaluationOptions, before from: Int64, in calendar: CivilCalendar
  ) {
    let start = earlier.fromMilliseconds ?? from
    let days = calendar.day(of: start) - calendar.day(of: min(start, earlier.knownFromMilliseconds))
    historyFromMilliseconds = calendar.start(ofDay: calendar.day(of: from) - days)
  }

  /// Moves the dates to the period before them, which is as long: as many days where both ends are
  /// those of days, whatever the clocks did on one of them.
  ///
  /// - Returns: its days in words.
  fileprivate mutating func moveToPeriodBefore(in calendar: CivilCalendar) -> String {
    guard let from = fromMilliseconds else { return "" }
    let end = min(toMilliseconds ?? .max, horizonMilliseconds + 1)
    let (first, last) = (calendar.day(of: from), calendar.day(of: end))
    let areDays = calendar.start(ofDay: first) == from && calendar.start(ofDay: last) == end
    let start = areDays ? calendar.start(ofDay: 2 * first - last) : from - (end - from)
    (fromMilliseconds, toMilliseconds) = (start, from)
    return DateText.range(calendar.day(of: start), calendar.day(of: from - 1))
  }
}
