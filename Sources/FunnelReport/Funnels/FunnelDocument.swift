public import FlowDefinition
public import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// A funnel study in words, for spreadsheets and for programs.
public struct FunnelDocument: Sendable {
  let study: FunnelStudy
  let tool: FunnelTool
  let names: [String]
  let breakdowns: [String]
  let interval: StatisticsSettings.RateInterval
  /// `nil` where all steps are known.
  let unknown: UnknownSteps?

  /// Names that the funnel asks for and no fact has that counts.
  public var unseen: [UnseenName] { study.unseen }

  /// - Parameters:
  ///   - breakdowns: what the study is cut by, as it was asked for.
  ///   - interval: the flow's choice, as in its reports.
  public init(
    _ study: FunnelStudy, tool: FunnelTool, breakdowns: [String],
    interval: StatisticsSettings.RateInterval = .wilson
  ) {
    self.interval = interval
    self.study = study
    self.tool = tool
    self.breakdowns = breakdowns
    names = study.funnel.steps.map(FunnelDocument.name)
    unknown = UnknownSteps(study.unknown)
  }

  /// Whether the data cannot know how many got to a step.
  func isUnknown(_ step: Int) -> Bool { unknown?.steps.contains(step) ?? false }

  /// Whether the data cannot know how many got through the whole funnel.
  var isEndUnknown: Bool { unknown != nil }

  static func name(_ step: FunnelStep) -> String {
    step.anyOf.map(\.described).joined(separator: " or ") + (step.isOptional ? "?" : "")
  }

  /// The choices that the numbers depend on.
  var choices: String {
    let rules = study.rules
    let funnel = rules.reading(study.funnel)
    let walk =
      tool == .clickhouse
      ? "walk=windowFunnel" : "order=\(funnel.order.rawValue) entry=\(funnel.entry.rawValue)"
    let effects = Set(funnel.exclusions.map(\.effect.rawValue))
    let exclusions =
      effects.isEmpty || rules.exclusions == .ignored
      ? "" : " exclusions=" + ByteOrder.sorted(effects).joined(separator: ",")
    return "like=\(tool.rawValue) window=\(DurationText.format(funnel.windowMilliseconds)) "
      + "per=\(funnel.windowScope.rawValue) edge=inclusive \(walk) ties=\(ties)\(exclusions) "
      + "maturity=\(rules.onlyMature ? "complete-windows" : "none") "
      + "persons=\(rules.onlyFlowPersons ? "flow" : "everyone")"
  }

  private var ties: String {
    switch study.rules.ties {
    case .flow: "flow"
    case .interchangeable(within: 0): "either-order"
    case .interchangeable(let tolerance): "either-order-within-\(DurationText.format(tolerance))"
    }
  }

  /// Why more people may have the first step than are counted.
  private var leftOutWords: String {
    let isOne = study.leftOut == 1
    return "\(study.leftOut) more \(isOne ? "enters" : "enter") it and "
      + "\(isOne ? "is" : "are") in no metric of the flow (existing users, people without a "
      + "recorded start): --everyone counts them"
  }

  /// The page for a terminal.
  public func text() -> String {
    var lines = [choices, ""]
    if let unknown {
      let last = unknown.steps.count == 1 ? "" : " to \(unknown.steps.upperBound)"
      let verb = last.isEmpty ? "is" : "are"
      let steps = "Step\(last.isEmpty ? "" : "s") \(unknown.steps.lowerBound + 1)\(last)"
      lines += unknown.lines("\(steps) \(verb)") + [""]
    }
    lines += table("all", study.all)
    if study.immature > 0 {
      lines.append("  \(study.immature) more began too late for their window to be over")
    }
    if study.leftOut > 0 { lines.append("  \(leftOutWords)") }
    if let count = study.leftOutByFlow { lines.append("  \(ReportWords.leftOutByFlow(count))") }
    for (values, counts) in byValues {
      let title = BreakdownRows.label(breakdowns, values)
      lines += ["", title] + table(title, counts).dropFirst()
    }
    if study.withoutValue > 0 {
      lines += [
        "", "\(CountText.of(study.withoutValue, "person")) without a value at that step",
      ]
    }
    lines += FunnelTimesText(study.all.conversion).lines
    lines += trendLines
    for measure in study.retention.keys.sorted() {
      guard let counts = study.retention[measure] else { continue }
      let when = "day \(measure.day)\(measure.isOnOrAfter ? " or later" : "")"
      lines += ["", "Came back on \(when): \(rate(counts.returned, counts.persons))"]
    }
    return lines.map { SafeText.name($0, limit: 400) }.joined(separator: "\n") + "\n"
  }

  private var byValues: [(values: [String], counts: FunnelStudy.Counts)] {
    BreakdownRows.sorted(study.byValues)
  }

  private func table(_ title: String, _ counts: FunnelStudy.Counts) -> [String] {
    let people = CountText.of(counts.reached.first ?? 0, "person")
    var lines = ["\(title): \(isUnknown(0) ? "unknown" : "\(people) entered")"]
    for (step, name) in names.enumerated() {
      if isUnknown(step) {
        lines += ["  \(step + 1)  unknown", "     \(name)"]
        continue
      }
      var line = "  \(step + 1)  \(rate(counts.reached[step], counts.reached[0]))"
      if step > 0 {
        let share =
          counts.reached[step - 1] == 0
          ? nil : Double(counts.reached[step]) / Double(counts.reached[step - 1])
        line += "  from step \(step): \(percent(share))"
        if let median = counts.times[step].percentile(50),
          let late = counts.times[step].percentile(90)
        {
          line += ", median \(seconds(median)), p90 \(seconds(late))"
        }
      }
      lines += [line, "     \(name)"]
    }
    return lines
  }

  private func percent(_ share: Double?) -> String {
    share.map(RateText.finePercent) ?? "–"
  }

  /// How many finished of those who entered.
  func finished(_ part: Int, _ whole: Int) -> String {
    isEndUnknown ? "unknown (of \(whole))" : rate(part, whole)
  }

  func rate(_ part: Int, _ whole: Int) -> String {
    "\(percent(whole == 0 ? nil : Double(part) / Double(whole))) (\(part)/\(whole))"
  }

  private func seconds(_ milliseconds: Int64) -> String {
    RateText.duration(Double(milliseconds) / 1000)
  }

  /// The rate of a step, without a value where it is unknown.
  func rate(_ name: String, _ part: Int, _ whole: Int, of step: Int) -> MetricRow {
    var row = MetricRows.rate(
      .all, .funnelStep, name, numerator: part, denominator: whole, interval: interval)
    if isUnknown(step) { (row.value, row.low, row.high) = (nil, nil, nil) }
    return row
  }

  /// Why a step is unknown; empty where it is known.
  func note(of step: Int) -> String {
    unknown.map { isUnknown(step) ? "unknown: \($0.note)" : "" } ?? ""
  }

  /// A count for programs.
  func count(_ persons: Int, of step: Int) -> String { isUnknown(step) ? "null" : "\(persons)" }

  /// A row a step, value and day.
  public func csv() -> String {
    var table = CSVTable([
      "funnel", "like", "breakdown", "day", "step", "name", "numerator", "denominator", "value",
      "ci_low", "ci_high", "seconds_p50", "seconds_p90", "n", "seconds_mean", "complete", "note",
    ])
    func add(_ value: String, _ day: String, _ counts: FunnelStudy.Counts) {
      for (step, name) in names.enumerated() {
        let (part, whole) = (counts.reached[step], counts.reached[0])
        let rate = self.rate(name, part, whole, of: step)
        let times = counts.times[step]
        table.add([
          .text(study.funnel.id), .text(tool.rawValue), .text(value), .text(day),
          .count(step + 1), .text(name), .count(part), .count(whole),
          .number(rate.value), .number(rate.low), .number(rate.high),
          .number(times.percentile(50).map { Double($0) / 1000 }),
          .number(times.percentile(90).map { Double($0) / 1000 }), .count(times.count),
          .number(times.meanMilliseconds.map { $0 / 1000 }), .empty, .text(note(of: step)),
        ])
      }
    }
    add("all", "all", study.all)
    for (values, counts) in byValues { add(BreakdownRows.label(breakdowns, values), "all", counts) }
    if let trend = study.trend {
      self.add(trend, to: &table)
      return table.text
    }
    for day in ByteOrder.sorted(study.byDay.keys) {
      if let counts = study.byDay[day] { add("all", day, counts) }
    }
    return table.text
  }

  /// Everything, for programs.
  public func json() -> String {
    func object(_ counts: FunnelStudy.Counts) -> String {
      let steps = names.enumerated().map { step, name in
        JSONText.object([
          ("step", "\(step + 1)"), ("name", JSONText.string(name)),
          ("persons", count(counts.reached[step], of: step)),
          ("seconds_p50", JSONText.number(counts.times[step].percentile(50).map(Self.seconds))),
          ("seconds_p90", JSONText.number(counts.times[step].percentile(90).map(Self.seconds))),
          ("seconds_mean", JSONText.number(counts.times[step].meanMilliseconds.map { $0 / 1000 })),
        ])
      }
      return JSONText.array(steps)
    }
    let days = ByteOrder.sorted(study.byDay.keys).compactMap { day in
      study.byDay[day].map { (day, object($0)) }
    }
    let values = byValues.map { values, counts in
      JSONText.object([
        ("values", JSONText.array(values.map { JSONText.string($0) })), ("steps", object(counts)),
      ])
    }
    let retention = study.retention.keys.sorted().map { measure in
      JSONText.object([
        ("day", "\(measure.day)"), ("on_or_after", measure.isOnOrAfter ? "true" : "false"),
        ("persons", "\(study.retention[measure]?.persons ?? 0)"),
        ("returned", "\(study.retention[measure]?.returned ?? 0)"),
      ])
    }
    return JSONText.block(
      [
        ("schema", "1"), ("like", JSONText.string(tool.rawValue)),
        ("choices", JSONText.string(choices)), ("immature", "\(study.immature)"),
        ("left_out", "\(study.leftOut)"),
        ("left_out_by_flow", study.leftOutByFlow.map { "\($0)" } ?? "null"),
        ("all", object(study.all)),
        ("breakdown", JSONText.string(breakdowns.count == 1 ? breakdowns[0] : nil)),
        (
          "by_value",
          JSONText.block(
            breakdowns.count == 1 ? byValues.map { ($0.values[0], object($0.counts)) } : [],
            indent: "  ")
        ),
        ("breakdowns", JSONText.array(breakdowns.map { JSONText.string($0) })),
        ("by_values", JSONText.lines(values, indent: "  ")),
        ("conversion_time", FunnelTimesText(study.all.conversion).json),
        ("without_value", "\(study.withoutValue)"),
        ("by_day", JSONText.block(days, indent: "  ")),
        ("trend", study.trend.map(trendJSON) ?? "null"),
        ("retention", JSONText.array(retention)),
        ("unknown", JSONText.array((unknown?.reasons ?? []).map { JSONText.string($0) })),
      ], indent: "") + "\n"
  }

  private static func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1000 }
}
