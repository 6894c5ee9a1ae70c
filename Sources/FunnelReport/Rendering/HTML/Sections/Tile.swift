internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// One of the figures under the headline: a number of those it is about with its interval and its
/// target, and the variants' beside it.
struct Tile {
  let report: HTMLReport
  let name: String
  /// Of everyone, or of the version that leads the page.
  let datum: Datum

  private var analysis: Analysis { report.analysis }
  private static let maximumVariants = 2

  /// Three to five: how many finish, who skips, who opts in or abandons, who comes back, how long
  /// it takes.
  static func all(_ report: HTMLReport) -> [TemplateContext] {
    let (analysis, flow) = (report.analysis, report.flow)
    var metrics = [("Completion", MetricName.completionRate, "all")]
    // Nobody skips where no build has a way to.
    if (analysis.row(.usedSkipRate)?.numerator ?? 0) > 0 {
      metrics.append(
        flow.skip == .ends
          ? ("Left by skipping", .skipRate, "all") : ("Skipped ahead", .usedSkipRate, "all"))
    } else if !flow.permissions.isEmpty {
      metrics.append(("Abandoned", .abandonRate, "all"))
    }
    if let permission = flow.permissions.first {
      let name = SafeText.name(permission, limit: 30)
      metrics.append(("\(name.capitalizedFirst) opt-in", .permissionOptIn, permission))
    } else {
      metrics.append(("Abandoned", .abandonRate, "all"))
    }
    if let measure = RetentionMeasure.telling(analysis) {
      metrics.append((measure.words.capitalizedFirst, .retention(measure), "all"))
    }
    metrics.append(("Time to finish, median", .timeToComplete.percentile(50), "all"))
    return metrics.compactMap { name, metric, step in
      analysis.datum(metric, step: step, in: report.leading).map {
        Tile(report: report, name: name, datum: $0)
      }
    }.map(\.context)
  }

  /// `Everyone: 376 people. In colour: experiment Copy, short 112 and long 104.`
  static func population(_ report: HTMLReport) -> Markup? {
    let analysis = report.analysis
    guard let people = analysis.datum(.persons)?.count else { return nil }
    return Markup { page in
      if let own = analysis.datum(.persons, in: report.leading), report.leading != .all {
        page.name(analysis.label(report.leading).capitalizedFirst, limit: 40)
        // What is behind the headline has no place twice on a phone.
        page.element("span", ["class": "wide"]) { page in
          page.text(": ")
          page.pair(own.count, " of ", people)
          page.text(" people")
        }
      } else {
        page.text("Everyone: ")
        page.number(people)
        page.text(analysis.row(.persons)?.numerator == 1 ? " person" : " people")
        versions(analysis, &page)
      }
      guard report.compared.count > 1 else { return }
      inColour(report, &page)
      let shown = report.compared.prefix(maximumVariants)
      let others = OthersOfEveryone(
        analysis, experiment: shown.first?.experiment ?? "", shown: shown.map(\.variant))
      if report.leading == .all, !others.words.isEmpty {
        page.element("span", ["class": "wide"], text: DisplayText.sentence(others.words))
      }
    }
  }

  /// ` (flow version 1: 100, 2: 273)`
  private static func versions(_ analysis: Analysis, _ page: inout MarkupWriter) {
    let versions = analysis.seenVersions
    guard versions.count > 1 else { return }
    page.element("span", ["class": "wide"]) { page in
      page.text(" (flow version ")
      for (index, slice) in versions.prefix(4).enumerated() {
        if index > 0 { page.text(", ") }
        page.name("\(slice.version): ", limit: 24)
        page.number(analysis.datum(.persons, in: slice)?.count)
      }
      page.text(versions.count > 4 ? ", …)" : ")")
    }
  }

  private static func inColour(_ report: HTMLReport, _ page: inout MarkupWriter) {
    let analysis = report.analysis
    let shown = Array(report.compared.prefix(maximumVariants))
    page.text(". In colour: ")
    if let experiment = shown.first?.experiment, experiment != "all" {
      page.element("span", ["class": "wide"]) { page in
        page.text("experiment ")
        page.name(analysis.names(ofExperiment: experiment).title, limit: 60)
        page.text(", ")
      }
    }
    for (index, slice) in shown.enumerated() {
      if index > 0 { page.text(index + 1 == shown.count ? " and " : ", ") }
      page.element("b", ["class": "k\(index + 1)"]) { page in
        page.name(analysis.label(slice), limit: 48)
        page.text(" ")
        page.number(analysis.datum(.persons, in: slice)?.count)
      }
    }
  }

  private var isTime: Bool { datum.row.unit == .seconds }

  private var context: TemplateContext {
    TemplateContext { page in
      page.text("name", name)
      if analysis.unmeasured.contains(datum.row.metric, step: datum.row.step) {
        page.markup("big", Markup { $0.element("span", ["class": "word"], text: "unknown") })
        page.markup("small", Markup(escaping: "not in the data"))
        return
      }
      page.markup("big", Markup { $0.number(isTime ? datum.seconds : datum.rate) })
      page.markups("by", variants)
      page.markups("of", everyones.map { [$0] } ?? [])
      page.texts("rail", rail.map { [$0] } ?? [])
      page.markups("goal", [goal].compactMap { $0 })
      page.markup("small", small)
    }
  }

  /// The variants' numbers in their colours.
  private var variants: [Markup] {
    guard report.compared.count > 1 else { return [] }
    let shown = report.compared.prefix(Tile.maximumVariants).enumerated()
    return shown.compactMap { index, slice in
      guard
        let own = analysis.datum(datum.row.metric, step: datum.row.step, in: slice),
        own.row.value != nil
      else { return nil }
      return Markup { page in
        page.element("span", ["class": "k\(index + 1)", "data-variant": report.tag(slice)]) {
          page in
          page.name(
            slice.version == "all"
              ? analysis.names(ofExperiment: slice.experiment).variant(slice.variant)
              : "flow version \(slice.version)", limit: 24)
          page.text(" ")
          page.number(isTime ? own.seconds : own.rate)
        }
      }
    }
  }

  /// Everyone's, where the page leads with a version: the sections below are of everyone.
  private var everyones: Markup? {
    guard report.leading != .all,
      let all = analysis.datum(datum.row.metric, step: datum.row.step), all.row.value != nil
    else { return nil }
    return Markup { page in
      page.element("span", ["class": "wide"]) { page in
        page.text("everyone ")
        page.number(isTime ? all.seconds : all.rate)
      }
    }
  }

  private var check: TargetCheck? {
    TargetCheck.all(analysis).first { check in
      let step = check.target.step.isEmpty ? "all" : check.target.step
      return check.target.metric == datum.row.metric && step == datum.row.step
        && check.target.slice.isEmpty
    }
  }

  /// Interval, value and target on one line from 0 to 100 %.
  private var rail: String? {
    guard !isTime, let value = datum.row.value, let low = datum.row.low, let high = datum.row.high
    else { return nil }
    func percent(_ rate: Double) -> String { NumberText.fixed(rate * 100, decimals: 1) ?? "0" }
    let target: Double? = targeted.map { check in
      switch check.target.bound {
      case .atLeast(let bound), .atMost(let bound): bound
      }
    }
    return "--l:\(percent(low));--w:\(percent(high - low));--v:\(percent(value))"
      + (target.map { ";--t:\(percent($0))" } ?? "")
  }

  /// The target, where it is of those whom the figure is of.
  private var targeted: TargetCheck? { report.leading == .all ? check : nil }

  /// A glyph and a word, never a colour alone.
  private var goal: Markup? {
    if isTime { return timeGoal }
    guard let check else { return nil }
    let glyph =
      switch check.verdict {
      case .met: "✓"
      case .missed: "✕"
      case .unclear, .unknown: "○"
      }
    return Markup(
      escaping: DisplayText.sentence(
        "\(glyph) Target \(check.boundText) \(check.verdict.rawValue)"
          + (targeted == nil ? " (everyone)" : "")))
  }

  private var timeGoal: Markup? {
    TimeVerdict(analysis, in: report.leading).map { verdict in
      Markup(
        escaping: DisplayText.sentence(
          "\(verdict.glyph) \(verdict.againstTarget.capitalizedFirst)"))
    }
  }

  /// `; 64.3 % of 129 asked`: opt-in counts those as well who never met the question.
  private func answers(_ page: inout MarkupWriter) {
    let accepted = analysis.datum(
      .permissionAcceptance, step: datum.row.step, in: report.leading)
    if let accepted, accepted.row.value != nil {
      page.text("; ")
      page.number(accepted.rate)
      page.text(" of ")
      page.number(accepted.total)
      page.text(" asked")
    }
    if report.leading == .all, let asked = EligiblePersons(datum.row.step, analysis) {
      page.element("span", ["class": "wide"], text: "; \(asked.without)")
    }
  }

  private var small: Markup {
    guard isTime else {
      guard datum.row.metric == .permissionOptIn else { return report.counts(datum) }
      return Markup { page in
        page.add(report.counts(datum))
        answers(&page)
      }
    }
    let slow = analysis.datum(.timeToComplete.percentile(90), in: report.leading)
    return Markup { page in
      page.text("one in ten takes over ")
      page.number(slow?.seconds)
      page.text(", breaks included")
    }
  }
}
