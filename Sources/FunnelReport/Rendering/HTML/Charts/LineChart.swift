internal import ReportText

/// Lines with bands: retention over days, rates over weeks, incidence over time.
///
/// The drawing's box is the plot itself; places along it are percentages, so that it fits any
/// width while texts and strokes keep their size. Labels stand in the margins.
struct LineChart {
  struct Point {
    var x: Double
    var y: Double
    var low: Double?
    var high: Double?
    /// Shown when pointed at.
    var title: String
    /// Of a cohort that is only partly in the data: drawn pale, and beside the line.
    var isPartial = false
  }

  struct Series {
    var name: String
    var points: [Point]
    /// Which colour, dash and form.
    var style: Int
    /// Of which of the compared slices it is (``HTMLReport/tag(_:)``).
    var variant: String? = nil
  }

  /// A moment that something happened at, as a line with a name at its top.
  struct Event {
    var x: Double
    var name: String
    var title: String
    /// `13 May`
    var day = ""
  }

  var title: String
  var description: String
  var horizontal: ChartScale
  var vertical: ChartScale
  var series: [Series]
  var reference: Double?
  var height = 220.0
  var events: [Event] = []
  /// Points further apart than this are not joined; `nil` joins all.
  var gap: Double?

  var markup: Markup {
    Markup { page in
      page.element(
        "svg",
        [
          "class": events.isEmpty ? "plot" : "plot marked", "role": "img",
          "height": ChartScale.pixels(height),
        ]
      ) { page in
        page.element("title", text: title)
        page.element("desc", text: description)
        axes(&page)
        marks(&page)
        curves(&page)
        for one in series { dots(one, &page) }
      }
    }
  }

  private func y(_ value: Double) -> Double { height * (1 - vertical.place(value)) }

  private func axes(_ page: inout MarkupWriter) {
    for (index, tick) in vertical.ticks.enumerated() {
      let place = ChartScale.pixels(y(tick.value))
      page.empty(
        "line",
        [
          "class": index == 0 ? "axis" : "grid", "x2": "100%", "y1": place, "y2": place,
        ])
      page.element(
        "text", ["class": "y", "x": "-8", "y": ChartScale.pixels(y(tick.value) + 4)],
        text: tick.label)
    }
    for tick in horizontal.ticks {
      page.element(
        "text",
        [
          "class": tick.isMinor ? "tick-minor" : nil, "x": horizontal.percent(tick.value),
          "y": ChartScale.pixels(height + 20),
        ], text: tick.label)
    }
    if let reference {
      let place = ChartScale.pixels(y(reference))
      page.empty(
        "line", ["class": "reference", "x2": "100%", "y1": place, "y2": place])
    }
  }

  /// Names that would run into each other stand above one another, a third is left to its line.
  private func marks(_ page: inout MarkupWriter) {
    var ends = [-1.0, -1.0]
    for event in events {
      let place = horizontal.percent(event.x)
      page.element(
        "line", ["class": "release", "x1": place, "x2": place, "y2": ChartScale.pixels(height)]
      ) {
        $0.element("title", text: event.title)
      }
      let room = Double(event.name.count) * 0.01 + 0.01
      guard let row = ends.firstIndex(where: { horizontal.place(event.x) - room > $0 }) else {
        continue
      }
      ends[row] = horizontal.place(event.x) + room
      page.element("text", ["x": place, "y": row == 0 ? "-5" : "-18"], text: event.name)
    }
  }

  /// Bands and lines, stretched to the width of the plot.
  private func curves(_ page: inout MarkupWriter) {
    page.element(
      "svg",
      [
        "width": "100%", "height": ChartScale.pixels(height),
        "viewBox": "0 0 1000 \(ChartScale.pixels(height))", "preserveAspectRatio": "none",
      ]
    ) { page in
      for one in series {
        if let band = band(one) {
          page.empty(
            "path",
            [
              "class": "area \(SeriesMark.style(one.style))", "d": band,
              "data-variant": one.variant,
            ])
        }
      }
      for one in series {
        let lines = joined(one.points.filter { !$0.isPartial }).filter { $0.count > 1 }
        guard !lines.isEmpty else { continue }
        page.empty(
          "path",
          [
            "class": "line \(SeriesMark.style(one.style))",
            "d": lines.map { path($0.map { ($0.x, $0.y) }) }.joined(),
            "data-variant": one.variant,
          ])
      }
    }
  }

  private func band(_ series: Series) -> String? {
    let points = series.points.filter { $0.low != nil && $0.high != nil && !$0.isPartial }
    let bands = joined(points).filter { $0.count > 1 }.map { points in
      let upper = points.map { ($0.x, $0.high ?? $0.y) }
      let lower = points.reversed().map { ($0.x, $0.low ?? $0.y) }
      return path(upper + lower) + "Z"
    }
    return bands.isEmpty ? nil : bands.joined()
  }

  private func joined(_ points: [Point]) -> [[Point]] {
    var lines: [[Point]] = []
    for point in points {
      if let last = lines.last?.last, gap.map({ point.x - last.x <= $0 }) ?? true {
        lines[lines.count - 1].append(point)
      } else {
        lines.append([point])
      }
    }
    return lines
  }

  private func path(_ points: [(x: Double, y: Double)]) -> String {
    var text = ""
    for (index, point) in points.enumerated() {
      let x = NumberText.fixed(horizontal.place(point.x) * 1000, decimals: 0) ?? "0"
      text += "\(index == 0 ? "M" : "L")\(x) \(ChartScale.pixels(y(point.y)))"
    }
    return text
  }

  private func dots(_ series: Series, _ page: inout MarkupWriter) {
    page.element(
      "g", ["class": "dot \(SeriesMark.style(series.style))", "data-variant": series.variant]
    ) { page in
      for point in series.points {
        page.element(
          "use",
          [
            "href": "#\(SeriesMark.symbol(series.style))", "x": horizontal.percent(point.x),
            "y": ChartScale.pixels(y(point.y)), "class": point.isPartial ? "partial" : nil,
          ]
        ) { $0.element("title", text: point.title) }
      }
    }
  }
}
