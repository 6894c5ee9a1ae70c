internal import FunnelEngine

/// One attempt from its start to its end, drawn to scale: time with events as bars, pauses hatched
/// at their real length.
struct RunChart {
  let run: AttemptRun
  /// For readers who don't see it.
  let description: String
  /// Wide enough for a pause's length to be written in it.
  private static let labelShare = 0.18

  /// `nil` for an attempt without a pause, of which the lanes of its steps say the same.
  var markup: Markup? {
    guard run.lengthMilliseconds > 0, !run.pauses.isEmpty else { return nil }
    let scale = DurationAxis(milliseconds: run.lengthMilliseconds)
    func place(_ time: Int64) -> Double { scale.share(time - run.startMilliseconds) }
    return Markup { page in
      page.element("div", ["class": "plot"]) { page in
        page.element("svg", ["height": "44", "role": "img", "aria-label": description]) { page in
          for pause in run.pauses {
            let (start, end) = (place(pause.lowerBound), place(pause.upperBound))
            page.empty("rect", RunChart.box(start, end, class: "away"))
          }
          for stretch in run.attempt.stretches {
            let (start, end) = (place(stretch.lowerBound), place(stretch.upperBound))
            page.empty("rect", RunChart.box(start, end, class: "there"))
          }
          page.empty("line", ["class": "base", "x1": "0", "x2": "100%", "y1": "40", "y2": "40"])
        }
        for pause in run.pauses {
          let (start, end) = (place(pause.lowerBound), place(pause.upperBound))
          guard end - start > RunChart.labelShare else { continue }
          page.element(
            "span",
            ["class": "label", "style": "left:\(ChartScale.percent((start + end) / 2))"],
            text: DisplayText.sentence(
              "away \(PersonWords.duration(pause.upperBound - pause.lowerBound))"))
        }
      }
      scale.write(&page)
    }
  }

  /// At least as wide as can be seen.
  static func box(
    _ start: Double, _ end: Double, class name: String, y: String = "10", height: String = "30"
  ) -> MarkupWriter.Attributes {
    [
      "class": name, "x": ChartScale.percent(start),
      "width": ChartScale.percent(max(0.003, end - start)), "y": y, "height": height,
    ]
  }
}
