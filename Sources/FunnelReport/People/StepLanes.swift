internal import FlowDefinition
internal import FunnelEngine

/// The steps of an attempt as lanes over the time with events, pauses cut out.
struct StepLanes {
  let flow: Flow
  let run: AttemptRun

  /// `nil` where no step was seen, or in no time.
  var markup: Markup? {
    let steps = Set(run.attempt.visits.map(\.step)).filter(flow.steps.indices.contains).sorted()
    guard !steps.isEmpty, run.activeMilliseconds > 0 else { return nil }
    let scale = DurationAxis(milliseconds: run.activeMilliseconds)
    return Markup { page in
      for step in steps { lane(step, scale, &page) }
      page.element("div", ["class": "lane foot"]) { page in
        page.element("span", text: "")
        page.element("div") { page in scale.write(&page) }
        page.element("span", text: "")
      }
    }
  }

  private func lane(_ step: Int, _ scale: DurationAxis, _ page: inout MarkupWriter) {
    let visits = run.attempt.visits.filter { $0.step == step }
    let spent = visits.compactMap { visit in
      visit.endMilliseconds.map { $0 - visit.startMilliseconds }
    }
    page.element("div", ["class": "lane"]) { page in
      page.element("b") { $0.name(flow.steps[step].title, limit: 40) }
      page.element("svg", ["height": "26", "aria-hidden": "true"]) { page in
        for visit in visits {
          let start = scale.share(run.active(visit.startMilliseconds))
          if let end = visit.endMilliseconds {
            page.empty(
              "rect",
              RunChart.box(
                start, scale.share(run.active(end)), class: "there", y: "4", height: "18"))
          } else {
            page.empty(
              "circle", ["class": "last", "cx": ChartScale.percent(start), "cy": "13", "r": "5"])
          }
        }
        page.empty("line", ["class": "base", "x1": "0", "x2": "100%", "y1": "25", "y2": "25"])
      }
      page.element("span", ["class": "spent"]) { page in
        let time =
          spent.isEmpty ? "not known" : PersonWords.duration(spent.reduce(0, +))
        page.element("b", text: DisplayText.sentence(time))
        if let expected = flow.steps[step].expectedMilliseconds {
          page.element(
            "span", ["class": "sub"],
            text: DisplayText.sentence("expected \(PersonWords.duration(expected))"))
        }
      }
    }
  }
}
