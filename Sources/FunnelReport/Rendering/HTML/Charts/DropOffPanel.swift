internal import FlowDefinition
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
          page.text(" \(isOne ? "person" : "people") dropped off here. What they did next")
        }
        for next in events { self.next(next, &page) }
      }
      page.element("div") { page in
        page.element("h3", text: "Who they are")
        command("Timelines of twenty of them", timelines, &page)
        command("A private list of all; theirs have this furthest_step", people, &page)
        command("One of that list", explain, &page)
        page.element("p") { page in
          page.text("dumps/ stands for your files. ")
          page.element("a", ["href": "#\(ChartID.funnel.text)"], text: "Close")
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

  /// Repeats the options of the run that chose people, so that commands find these people.
  private var data: [String] {
    let options = report.report.provenance.options
    let chosen = [
      ("as_of", "--as-of"), ("from", "--from"), ("to", "--to"), ("history_from", "--history-from"),
    ].flatMap { name, option in options[name].map { [option, $0] } ?? [] }
    return ["dumps/", "--flow", report.flow.id] + chosen
  }

  private var timelines: [String] {
    ["firstmile", "timelines"] + data + ["--left-at", step.id, "--page", "\(step.id).html"]
  }

  private var people: [String] { ["firstmile", "report"] + data + ["--people", "people.csv"] }

  private var explain: [String] { ["firstmile", "explain", "#PERSON"] + data }
}
