internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// Under the funnel: what completion would be if a step lost fewer people. The sentence and the
/// table need no script; with it any step and share can be tried.
struct WhatIfPanel {
  let report: HTMLReport
  let all: [WhatIf]
  private var flow: Flow { report.flow }

  init?(_ report: HTMLReport) {
    all = WhatIf.all(report.analysis, in: report.leading)
    if all.isEmpty { return nil }
    self.report = report
  }

  private var first: WhatIf? { WhatIf.largest(all) }

  var markup: Markup {
    Markup { page in
      page.element("details", ["class": "guess", "id": ChartID("what-if").text]) { page in
        page.element("summary") { page in
          page.element("b", text: "What if? ")
          // An `output` would keep the click on it from opening the panel.
          page.element("span", ["role": "status"]) { page in
            guard let first else { return }
            page.sentence(WhatIfWords.sentence(first, report.analysis))
          }
        }
        page.element("p", ["class": "note"], text: WhatIfWords.note)
        controls(&page)
        page.add(table.markup)
      }
    }
  }

  /// Shown where the script runs; it reads the numbers of each step from its option.
  private func controls(_ page: inout MarkupWriter) {
    guard let first else { return }
    page.element(
      "p",
      [
        "class": "try", "data-n": "\(first.persons) \(first.finished)",
        "data-of": WhatIfWords.of(first.slice, report.analysis),
      ]
    ) { page in
      page.element("label") { page in
        page.text("Step ")
        page.element("select") { page in
          for one in all {
            page.element(
              "option",
              [
                "value": flow.steps[one.step].id,
                "data-n": "\(one.viewed) \(one.left) \(one.finishedViewers)",
                "selected": one.step == first.step ? "" : nil,
              ], text: SafeText.name(flow.steps[one.step].title, limit: 60))
          }
        }
      }
      page.element("label") { page in
        page.text("would lose ")
        page.empty("input", ["type": "range", "min": "0", "step": "0.1"])
      }
    }
  }

  private var table: DataTable {
    DataTable(
      caption: "What if: completion of \(report.analysis.label(report.leading)) if a step lost "
        + "fewer of those who reach it",
      columns: [
        .words("Step"), .number("loses now"), .number("a quarter less"), .number("half as many"),
        .number("nobody"),
      ],
      rows: all.map { one in
        let rate = Double(one.left) / Double(one.viewed)
        return [.name(flow.steps[one.step].title), .number(one.dropOff.rate)]
          + [0.75, 0.5, 0].map { part in
            .number(Shown(DisplayText.percent(one.completion(ifItLost: rate * part))))
          }
      })
  }
}
