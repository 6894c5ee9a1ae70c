internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// What opens below a step of the funnel: what the people did next who dropped off there, and the
/// commands that lead to them.
struct DropOffPanel {
  let report: HTMLReport
  let step: Step
  private let events: [StepNextEvent]
  private var analysis: Analysis { report.analysis }

  init?(_ report: HTMLReport, _ step: Step) {
    events = report.analysis.nextEvents(after: step.id, in: .all)
    if events.isEmpty { return nil }
    self.report = report
    self.step = step
  }

  func write(_ page: inout MarkupWriter) {
    page.element("div", ["class": "who"]) { page in
      page.element("div") { page in
        page.element("h3") { page in
          page.number(events.first?.count.total)
          let isOne = events.first?.count.row.denominator == 1
          page.text(" \(isOne ? "person" : "people")")
          if report.leading != .all { page.text(" of all flow versions") }
          page.text(" dropped off here")
          ofThem(&page)
          page.text(". What they did next")
        }
        for next in events { self.next(next, &page) }
        friction(&page)
      }
      page.element("div") { page in
        page.element("h3", text: "Who they are")
        command("Timelines of twenty of them", timelines, &page)
        command(
          "A private list of everyone; they have “\(step.id)” as furthest_step",
          report.peopleCommand, &page)
        command("One person of that list", explain, &page)
        page.element("p", text: "dumps/ stands for your files.")
        page.element("p") { page in
          page.element("a", ["href": "#\(ChartID.funnel.text)"], text: "Close")
        }
      }
      groups(&page)
    }
  }

  /// `, 31 of them with flow version 2`, where the first screen is about that version.
  private func ofThem(_ page: inout MarkupWriter) {
    guard report.leading != .all,
      let own = analysis.datum(.stepDropOff, step: step.id, in: report.leading),
      (own.row.denominator ?? 0) > 0
    else { return }
    page.text(", ")
    page.number(own.count)
    page.name(" of them with \(analysis.label(report.leading))", limit: 60)
  }

  /// What got in people's way on the step, with a link to all that did.
  private func friction(_ page: inout MarkupWriter) {
    let own = report.flow.friction.filter { $0.step.map { report.flow.steps[$0].id } == step.id }
    guard !own.isEmpty else { return }
    page.element("p") { page in
      let whom = report.leading == .all ? "everyone" : "all of \(analysis.label(report.leading))"
      page.name("Friction here, of \(whom) who started: ", limit: 60)
      for (index, friction) in own.enumerated() {
        let datum = analysis.datum(.frictionRate, step: friction.id, in: report.leading)
        page.text(index == 0 ? "" : ", ")
        page.name(friction.words, limit: 40)
        page.text(" ")
        page.number(datum?.rate)
        page.text(" (")
        page.pair(datum?.count, "/", datum?.total)
        page.text(")")
      }
      page.text(". ")
      page.element(
        "a", ["href": "#\(ChartID("retention", "Friction").text)"], text: "All friction")
    }
  }

  /// Whether the step loses people on one system, in one language or since one release.
  private func groups(_ page: inout MarkupWriter) {
    guard let groups = StepGroups(step, analysis) else { return }
    page.element("div") { page in
      let whose = report.leading == .all ? "" : ", of everyone"
      page.element("h3", text: "Drop-off here by device, language and release\(whose)")
      if groups.panels.isEmpty {
        page.element("p", text: "Too few people were lost here to compare groups of them.")
        return
      }
      for panel in groups.panels { self.panel(panel, &page) }
      page.element(
        "p",
        text: groups.hasOneStandingOut
          ? "In bold what differs clearly from the others, all comparisons counted."
          : "None differs clearly from the others: shares of few people swing by chance.")
    }
  }

  private func panel(_ panel: StepGroups.Panel, _ page: inout MarkupWriter) {
    let names = PlainName.of(panel.groups.map(\.slice.breakdown.value))
    page.element("p") { page in
      page.name(panel.panel.name(report.flow).capitalizedFirst, limit: 40)
      for (index, group) in panel.groups.enumerated() {
        page.text(index == 0 ? ": " : " · ")
        page.element(group.standsOut ? "b" : "span") { page in
          page.name(names[index], limit: 30)
          let datum = analysis.datum(.stepDropOff, step: step.id, in: group.slice)
          page.text(" ")
          page.number(datum?.rate)
          page.text(" (")
          page.pair(datum?.count, "/", datum?.total)
          page.text(")")
        }
      }
    }
  }

  private func next(_ next: StepNextEvent, _ page: inout MarkupWriter) {
    let width = NumberText.fixed((next.count.row.value ?? 0) * 100, decimals: 0) ?? "0"
    page.element("p", ["class": "did"]) { page in
      page.number(next.count.rate, in: "b")
      page.element("i", ["style": "--a:\(width)"]) { _ in }
      page.element("span") { page in
        page.name(NextEventWords(analysis: analysis).title(next.event), limit: 70)
        page.text(" · ")
        page.number(next.count.count)
        if let median = next.median {
          page.text(", median after ")
          page.number(median.seconds)
        }
      }
    }
  }

  private func command(_ what: String, _ words: [String], _ page: inout MarkupWriter) {
    page.element("p") { page in
      page.text("\(what): ")
      page.element(
        "code", ["class": "cmd"], text: words.map(ShellText.word).joined(separator: " "))
    }
  }

  private var timelines: [String] {
    ["firstmile", "timelines"] + report.dataOptions
      + ["--left-at", step.id, "--page", "\(step.id).html"]
  }

  private var explain: [String] { ["firstmile", "explain", "#PERSON"] + report.dataOptions }
}
