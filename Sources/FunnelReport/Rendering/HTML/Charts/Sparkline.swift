internal import ReportText

/// A rate by when people started, as small as a word: the line, its 95 % band, the last value.
///
/// It stretches to whatever width the style sheet gives it. All of a column share one scale, so
/// that rows can be compared.
struct Sparkline {
  static let height = 32.0
  let points: [IndexEntry.Point]
  /// What the top stands for; the bottom is 0.
  let top: Double
  let target: Double?
  /// For readers who don't see it.
  let description: String

  /// `nil` for fewer than two points.
  var markup: Markup? {
    guard points.count > 1, top > 0 else { return nil }
    let upper = points.indices.map { place($0, points[$0].high ?? points[$0].value) }
    let lower = points.indices.map { place($0, points[$0].low ?? points[$0].value) }
    let line = points.indices.map { place($0, points[$0].value) }
    return Markup { page in
      page.element("svg", ["class": "sp", "role": "img", "aria-label": description]) { page in
        page.element(
          "svg",
          ["viewBox": "0 0 100 32", "preserveAspectRatio": "none", "height": "32", "width": "100%"]
        ) { page in
          page.empty("polygon", ["points": (lower + upper.reversed()).joined(separator: " ")])
          page.empty("polyline", ["points": line.joined(separator: " ")])
        }
        if let target {
          let y = height(target)
          page.empty("line", ["x1": "0", "x2": "100%", "y1": y, "y2": y])
        }
        if let last = points.last {
          page.empty("circle", ["cx": "100%", "cy": height(last.value), "r": "3"])
        }
      }
    }
  }

  private func place(_ index: Int, _ value: Double) -> String {
    let x = 100 * Double(index) / Double(points.count - 1)
    return "\(NumberText.fixed(x, decimals: 1) ?? "0"),\(height(value))"
  }

  /// One pixel of room above and below.
  private func height(_ value: Double) -> String {
    let share = min(1, max(0, value / top))
    let y = Sparkline.height - 1 - share * (Sparkline.height - 2)
    return NumberText.fixed(y, decimals: 1) ?? "0"
  }
}
