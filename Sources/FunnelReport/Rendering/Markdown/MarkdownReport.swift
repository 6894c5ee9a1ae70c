internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension Report {
  /// `report.md`: what fits a chat or a comment on a pull request.
  func markdownText() -> String { MarkdownReport(report: self).text() }
}

/// Findings, then the funnel and the experiments as narrow tables.
struct MarkdownReport {
  let report: Report
  private var analysis: Analysis { report.analysis }
  private var flow: Flow { report.analysis.flow }
  private static let maximumFunnels = 6
  private static let maximumRuns = 7
  private static let maximumValues = 8

  func text() -> String {
    var parts = [head(), card("card.svg", report.headline?.claim ?? ""), changes(), findings()]
    parts += [cards(), decisions(), funnel()]
    parts += analysis.experiments.map(experiment)
    parts += [goals(), targets(), history(), foot()]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func head() -> String {
    let title = "## \(MarkdownText.plain(flow.title))"
    let grade = ReportGrade(report)
    var facts: [String] = []
    if let entered = analysis.row(.entered)?.numerator {
      let dates = ReportWords.dates(report).map { " \($0)" } ?? ""
      facts.append("\(ReportWords.people(entered)) started\(dates)")
    }
    if let words = ReportWords.leftOut(analysis) { facts.append(words.text) }
    for (name, metric) in [
      ("finished", MetricName.completionRate), ("left by skipping", .skipRate),
      ("abandoned", .abandonRate),
    ] {
      if metric == .skipRate && !analysis.hasSkips { continue }
      if analysis.unmeasured.contains(metric) { facts.append("\(name) **unknown**") }
      guard let row = analysis.row(metric), let value = row.value else { continue }
      // Below a headline about a version.
      let whose = report.leading == .all ? "" : "of everyone "
      let counts = metric == .completionRate ? " (\(self.counts(row)))" : ""
      facts.append("**\(RateText.percent(value))** \(whose)\(name)\(counts)")
    }
    facts.append("data quality **\(grade.letter.rawValue)**")
    if let horizon = report.provenance.horizonMilliseconds {
      facts.append("data complete until \(DateText.minute(horizon))")
    }
    if let begin = ReportWords.dataBegin(report) { facts.append(begin) }
    let headline = report.headline.map {
      "\n\n**\(MarkdownText.plain($0.claim, limit: 400)).** "
        + MarkdownText.plain($0.detail, limit: 600)
    }
    return title + (headline ?? "") + "\n\n" + facts.joined(separator: " · ")
  }

  /// Against earlier numbers, if the report has any: what a reader looks for, and what changed.
  private func changes() -> String {
    guard let earlier = report.earlier else { return "" }
    let comparison = earlier.comparison
    let rows = earlier.leading(analysis).map { change in
      [
        comparison.mark(change)
          + MarkdownText.cell(MetricWords.of(change.metric, step: change.step, flow)),
        change.before.estimate.map(RateText.percent) ?? "–",
        change.after.estimate.map(RateText.percent) ?? "–",
        RunComparison.points(change),
      ]
    }
    return "### Against \(MarkdownText.plain(earlier.name))\n\n"
      + ([comparison.verdict] + earlier.notes)
      .map { MarkdownText.plain($0, limit: 600) }.joined(separator: " ") + "\n\n"
      + MarkdownText.table(["metric", "before", "now", "pp (interval)"], rows)
  }

  private func findings() -> String {
    let lines = report.findings.map { finding in
      let sign =
        switch finding.tone {
        case .alarm: "🚨 "
        case .bad: "🔻 "
        case .good: "✅ "
        case .neutral: ""
        }
      return "\(finding.rank). \(sign)\(MarkdownText.plain(finding.text, limit: 2000))"
    }
    return lines.isEmpty ? "" : "### Findings\n\n" + lines.joined(separator: "\n")
  }

  /// The findings as pictures, folded, since the list above says the same.
  private func cards() -> String {
    let cards = report.findings.map { card("card-\($0.rank).svg", $0.claim.text) }
      .filter { !$0.isEmpty }
    if cards.isEmpty { return "" }
    return (["<details><summary>The findings as cards</summary>"] + cards + ["</details>"])
      .joined(separator: "\n\n")
  }

  /// A picture that lies beside the file, where pictures are written.
  private func card(_ name: String, _ words: String) -> String {
    report.hasCards ? "![\(MarkdownText.plain(words, limit: 400))](\(name))" : ""
  }

  private func decisions() -> String {
    Decision.all(analysis, horizon: report.provenance.horizonMilliseconds).map {
      "**\(MarkdownText.plain($0.title)).** \(MarkdownText.plain($0.text, limit: 600))"
    }.joined(separator: "\n\n")
  }

  /// Reach of each step: everybody, then a column for each variant and version.
  private func funnel() -> String {
    let compared = analysis.funnelSlices
    let slices = Array(compared.prefix(MarkdownReport.maximumFunnels))
    let all = StepBalance.all(.all, analysis)
    let rows = all.map { balance in
      [MarkdownText.cell(flow.steps[balance.step].title)]
        + slices.map { slice -> String in
          let step = flow.steps[balance.step].id
          guard let row = analysis.row(.stepReach, step: step, in: slice),
            (row.denominator ?? 0) > 0, let value = row.value
          else { return "–" }
          let left = analysis.row(.stepDropOff, step: step, in: slice)?.numerator ?? 0
          return "\(RateText.percent(value))" + (left > 0 ? " (−\(NumberText.grouped(left)))" : "")
        }
    }
    .filter { $0.dropFirst().contains { $0 != "–" } }
    let finished =
      ["**finished**"]
      + slices.map { slice in
        analysis.row(.completionRate, in: slice)?.value.map { "**\(RateText.percent($0))**" }
          ?? "–"
      }
    let more = compared.count - slices.count
    return "### Funnel\n\nReached, and how many left there."
      + (ReportWords.noSkip(analysis).map { " \($0)" } ?? "") + "\n\n"
      + MarkdownText.table(
        ["step"] + slices.map { MarkdownText.cell(analysis.label($0)) }, rows + [finished])
      + (more > 0 ? "\n\n\(more) more are in steps.csv." : "") + next()
  }

  /// What the people did next whom the step lost that loses the most.
  private func next() -> String {
    guard let largest = WhatIf.largest(WhatIf.all(analysis, in: report.leading)),
      let sentence = NextEventWords(analysis: analysis).sentence(flow.steps[largest.step])
    else { return "" }
    return "\n\n" + MarkdownText.plain(sentence.text, limit: 600)
  }

  private func experiment(_ summary: ExperimentSummary) -> String {
    let names = analysis.names(ofExperiment: summary.id)
    var text = "### Experiment \(MarkdownText.plain(names.title))\n\n"
    if let period = ExperimentPeriod(report, summary) {
      text += MarkdownText.plain(period.text, limit: 600) + "\n\n"
    }
    for doubt in summary.doubts {
      text += "🚨 \(doubt.reason.capitalizedFirst): no verdict.\n\n"
    }
    for sentence in SplitSentences(analysis: analysis, summary: summary).leftOut {
      text += MarkdownText.plain(sentence.text, limit: 600) + "\n\n"
    }
    let comparisons = analysis.shown(summary.comparisons)
    let isPair = Set(comparisons.map(\.variant)).count == 1
    let rows = comparisons.map { comparison -> [String] in
      let difference = comparison.difference.value.map {
        "\(RateText.signedNumber($0.estimate)) (\(RateText.signedNumber($0.interval.lower)) to "
          + "\(RateText.signedNumber($0.interval.upper)))"
      }
      let words = MetricWords.of(comparison.metric, step: comparison.step, flow)
      return [
        MarkdownText.cell(words + (isPair ? "" : ", \(names.variant(comparison.variant))")),
        comparison.comparedRates.treatment.map(RateText.percent) ?? "–",
        comparison.comparedRates.control.map(RateText.percent) ?? "–", difference ?? "–",
        VerdictText(comparison).word,
      ]
    }
    return text
      + MarkdownText.table(
        [
          "metric",
          isPair ? MarkdownText.cell(names.variant(comparisons[0].variant)) : "variant",
          MarkdownText.cell(names.variant(summary.control)), "pp (interval)", "verdict",
        ], rows) + "\n\n\(IntervalWords.ofExperiments(flow))"
      + AdjustmentSentences(flow: flow, summary: summary).all().map {
        " " + MarkdownText.plain($0, limit: 600)
      }.joined()
  }

  /// Goals with their values and amounts: what people bought, chose and created.
  private func goals() -> String {
    let rows = flow.goals.flatMap { goal -> [[String]] in
      guard let own = analysis.row(.goalRate, step: goal.id) else { return [] }
      let of = MetricWords.ofSome(goal.anchor, viewed: goal.ofViewedStep, flow) ?? ""
      let name = MarkdownText.cell(MetricWords.windowed(goal)) + MarkdownText.plain(of, limit: 200)
      let values = analysis.valuesInWords(of: goal, first: MarkdownReport.maximumValues).map {
        ["– " + MarkdownText.cell($0.words), rate($0.row)]
      }
      let amounts = [
        (MetricName.goalValue, "per person"), (.goalValuePerEvent, "per event"),
        (.goalValueTotal, "total"),
      ].compactMap { metric, words in
        analysis.row(metric, step: goal.id)?.value.map { ["– \(words)", RateText.amount($0)] }
      }
      return [[name, rate(own)]] + values + amounts
    }
    return rows.isEmpty ? "" : "### Goals\n\n" + MarkdownText.table(["goal", "reached"], rows)
  }

  private func rate(_ row: MetricRow) -> String {
    (row.value.map(RateText.percent) ?? "–") + " (\(counts(row)))"
  }

  private func counts(_ row: MetricRow) -> String {
    "\(NumberText.grouped(row.numerator ?? 0))/\(NumberText.grouped(row.denominator ?? 0))"
  }

  private func targets() -> String {
    let checks = TargetCheck.all(analysis)
    guard !checks.isEmpty else { return "" }
    return "### Targets\n\n"
      + MarkdownText.table(
        ["target", "seen", "verdict"],
        checks.map {
          [
            MarkdownText.plain("\($0.words(flow).capitalizedFirst) \($0.boundText)"),
            MarkdownText.cell($0.seen.text),
            $0.verdict.rawValue,
          ]
        })
  }

  /// The last reports from the same store, if there are any.
  private func history() -> String {
    guard let trend = ReportTrend(report) else { return "" }
    let headlines = analysis.headlines.prefix(3)
    let rows = trend.runs.suffix(MarkdownReport.maximumRuns).map { run in
      [run.label, trend.row(run, .persons)?.numerator.map(NumberText.grouped) ?? "–"]
        + headlines.map {
          trend.row(run, $0.metric, step: $0.step)?.value.map(RateText.percent) ?? "–"
        }
    }
    return "### The last reports\n\n"
      + MarkdownText.table(
        ["up to", "people"] + headlines.map { MarkdownText.cell($0.name.lowercased()) }, rows)
  }

  private func foot() -> String {
    "<sub>FirstMile \(report.provenance.programVersion) · fingerprint "
      + "`\(flow.fingerprint.prefix(12))` · the numbers are in metrics.csv</sub>"
  }
}
