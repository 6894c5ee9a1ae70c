internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// How those fared who entered in each period.
extension FunnelDocument {
  var trendLines: [String] { study.trend.map(lines) ?? daysOrWeeks }

  private func lines(_ trend: FunnelTrend) -> [String] {
    let periods = trend.periods.sorted { $0.key < $1.key }
    var lines = periods.map { number, period in
      let entered = period.reached.first ?? 0
      let mark = trend.isComplete(number) ? "" : "*"
      let late = period.immature == 0 ? "" : ", \(period.immature) more began too late"
      return "  \(trend.calendar.label(of: number))  "
        + "\(finished(period.reached.last ?? 0, entered))\(mark)\(late)"
    }
    if periods.contains(where: { !trend.isComplete($0.key) }) {
      lines.append("  * the window of some who began then is not over yet")
    }
    let people = trend.entersEachPeriod ? "; people count in each one in which they enter" : ""
    return [
      "", "By start \(trend.calendar.unit.rawValue): finished of those who entered\(people)",
    ] + lines
  }

  /// A row a period and step.
  func add(_ trend: FunnelTrend, to table: inout CSVTable) {
    for (number, period) in trend.periods.sorted(by: { $0.key < $1.key }) {
      for (step, name) in names.enumerated() {
        let (part, whole) = (period.reached[step], period.reached[0])
        let rate = self.rate(name, part, whole, of: step)
        table.add([
          .text(study.funnel.id), .text(tool.rawValue), .text("all"),
          .text(trend.calendar.label(of: number)), .count(step + 1), .text(name), .count(part),
          .count(whole), .number(rate.value), .number(rate.low), .number(rate.high), .empty,
          .empty, .empty, .empty, .text(trend.isComplete(number) ? "yes" : "no"),
          .text(note(of: step)),
        ])
      }
    }
  }

  func trendJSON(_ trend: FunnelTrend) -> String {
    let periods = trend.periods.sorted { $0.key < $1.key }.map { number, period in
      JSONText.object([
        ("start", JSONText.string(trend.calendar.label(of: number))),
        (
          "persons", JSONText.array(period.reached.enumerated().map { count($1, of: $0) })
        ),
        ("immature", "\(period.immature)"),
        ("complete", trend.isComplete(number) ? "true" : "false"),
      ])
    }
    return JSONText.block(
      [
        ("by", JSONText.string(trend.calendar.unit.rawValue)),
        ("enters_each_period", trend.entersEachPeriod ? "true" : "false"),
        ("periods", JSONText.lines(periods, indent: "    ")),
      ], indent: "  ")
  }

  /// How many finished of those who entered on each day; a page of many days is by week.
  private var daysOrWeeks: [String] {
    guard study.byDay.count > 1 else { return [] }
    let isByWeek = study.byDay.count > FunnelDocument.mostDays
    var sums: [String: (entered: Int, finished: Int)] = [:]
    for (day, counts) in study.byDay {
      let name = isByWeek ? FunnelDocument.week(day) : day
      sums[name, default: (0, 0)].entered += counts.reached.first ?? 0
      sums[name, default: (0, 0)].finished += counts.reached.last ?? 0
    }
    let title =
      isByWeek
      ? "By start week (by day with --output csv or json): finished of those who entered"
      : "By start day: finished of those who entered"
    return ["", title]
      + ByteOrder.sorted(sums.keys).map { name in
        let sum = sums[name] ?? (0, 0)
        return "  \(name)  \(finished(sum.finished, sum.entered))"
      }
  }

  /// More lines than these are not read at a terminal.
  private static let mostDays = 31

  /// The ISO week of a date.
  private static func week(_ date: String) -> String {
    guard let day = InstantReader.day(date) else { return date }
    return CivilCalendar.label(ofDay: day, unit: .week)
  }
}
