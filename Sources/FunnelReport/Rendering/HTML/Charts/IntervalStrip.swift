/// An estimate with its interval on one line: the rows of forest plots and of comparisons.
struct IntervalStrip {
  var title: String
  var value: Double?
  var low: Double?
  var high: Double?
  var scale: ChartScale
  /// Zero, or the value of everybody, or a target.
  var reference: Double?
  /// Another interval behind it, drawn pale.
  var band: (low: Double, high: Double)?
  /// Nothing is shown by it: drawn in grey.
  var isQuiet = false

  static let height = 22.0

  var markup: Markup {
    Markup { page in
      page.element(
        "svg",
        [
          "class": "strip", "role": "img",
          "height": ChartScale.pixels(IntervalStrip.height),
        ]
      ) { page in
        page.element("title", text: title)
        let middle = ChartScale.pixels(IntervalStrip.height / 2)
        if let band {
          let width = scale.place(band.high) - scale.place(band.low)
          page.empty(
            "rect",
            [
              "class": "once", "x": scale.percent(band.low), "y": "4",
              "width": ChartScale.percent(width), "height": "14",
            ])
        }
        if let reference {
          let place = scale.percent(reference)
          page.empty(
            "line",
            [
              "class": reference == 0 ? "zero" : "reference", "x1": place, "x2": place,
              "y2": ChartScale.pixels(IntervalStrip.height),
            ])
        }
        page.element("g", ["class": isQuiet ? "quiet" : nil]) { page in
          if let low, let high {
            page.empty(
              "line",
              [
                "class": "range", "x1": scale.percent(low), "x2": scale.percent(high),
                "y1": middle, "y2": middle,
              ])
          }
          if let value {
            page.empty(
              "circle", ["class": "point", "cx": scale.percent(value), "cy": middle, "r": "5"])
          }
        }
      }
    }
  }

  /// The axis of a column of strips, for its head.
  static func axis(_ scale: ChartScale) -> Markup {
    Markup { page in
      page.element(
        "svg", ["class": "strip", "aria-hidden": "true", "height": "16"]
      ) { page in
        let last = scale.ticks.count - 1
        for (index, tick) in scale.ticks.enumerated() {
          if index > 0 && index < last && scale.ticks.count > 3 { continue }
          let anchor = index == 0 ? "start" : index == last ? "end" : "middle"
          page.element(
            "text",
            ["x": scale.percent(tick.value), "y": "12", "text-anchor": anchor], text: tick.label)
        }
      }
    }
  }
}
