package import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Why a file is no baseline.
package struct BaselineError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
}

extension Baseline {
  static let schemas = [RecordedReport.baselineSchema] + RecordedReport.metricsSchemas

  /// Reads what `check --accept` wrote, or the `metrics.json` of a report.
  ///
  /// - Parameter flow: a report's people began a window before its data end, at the latest.
  /// - Throws: `BaselineError`, with what is wrong, for anything else.
  package init(
    json bytes: [UInt8], name: String, flow: Flow? = nil
  ) throws(BaselineError) {
    let file: RecordedReport
    do {
      file = try RecordedReport(bytes: bytes, schemas: Baseline.schemas)
    } catch {
      throw BaselineError(description: "\(name): \(Baseline.words(error))")
    }
    self.init(
      name: name, flow: file.flow.id, semanticsVersion: file.semanticsVersion,
      choices: file.choices, horizonMilliseconds: file.horizon.flatMap(InstantReader.milliseconds),
      lookBack: file.lookBack,
      began: Baseline.began(file, flow),
      fingerprints: Dictionary(
        uniqueKeysWithValues: file.fingerprints.map {
          (Name(metric: $0.key.metric, step: $0.key.step), $0.value)
        }),
      rows: file.metrics.rows.map(\.metricRow)
        + (file.metrics.by_day ?? []).flatMap(\.metricRows))
  }

  private static func began(_ file: RecordedReport, _ flow: Flow?) -> DaySpan? {
    if let began = file.began, let first = InstantReader.day(began.first),
      let last = InstantReader.day(began.last), first <= last
    {
      return DaySpan(first: first, last: last)
    }
    guard RecordedReport.metricsSchemas.contains(file.schema), let flow,
      let horizon = file.horizon.flatMap(InstantReader.milliseconds)
    else { return nil }
    let last = CivilCalendar(timeZone: flow.timeZone).day(of: horizon - flow.windowMilliseconds)
    // Dates that options left out; of an instant the day.
    func day(_ option: String, isEnd: Bool) -> Int? {
      guard let text = file.options?[option], let day = InstantReader.day(text.prefix(10)) else {
        return nil
      }
      return isEnd && text.utf8.count == 10 ? day - 1 : day
    }
    return DaySpan(
      first: day("from", isEnd: false) ?? CivilCalendar.dayNumber(year: 2000, month: 1, day: 1),
      last: min(last, day("to", isEnd: true) ?? last))
  }

  private static func words(_ error: RecordedReportError) -> String {
    let needed = "a metrics.json is needed, or what check --accept writes"
    return switch error {
    case .notJSON: "not JSON"
    case .missing(let key):
      "no baseline: '\(SafeText.name(key, limit: 40))' is missing; \(needed)"
    case .malformed: "no baseline: \(needed)"
    case .impossibleNumber(let number):
      "no baseline: no report has the number \(number); \(needed)"
    case .otherSchema(let schema):
      "its schema is '\(SafeText.name(schema))'; allowed are "
        + schemas.joined(separator: " and ")
    }
  }
}
