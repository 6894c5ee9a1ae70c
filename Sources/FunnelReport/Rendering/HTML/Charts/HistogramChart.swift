internal import FunnelMetrics

/// How long something took: a histogram over a logarithmic axis, the median, what the design means.
struct HistogramChart {
  var title: String
  var description: String
  var distribution: TimeDistribution
  /// In milliseconds.
  var expected: ClosedRange<Int64>?
  var height = 96.0
  var showsAxis = true
  var isSmall = false

  var markup: Markup {
    Markup { page in
      page.element(
        "svg",
        [
          "class": isSmall ? "strip" : "plot flush", "role": "img",
          "height": ChartScale.pixels(height),
        ]
      ) { page in
        page.element("title", text: title)
        if !description.isEmpty { page.element("desc", text: description) }
        meant(&page)
        bars(&page)
        let floor = ChartScale.pixels(height)
        page.empty("line", ["class": "axis", "x2": "100%", "y1": floor, "y2": floor])
        if let median = distribution.place(ofMilliseconds: distribution.medianMilliseconds) {
          let x = ChartScale.percent(median)
          page.empty(
            "line", ["class": "median", "x1": x, "x2": x, "y2": floor])
        }
        if showsAxis { axis(&page) }
      }
    }
  }

  private func meant(_ page: inout MarkupWriter) {
    guard let expected,
      let low = distribution.place(ofMilliseconds: expected.lowerBound),
      let high = distribution.place(ofMilliseconds: expected.upperBound)
    else { return }
    if high - low < 0.004 {
      let x = ChartScale.percent(low)
      page.empty(
        "line",
        ["class": "meant", "x1": x, "x2": x, "y2": ChartScale.pixels(height)])
      return
    }
    page.empty(
      "rect",
      [
        "class": "meant", "x": ChartScale.percent(low), "width": ChartScale.percent(high - low),
        "height": ChartScale.pixels(height),
      ])
  }

  /// All bars are one path, stretched to the width of the plot: a hundred elements would say no
  /// more.
  private func bars(_ page: inout MarkupWriter) {
    let tallest = distribution.bins.map(\.count).max() ?? 0
    guard tallest > 0 else { return }
    var path = ""
    for (index, bin) in distribution.bins.enumerated() where bin.count > 0 {
      let tall = max(1, (height - 4) * Double(bin.count) / Double(tallest))
      path +=
        "M\(index * 10) \(ChartScale.pixels(height))v-\(ChartScale.pixels(tall))h9V"
        + ChartScale.pixels(height)
    }
    page.element(
      "svg",
      [
        "width": "100%", "height": ChartScale.pixels(height),
        "viewBox": "0 0 \(distribution.bins.count * 10) \(ChartScale.pixels(height))",
        "preserveAspectRatio": "none",
      ]
    ) { $0.empty("path", ["class": "count-bar", "d": path]) }
  }

  /// The axis of a column of small charts, for its head.
  static func axis(_ distribution: TimeDistribution) -> Markup {
    Markup { page in
      page.element("svg", ["class": "strip times", "aria-hidden": "true", "height": "16"]) { page in
        // On paper the column is narrow.
        for tick in distribution.ticks(room: 0.32) {
          page.element(
            "text", ["x": ChartScale.percent(tick.place), "y": "12"], text: tick.label)
        }
      }
    }
  }

  private func axis(_ page: inout MarkupWriter) {
    for tick in distribution.ticks {
      page.element(
        "text",
        [
          "x": ChartScale.percent(tick.place), "y": ChartScale.pixels(height + 18),
        ], text: tick.label)
    }
  }
}
