internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// `README.txt`: which file of the folder answers which question.
struct ReportGuide {
  let report: Report
  private static let width = 78

  func text() -> String {
    let flow = report.analysis.flow
    let recorded = report.analysis.recorded
    var text = "\(SafeText.name(flow.title)): the report of flow \(SafeText.name(flow.id))\n\n"
    text += ReportGuide.wrapped(
      "Open report.html in a browser: it needs no network and no other file. The tables open in "
        + "any spreadsheet; each row is about one group of people, and 'all' means everyone.")
    text += "\n"
    let cards = [("card.svg …", "The headline and each finding as a picture.")]
    for (file, answers) in ReportGuide.files + (report.hasCards ? cards : []) {
      text += ReportGuide.entry(file, answers)
    }
    text += "\n"
    if recorded.omitted > 0 {
      text += ReportGuide.wrapped(
        "Left out: \(NumberText.grouped(recorded.omitted)) of "
          + "\(NumberText.grouped(report.analysis.rows.count)) numbers: of groups of fewer than "
          + "\(RecordedRows.fewestPeople) people, of variants and versions within a dimension, "
          + "details of other groups, and what the tables above have for each variant and version "
          + "and metrics.csv for everyone. firstmile report --all-slices writes them too.")
    } else {
      text += ReportGuide.wrapped("Nothing is left out: the tables have every number.")
    }
    text += ReportGuide.wrapped(
      "Columns and metrics are described in docs/metrics.md of FirstMile "
        + "\(report.provenance.programVersion).")
    return text
  }

  private static let files: [(name: String, answers: String)] = [
    ("report.html", "The page: findings, funnel, experiments, trends, quality."),
    ("report.md", "What to paste into a chat or a pull request."),
    ("overview.csv", "How do the variants and versions compare? One row for each."),
    ("changes.csv", "What has changed since the numbers of --against?"),
    ("steps.csv", "Where do people drop off, step by step?"),
    ("next_events.csv", "What did people do next who dropped off?"),
    ("transitions.csv", "Which ways do people take between the steps? Who goes back?"),
    ("skips.csv", "On which screen do people skip?"),
    ("permissions.csv", "Who opts in, who declines, and who was asked?"),
    ("goals.csv", "Who reaches the goals, and what gets in the way?"),
    ("retention.csv", "Who comes back, and when? By week of start, too."),
    ("timing.csv", "How long do the steps, finishing and the goals take?"),
    ("experiments.csv", "Which differences between variants are established so far?"),
    ("quality.csv", "Can the data be trusted? What was rejected or left out?"),
    ("metrics.csv", "All numbers of the report in one tidy table."),
    ("metrics.json", "The same for programs: compare and check --baseline read it."),
  ]

  private static func entry(_ file: String, _ answers: String) -> String {
    "  " + TextWidth.left(file, 17) + answers + "\n"
  }

  private static func wrapped(_ text: String) -> String {
    var page = TerminalPage(style: TerminalStyle(width: width, color: false))
    page.paragraph(text, lead: "")
    return page.text
  }
}
