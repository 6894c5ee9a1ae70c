internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics

/// The days after an attempt, drawn to scale: when the person was there, and in which windows
/// retention looks.
struct ReturnChart {
  let flow: Flow
  let attempt: AttemptOutline
  let explanation: PersonExplanation
  let horizonMilliseconds: Int64
  private static let day: Int64 = 86_400_000
  private static let usualDays: Int64 = 30
  private static let mostDays: Int64 = 400

  private var length: Int64 {
    let windows = attempt.returns.map { $0.window.upperBound - attempt.entryMilliseconds }
    let asked = windows.filter { $0 <= Self.mostDays * Self.day }.max() ?? 0
    return max(asked, Self.usualDays * Self.day)
  }

  /// Moments after the visit in which the attempt ended, one for each thousandth of the width.
  private var moments: [Int64] {
    var kept: [Int64] = []
    let end = attempt.entryMilliseconds + length
    for line in explanation.lines[attempt.lines.lowerBound...] where line.isActivity {
      let time = line.timeMilliseconds
      guard time > attempt.visitEndMilliseconds, time < end else { continue }
      if let last = kept.last, time - last < length / 1000 { continue }
      kept.append(time)
    }
    return kept
  }

  var markup: Markup {
    let scale = DurationAxis(milliseconds: length)
    func place(_ time: Int64) -> Double { scale.share(time - attempt.entryMilliseconds) }
    let moments = moments
    let dates = Set(moments.map { ($0 - attempt.entryMilliseconds) / Self.day }).sorted()
    let description =
      dates.isEmpty
      ? "no events after the visit"
      : "events on \(dates.count == 1 ? "day" : "days") "
        + dates.map { "\($0)" }.joined(separator: ", ") + " after the start"
    return Markup { page in
      page.element("div", ["class": "plot"]) { page in
        page.element("svg", ["height": "52", "role": "img", "aria-label": description]) { page in
          let horizon = place(horizonMilliseconds)
          if horizon < 1 {
            page.empty("rect", RunChart.box(horizon, 1, class: "after", y: "6", height: "42"))
          }
          for back in attempt.returns {
            // Windows of many days lie over others: a strip on the axis.
            let isDay = back.window.upperBound - back.window.lowerBound <= 2 * Self.day
            let isDecided = back.isOver && !back.lacksDates
            let kind = back.cameBack ? "window" : isDecided ? "window missed" : "window open"
            page.empty(
              "rect",
              RunChart.box(
                place(back.window.lowerBound), place(back.window.upperBound), class: kind,
                y: isDay ? "4" : "40", height: isDay ? "34" : "8"))
          }
          page.empty("line", ["class": "base", "x1": "0", "x2": "100%", "y1": "48", "y2": "48"])
          for moment in moments {
            page.empty(
              "circle",
              ["class": "back", "cx": ChartScale.percent(place(moment)), "cy": "21", "r": "4"])
          }
        }
      }
      scale.write(&page)
      if !attempt.returns.isEmpty { verdicts(&page) }
    }
  }

  private func verdicts(_ page: inout MarkupWriter) {
    page.element("ul", ["class": "returns"]) { page in
      for back in attempt.returns where flow.retention.indices.contains(back.measure) {
        let (mark, word) =
          !back.isOver
          ? ("○", "not over")
          : back.lacksDates
            ? ("○", "dates are missing") : back.cameBack ? ("✓", "came back") : ("✕", "did not")
        page.element("li") { page in
          page.element("i", ["aria-hidden": "true"], text: mark)
          page.name(
            MetricWords.of(.retention(flow.retention[back.measure]), step: "", flow),
            limit: 60)
          page.text(": \(word)")
        }
      }
    }
  }
}
