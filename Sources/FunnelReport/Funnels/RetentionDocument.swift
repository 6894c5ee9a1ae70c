public import FlowDefinition
public import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// A retention matrix for a terminal, for spreadsheets and for programs.
public struct RetentionDocument: Sendable {
  let matrix: RetentionMatrix
  let tool: FunnelTool
  let breakdowns: [String]
  private let flow: Flow
  private let periods: CalendarPeriods
  /// Start or return of which no event was ever seen; `nil` where both are known.
  private let unknown: UnknownSteps?
  /// Why the data cannot know who came back in each period; empty where they can.
  private let reasons: [String]

  /// Names that start and return ask for and no fact has that counts.
  public var unseen: [UnseenName] { matrix.unseen }

  /// - Parameters:
  ///   - flow: the one that was evaluated, with the funnel that the matrix was asked by.
  ///   - breakdowns: what the matrix is cut by, as it was asked for.
  public init(_ matrix: RetentionMatrix, flow: Flow, tool: FunnelTool, breakdowns: [String]) {
    self.matrix = matrix
    self.flow = flow
    self.tool = tool
    self.breakdowns = breakdowns
    unknown = UnknownSteps(matrix.unknown)
    reasons = Self.reasons(matrix, flow, unknown)
    periods = CalendarPeriods(
      matrix.question.unit, weekStart: matrix.question.rules.weekStart, timeZone: flow.timeZone)
  }

  private var rules: RetentionMatrixRules { matrix.question.rules }
  private var unit: String { matrix.question.unit.rawValue }

  /// The choices that the numbers depend on.
  var choices: String {
    let weeks = matrix.question.unit == .week ? " weeks=\(rules.weekStart.rawValue)" : ""
    let anchor: String
    switch rules.anchor {
    case .firstOfPeriod: anchor = "first-of-cohort"
    case .first: anchor = "first"
    case .each: anchor = "each"
    }
    let rolling =
      rules.windows == .rolling
      ? " anchor=\(anchor) rounding=\(rounding)" : ""
    return "like=\(tool.rawValue) by=\(unit) cohorts=\(rules.cohorts.rawValue) "
      + "windows=\(rules.windows.rawValue)\(rolling) returned=\(rules.returned.rawValue) "
      + "first-period=\(rules.fillsFirstPeriod ? "everyone" : "returned")\(weeks) "
      + "zone=\(flow.timeZone) maturity=\(rules.onlyMature ? "complete-periods" : "none") "
      + "persons=\(rules.onlyFlowPersons ? "flow" : "everyone")"
  }

  private var rounding: String {
    if !rules.isRounded { return "none" }
    return [.hour, .day].contains(matrix.question.unit) ? "hours" : "dates"
  }

  private func name(ofStep step: Int) -> String {
    let steps = flow.funnels[matrix.question.funnel].steps
    if step == 0 && matrix.question.startsWithAttempt && flow.entry == nil {
      return "onboarding_started, or the first view of the first step"
    }
    return steps.indices.contains(step) ? FunnelDocument.name(steps[step]) : "any activity"
  }

  /// A share, and whether it can still change.
  private struct Share {
    var part: Int
    var whole: Int
    var value: Double? {
      whole == 0 || !unknown.isEmpty ? nil : Double(part) / Double(whole)
    }
    /// The period has begun for someone.
    var hasBegun: Bool
    /// The period is over for the whole cohort.
    var isComplete: Bool
    /// Why the data cannot know it; empty where it is known.
    var unknown = ""
  }

  private var areStartsUnknown: Bool { unknown?.steps.contains(0) ?? false }

  /// By the rules of definitions 15: of any activity nothing is known once a period is over, where
  /// nobody was seen on a later date.
  private static func reasons(
    _ matrix: RetentionMatrix, _ flow: Flow, _ unknown: UnknownSteps?
  ) -> [String] {
    let isAnyActivity = flow.funnels[matrix.question.funnel].steps.count < 2
    let isOver = matrix.all.sum.cells.dropFirst().contains { $0.over > 0 }
    let isSilent =
      isAnyActivity && isOver && matrix.question.unit != .hour && !matrix.hasLaterDates
    return (0...matrix.question.periods).map { period in
      // Who started is all that period 0 asks by some tools' rules.
      if period == 0, matrix.question.rules.fillsFirstPeriod, unknown?.steps.contains(0) != true {
        return ""
      }
      if let unknown { return unknown.note }
      return isSilent && period > 0
        ? "nobody has an event on a later date than that of their first" : ""
    }
  }

  /// Why nothing or only a part is known, in a sentence; `nil` where all is.
  private var unknownWords: String? {
    if areStartsUnknown, let unknown { return "Who started is unknown: \(unknown.note)" }
    if let reason = reasons.first(where: { !$0.isEmpty }) {
      return "Who came back is unknown: \(reason)"
    }
    return missingWords.map {
      "Who came back is unknown in part: \($0); nobody counts for a \(unit) of which more than a "
        + "tenth is missing"
    }
  }

  /// The dates of which hardly any events are there, in words; `nil` without any.
  private var missingWords: String? {
    if matrix.missingDates.isEmpty { return nil }
    let dates = matrix.missingDates.map {
      CivilCalendar.label(ofDay: Int($0 / 86_400_000), unit: .day)
    }
    return "on \(MissingDaysWords.listed(dates)) (UTC) hardly anybody has events"
  }

  /// Why the data cannot know who of a cell came back; empty where they can.
  private func reason(_ cell: RetentionCohorts.Cell, _ period: Int) -> String {
    if !reasons[period].isEmpty { return reasons[period] }
    return cell.over == 0 && cell.lacking > 0 ? missingWords ?? "" : ""
  }

  private func share(_ cohort: RetentionCohorts.Cohort, _ period: Int) -> Share {
    let cell = cohort.cells[period]
    return Share(
      part: rules.onlyMature ? cell.returnedOver : cell.returned,
      whole: rules.onlyMature ? cell.over : cell.begun > 0 ? cohort.size : 0,
      hasBegun: cell.begun > 0, isComplete: cell.over == cohort.size,
      unknown: reason(cell, period))
  }

  /// All cohorts: of the people for whom the period is over.
  private func pooled(_ sum: RetentionCohorts.Cohort, _ period: Int) -> Share {
    let cell = sum.cells[period]
    return Share(
      part: cell.returnedOver, whole: cell.over, hasBegun: cell.begun > 0,
      isComplete: cell.over == sum.size,
      unknown: reason(cell, period))
  }

  private func cohorts(_ table: RetentionCohorts) -> [(label: String, RetentionCohorts.Cohort)] {
    table.cohorts.sorted { $0.key < $1.key }.map { (periods.label(of: $0.key), $0.value) }
  }

  /// The rows of the breakdown, each with its label.
  private var byValues: [(values: [String], counts: RetentionCohorts)] {
    BreakdownRows.sorted(matrix.byValues)
  }

  private func label(_ values: [String]) -> String { BreakdownRows.label(breakdowns, values) }
}

// MARK: - Text

extension RetentionDocument {
  /// More lines than these are not read at a terminal.
  private static let mostCohorts = 31

  /// The page for a terminal.
  public func text() -> String {
    var lines = [choices, "", "Start: \(name(ofStep: 0))", "Return: \(name(ofStep: 1))", ""]
    if let unknownWords { lines += [unknownWords, ""] }
    lines += page("all", matrix.all)
    for (values, table) in byValues { lines += [""] + page(label(values), table) }
    if let count = matrix.leftOutByFlow { lines += ["", ReportWords.leftOutByFlow(count)] }
    if matrix.all.cohorts.isEmpty { return lines.map(Self.safe).joined(separator: "\n") + "\n" }
    lines += ["", footnote]
    return lines.map(Self.safe).joined(separator: "\n") + "\n"
  }

  private static func safe(_ line: String) -> String { SafeText.name(line, limit: 4000) }

  private var footnote: String {
    let unknown = unknownWords == nil ? "" : "? unknown; "
    return unknown
      + (rules.onlyMature
        ? "* of the people for whom the \(unit) is over, which it isn’t for all; – not over for "
          + "anyone yet"
        : "* the \(unit) is not over for everyone yet, so the share can still rise; – not "
          + "begun yet")
  }

  private func page(_ title: String, _ table: RetentionCohorts) -> [String] {
    let cohorts = cohorts(table)
    if areStartsUnknown { return ["\(title): unknown"] }
    if cohorts.isEmpty { return ["\(title): no one started"] }
    var rows = [[unit, "people"] + (0...table.periods).map { "\(unit) \($0)" }]
    for (label, cohort) in cohorts.suffix(Self.mostCohorts) {
      rows.append(
        [label, "\(cohort.size)"] + cohort.cells.indices.map { text(share(cohort, $0)) })
    }
    let sum = table.sum
    rows.append(
      ["all", "\(sum.size)"] + sum.cells.indices.map { text(pooled(sum, $0), isMarked: false) })
    var widths = Array(repeating: 0, count: rows[0].count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    var lines = rows.map { row in
      var line = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    if cohorts.count > Self.mostCohorts {
      lines.append(
        "the last \(Self.mostCohorts) of \(cohorts.count) cohorts; all with --output csv or json")
    }
    // A person is counted once for each cohort.
    return ["\(title): \(CountText.of(sum.size, "person")) in a cohort"] + lines
  }

  /// - Parameter isMarked: says whether the share is of everybody; the row of all cohorts never is.
  private func text(_ share: Share, isMarked: Bool = true) -> String {
    if !share.unknown.isEmpty { return share.hasBegun ? "? " : "–" }
    guard let value = share.value else { return "–" }
    return RateText.finePercent(value) + (share.isComplete || !isMarked ? " " : "*")
  }
}

// MARK: - Spreadsheets and programs

extension RetentionDocument {
  /// A row a breakdown, cohort and period.
  public func csv() -> String {
    var csv = CSVTable([
      "like", "breakdown", "by", "cohort", "people", "period", "numerator", "denominator", "value",
      "ci_low", "ci_high", "complete", "note",
    ])
    func add(_ breakdown: String, _ cohort: String, _ size: Int, _ period: Int, _ share: Share) {
      var rate = MetricRows.rate(
        .all, .retention("\(period)"), "all", numerator: share.part, denominator: share.whole,
        interval: flow.statistics.rateInterval)
      if !share.unknown.isEmpty { (rate.value, rate.low, rate.high) = (nil, nil, nil) }
      csv.add([
        .text(tool.rawValue), .text(breakdown), .text(unit), .text(cohort), .count(size),
        .count(period), .count(share.part), .count(share.whole), .number(rate.value),
        .number(rate.low), .number(rate.high), .text(share.isComplete ? "yes" : "no"),
        .text(share.unknown.isEmpty ? "" : "unknown: \(share.unknown)"),
      ])
    }
    for (name, table) in [("all", matrix.all)] + byValues.map({ (label($0.values), $0.counts) }) {
      let sum = table.sum
      for period in sum.cells.indices {
        add(name, "all", sum.size, period, pooled(sum, period))
      }
      for (label, cohort) in cohorts(table) {
        for period in cohort.cells.indices {
          add(name, label, cohort.size, period, share(cohort, period))
        }
      }
    }
    return csv.text
  }

  /// Everything, for programs.
  public func json() -> String {
    func cell(_ share: Share) -> String {
      JSONText.object([
        ("returned", share.unknown.isEmpty ? "\(share.part)" : "null"),
        ("people", "\(share.whole)"),
        ("share", JSONText.number(share.value)),
        ("complete", share.isComplete ? "true" : "false"),
      ])
    }
    func rows(_ table: RetentionCohorts, _ indent: String) -> String {
      let rows = cohorts(table).map { label, cohort in
        JSONText.object([
          ("cohort", JSONText.string(label)), ("people", "\(cohort.size)"),
          (
            "periods",
            JSONText.array(cohort.cells.indices.map { cell(share(cohort, $0)) })
          ),
        ])
      }
      return JSONText.lines(rows, indent: indent)
    }
    func object(_ table: RetentionCohorts) -> [(String, String)] {
      let sum = table.sum
      return [
        ("people", "\(sum.size)"),
        ("all", JSONText.array(sum.cells.indices.map { cell(pooled(sum, $0)) })),
        ("cohorts", rows(table, "  ")),
      ]
    }
    let cuts = byValues.map { values, table in
      JSONText.object(
        [("values", JSONText.array(values.map { JSONText.string($0) }))] + object(table))
    }
    return JSONText.block(
      [
        ("schema", "1"), ("like", JSONText.string(tool.rawValue)),
        ("choices", JSONText.string(choices)), ("by", JSONText.string(unit)),
        ("start", JSONText.string(name(ofStep: 0))),
        ("return", JSONText.string(name(ofStep: 1))),
        ("breakdowns", JSONText.array(breakdowns.map { JSONText.string($0) })),
        ("left_out_by_flow", matrix.leftOutByFlow.map { "\($0)" } ?? "null"),
      ] + object(matrix.all) + [
        ("by_values", JSONText.lines(cuts, indent: "  ")),
        ("unknown", JSONText.string(unknownWords)),
      ],
      indent: "") + "\n"
  }
}
