/// What distinguishes the series of a chart without colour: the form of their points; lines differ
/// in their dashes (style sheet).
enum SeriesMark {
  static let styles = 6

  static func style(_ index: Int) -> String { "s\(index % styles)" }

  /// The id of a series' point in the page's definitions.
  static func symbol(_ index: Int) -> String { "m\(index % styles)" }

  /// The points of all series, defined once.
  static var symbols: Markup {
    Markup { page in
      for index in 0..<styles { page.empty("path", ["id": symbol(index), "d": path(index)]) }
    }
  }

  /// A point at the origin.
  static func path(_ index: Int) -> String {
    switch index % styles {
    case 0: "M-4.5-4.5h9v9h-9z"
    case 1: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z"
    case 2: "M0-6L6 0L0 6L-6 0z"
    case 3: "M0-6L6 5H-6z"
    case 4: "M0 6L6-5H-6z"
    default: "M-2-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z"
    }
  }

  /// The names of the series with their lines and points; nothing for a single one.
  static func legend(_ series: [LineChart.Series]) -> Markup? {
    guard series.count > 1 else { return nil }
    return Markup { page in
      page.element("ul", ["class": "legend"]) { page in
        for one in series {
          page.element("li", ["data-variant": one.variant]) { page in
            page.element(
              "svg", ["width": "34", "height": "14", "aria-hidden": "true", "viewBox": "0 0 34 14"]
            ) { page in
              page.empty(
                "path", ["class": "line \(style(one.style))", "d": "M0 7H34"])
              page.empty(
                "use",
                [
                  "class": "dot \(style(one.style))", "href": "#\(symbol(one.style))", "x": "17",
                  "y": "7",
                ])
            }
            page.name(one.name)
          }
        }
      }
    }
  }
}
