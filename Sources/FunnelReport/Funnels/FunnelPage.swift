public import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// A funnel study as a page: how many get to each step, and the same by the values of what it is
/// cut by.
public struct FunnelPage: Sendable {
  package let document: FunnelDocument
  let flow: Flow
  /// What the reader should know first, such as names that no event has.
  let notes: [String]
  let programVersion: String
  /// So many values are shown; all are in the files.
  private static let maximumValues = 200

  /// Lays out a study; `notes` are shown above it, one sentence each.
  public init(
    _ document: FunnelDocument, flow: Flow, notes: [String] = [], programVersion: String
  ) {
    self.document = document
    self.notes = notes
    self.flow = flow
    self.programVersion = programVersion
  }

  private var study: FunnelStudy { document.study }

  /// The page as HTML, complete in itself.
  public func text() -> String {
    let page = TemplateContext { page in
      page.markup("style", Markup(trusted: PageTemplates.studyStyleSheet))
      page.text("flow", SafeText.name(flow.title, limit: 60))
      page.text("headline", DisplayText.sentence(headline))
      page.text("summary", DisplayText.sentence(summary))
      page.texts("notes", notes.map { SafeText.name($0, limit: 400) })
      page.markup("steps", steps())
      if !document.breakdowns.isEmpty {
        let names = document.breakdowns.map { SafeText.name($0, limit: 40) }
        page.text("cut", "By \(names.joined(separator: " and "))")
        page.markup("values", values())
        let hidden = study.byValues.count - FunnelPage.maximumValues
        if hidden > 0 {
          page.text("more", "\(NumberText.grouped(hidden)) smaller ones are in the files.")
        }
      }
      page.text("counted", DisplayText.sentence(counted))
      page.text("choices", "Counted with \(document.choices).")
      page.text("fingerprint", String(flow.fingerprint.prefix(12)))
      page.text("program", programVersion)
    }
    let markup = PageTemplates.fill(.study, page).text
    return markup.hasSuffix("\n") ? markup : markup + "\n"
  }

  private var headline: String {
    let entered = study.all.reached.first ?? 0
    let through = study.all.reached.last ?? 0
    if document.isUnknown(0) { return "How many enter this funnel is unknown" }
    if document.isEndUnknown, entered > 0 {
      return "How many go through the whole funnel is unknown, of "
        + ReportWords.people(entered)
    }
    guard entered > 0 else { return "Nobody entered this funnel" }
    return "\(RateText.percent(Double(through) / Double(entered))) of "
      + "\(ReportWords.people(entered)) go through the whole funnel"
  }

  private var summary: String {
    var parts: [String] = []
    if let middle = study.all.conversion.percentile(50) {
      parts.append("Half of them take \(RateText.duration(Double(middle) / 1000)) at most.")
    }
    if study.immature > 0 { parts.append(ReportWords.tooRecent(study.immature)) }
    if study.leftOut > 0 {
      parts.append(
        "\(ReportWords.people(study.leftOut)) more entered it and "
          + "\(study.leftOut == 1 ? "is" : "are") in no metric of the flow: existing users, or "
          + "people without a recorded start.")
    }
    if let count = study.leftOutByFlow { parts.append(ReportWords.leftOutByFlow(count) + ".") }
    if study.withoutValue > 0 {
      parts.append("\(ReportWords.people(study.withoutValue)) had no value at that step.")
    }
    return parts.joined(separator: " ")
  }

  /// Who is counted, and why a report of the flow has other numbers.
  private var counted: String {
    let rules = study.rules
    let funnel = rules.reading(study.funnel)
    func duration(_ milliseconds: Int64) -> String {
      RateText.duration(Double(milliseconds) / 1000)
    }
    let window = duration(funnel.windowMilliseconds)
    let each = funnel.windowScope == .step ? "\(window) for each step" : "\(window) for the whole"
    let people =
      rules.onlyFlowPersons
      ? "the people of the flow’s reports" : "everyone who did the first step, existing users too"
    let over = rules.onlyMature ? ", but only those whose time was over when the data end" : ""
    let reports =
      document.tool != .firstmile || funnel.windowMilliseconds == flow.windowMilliseconds
      ? "" : " A report gives the flow \(duration(flow.windowMilliseconds)), so it counts others."
    return "Counts \(people), with \(each)\(over).\(reports)"
  }

  private func rate(_ counts: FunnelStudy.Counts, _ step: Int, of base: Int) -> MetricRow {
    document.rate("all", counts.reached[step], base, of: step)
  }

  private func percent(_ rate: MetricRow) -> String { rate.value.map(RateText.percent) ?? "–" }

  private func steps() -> Markup {
    table(
      "Steps of the funnel",
      ["Step", "People", "Of the first", "95 % interval", "Of the step before", "Median time"]
    ) { page in
      let counts = study.all
      for (step, name) in document.names.enumerated() {
        let all = rate(counts, step, of: counts.reached[0])
        let people =
          document.isUnknown(step) ? "unknown" : NumberText.grouped(counts.reached[step])
        var cells = [people, percent(all), interval(all)]
        cells += step == 0 ? ["", ""] : fromTheStepBefore(counts, step)
        row(["\(step + 1)  \(name)"], cells, &page)
      }
    }
  }

  private func interval(_ rate: MetricRow?) -> String {
    guard let low = rate?.low, let high = rate?.high else { return "–" }
    return RateText.interval(low, high)
  }

  private func fromTheStepBefore(_ counts: FunnelStudy.Counts, _ step: Int) -> [String] {
    let share = rate(counts, step, of: counts.reached[step - 1]).value
    let milliseconds = counts.times[step].percentile(50)
    return [
      share.map(RateText.percent) ?? "",
      milliseconds.map { RateText.duration(Double($0) / 1000) } ?? "–",
    ]
  }

  private func values() -> Markup {
    let heads =
      document.breakdowns.map { SafeText.name($0, limit: 40) } + ["People"]
      + document.names.dropFirst().enumerated().map { "Step \($0.offset + 2)" } + ["95 % interval"]
    let largest = BreakdownRows.sorted(study.byValues).enumerated().sorted { left, right in
      let people = [left, right].map { $0.element.counts.reached.first ?? 0 }
      return people[0] != people[1] ? people[0] > people[1] : left.offset < right.offset
    }
    return table("People by value", heads, names: document.breakdowns.count) { page in
      for entry in largest.prefix(FunnelPage.maximumValues) {
        let (values, counts) = entry.element
        let entered = counts.reached.first ?? 0
        let shares = counts.reached.indices.dropFirst().map { rate(counts, $0, of: entered) }
        row(
          values,
          [NumberText.grouped(entered)]
            + shares.enumerated().map { document.isUnknown($0 + 1) ? "unknown" : percent($1) }
            + [interval(shares.last)], &page)
      }
    }
  }

  // MARK: Tables

  private func table(
    _ label: String, _ heads: [String], names: Int = 1,
    _ rows: (inout MarkupWriter) -> Void
  ) -> Markup {
    Markup { page in
      page.element(
        "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": label]
      ) { page in
        page.element("table", ["class": "days"]) { page in
          page.element("thead") { page in
            page.element("tr") { page in
              for (place, head) in heads.enumerated() {
                page.element(
                  "th", ["scope": "col", "class": place < names ? nil : "n"],
                  text: DisplayText.sentence(head))
              }
            }
          }
          page.element("tbody") { rows(&$0) }
        }
      }
    }
  }

  private func row(_ names: [String], _ cells: [String], _ page: inout MarkupWriter) {
    page.element("tr") { page in
      for (place, name) in names.enumerated() {
        let inside = { (page: inout MarkupWriter) in page.name(name, limit: 160) }
        if place == 0 {
          page.element("th", ["scope": "row"], inside)
        } else {
          page.element("td", [:], inside)
        }
      }
      for cell in cells {
        page.element("td", ["class": "n"], text: DisplayText.sentence(cell))
      }
    }
  }
}
