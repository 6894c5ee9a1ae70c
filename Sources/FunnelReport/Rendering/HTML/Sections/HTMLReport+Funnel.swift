internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics

extension HTMLReport {
  /// The first chart of the page: where people drop off, everyone beside the variants.
  func funnelSection() -> Markup {
    let funnel = LossFunnel(report: self)
    let series = funnel.series
    return PageTemplates.fill(
      .funnel,
      TemplateContext { page in
        page.markup("chips", funnel.chips)
        page.markup("chart", funnel.markup)
        page.markup("key", funnel.key)
        page.markup("whatIf", WhatIfPanel(self)?.markup)
        // Everyone's table is the balance sheet.
        let others = series.filter { $0 != .all }
        page.markups("tables", others.map(stepTable))
        page.flag("hasTables", !others.isEmpty)
        let more = analysis.funnelSlices.count - series.count
        page.texts(
          "more", more > 0 ? ["\(more) more are in steps.csv, every number of them."] : [])
      })
  }

  private func stepTable(_ slice: Slice) -> Markup {
    StepTable(report: self, slice: slice, balances: StepBalance.all(slice, analysis)).markup
  }
}
