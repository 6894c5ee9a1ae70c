/// People's ways through a flow as arcs between its steps, which stand one below the other: forward
/// on the right, back on the left, dashed after coming back to the attempt.
///
/// The drawing is stretched to the height of the rows, which are as high as the style sheet wants;
/// strokes keep their width. A mirrored drawing serves the left side.
struct FlowMap {
  /// A step, the start or the end.
  struct Row {
    var name: String
    /// How much of its width is filled, from 0 to 1.
    var share: Double
    /// Beside the name, and below it.
    var number: Shown?
    var note: Markup?
  }

  struct Arc {
    /// Places of rows.
    var from: Int
    var to: Int
    /// Whether it leads back in the lists of those who took it, which need not be in the order of
    /// the rows.
    var isBack: Bool
    var isReturn: Bool
    /// From 0 to 1.
    var weight: Double
    /// The style sheet's class.
    var style: String
    /// Shown when pointed at.
    var title: String
  }

  /// What it shows, for those who don't see it.
  var title: String
  var rows: [Row]
  var arcs: [Arc]

  private static let rowHeight = 44.0
  private static let widest = 11.0

  var markup: Markup {
    Markup { page in
      page.element("div", ["class": "map", "style": "--n:\(rows.count)"]) { page in
        side("l", "\(title): back", arcs.filter(\.isBack), &page)
        page.element("ol") { page in
          for row in rows { self.row(row, &page) }
        }
        side("r", "\(title): forward", arcs.filter { !$0.isBack }, &page)
      }
    }
  }

  private func row(_ row: Row, _ page: inout MarkupWriter) {
    let share = ChartScale.pixels(min(1, max(0, row.share)) * 100)
    page.element("li", ["style": "--a:\(share)"]) { page in
      page.name(row.name, limit: 20)
      if let number = row.number { page.number(number, in: "b") }
      if let note = row.note { page.element("small") { $0.add(note) } }
    }
  }

  private func side(
    _ style: String, _ title: String, _ arcs: [Arc], _ page: inout MarkupWriter
  ) {
    let height = ChartScale.pixels(Double(rows.count) * FlowMap.rowHeight)
    page.element(
      "svg",
      [
        "class": style, "role": "img", "viewBox": "0 0 100 \(height)",
        "preserveAspectRatio": "none",
      ]
    ) { page in
      page.element("title", text: title)
      for arc in arcs { self.arc(arc, &page) }
    }
  }

  private func arc(_ arc: Arc, _ page: inout MarkupWriter) {
    let distance = Double((arc.to - arc.from).magnitude)
    let reach = ChartScale.pixels(distance == 0 ? 56 : min(130, 30 + 18 * distance))
    // Ways leave a step on the side that they go to, and arrive on the other.
    let turn = arc.to > arc.from ? 6.0 : arc.to < arc.from ? -6.0 : -9.0
    let start = ChartScale.pixels(place(arc.from) + turn)
    let end = ChartScale.pixels(place(arc.to) - turn)
    let classes = [arc.style == "" ? nil : arc.style, arc.isReturn ? "again" : nil]
      .compactMap(\.self)
    page.element(
      "path",
      [
        "class": classes.isEmpty ? nil : classes.joined(separator: " "),
        "d": "M0 \(start)C\(reach) \(start) \(reach) \(end) 0 \(end)",
        "stroke-width": ChartScale.pixels(1 + arc.weight * (FlowMap.widest - 1)),
      ]
    ) { $0.element("title", text: arc.title) }
  }

  private func place(_ row: Int) -> Double { (Double(row) + 0.5) * FlowMap.rowHeight }
}
