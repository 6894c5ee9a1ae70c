internal import ReportFindings

/// A finding as one picture for chats, slides and pull requests: an SVG that needs nothing else.
///
/// It stands on paper of its own, so that it can be read on any background, and is as high as its
/// text needs.
struct Card {
  /// What it is of, such as the flow's title.
  var source: String
  /// `Finding 2 of 5`
  var place: String
  var claim: String
  var detail: String
  var tone: Finding.Tone
  var chart: CardChart?
  /// Dates and counts, then the fingerprints.
  var foot: [String]

  static let width = 760.0
  private static let margin = 32.0
  static let textWidth = width - 2 * margin
  private static let claimSize = 22.0
  private static let detailSize = 15.0
  private static let smallSize = 13.0
  static let maximumClaimLines = 4
  static let maximumDetailLines = 7

  /// The whole file.
  func text() -> String {
    var page = MarkupWriter()
    var bottom = 0.0
    var body = MarkupWriter()
    draw(&body, &bottom)
    let height = ChartScale.pixels(bottom)
    let width = ChartScale.pixels(Card.width)
    page.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
        "viewBox": "0 0 \(width) \(height)", "role": "img", "aria-label": claim,
        "font-family":
          "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif",
      ]
    ) { page in
      page.element("title", text: claim)
      page.element("desc", text: description)
      page.element("style", text: CardInk.styleSheet)
      page.empty(
        "rect",
        [
          "x": "0.5", "y": "0.5", "width": ChartScale.pixels(Card.width - 1),
          "height": ChartScale.pixels(bottom - 1), "rx": "10", "class": CardInk.paper.name,
          "fill": CardInk.paper.light, "stroke": "#888c94", "stroke-opacity": "0.35",
        ])
      shape(
        &page, CardInk.of(tone), x: 0, y: 18, width: 6, height: bottom - 36, radius: 3)
      page.add(Markup(body))
    }
    return page.markup + "\n"
  }

  /// For readers who don't see it.
  private var description: String {
    let rows = chart?.rows.map { "\($0.label): \($0.text)" } ?? []
    let numbers = rows.isEmpty ? [] : ["\(chart?.title ?? ""). " + rows.joined(separator: "; ")]
    return ([detail] + numbers + foot).filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func draw(_ page: inout MarkupWriter, _ bottom: inout Double) {
    var y = 40.0
    let placeWidth = CardText.width(place, size: Card.smallSize)
    line(
      &page, fitting(source, Card.textWidth - placeWidth - 24), at: y, Card.smallSize, .soft)
    line(
      &page, place, at: y, Card.smallSize, .soft, x: Card.width - Card.margin, anchor: "end")
    y += 14
    for text in lines(claim, Card.claimSize, isBold: true, limit: Card.maximumClaimLines) {
      y += 30
      line(&page, text, at: y, Card.claimSize, .ink, isBold: true)
    }
    y += 8
    for text in lines(detail, Card.detailSize, limit: Card.maximumDetailLines) {
      y += 22
      line(&page, text, at: y, Card.detailSize, .soft)
    }
    if let chart {
      y += 36
      line(&page, fitting(chart.title, Card.textWidth), at: y, Card.smallSize, .ink, isBold: true)
      y += 12
      switch chart.form {
      case .bars: y = bars(&page, chart, from: y)
      case .columns: y = columns(&page, chart, from: y)
      }
    }
    y += 22
    shape(&page, .edge, x: Card.margin, y: y, width: Card.textWidth, height: 1)
    y += 4
    for text in foot {
      y += 20
      line(&page, fitting(text, Card.textWidth), at: y, Card.smallSize, .soft)
    }
    bottom = (y + 22).rounded(.up)
  }

  // MARK: Charts

  private static let rowHeight = 28.0

  private func bars(_ page: inout MarkupWriter, _ chart: CardChart, from top: Double) -> Double {
    let size = 14.0
    let widest = chart.rows.map { CardText.width($0.label, size: size) }.max() ?? 0
    let labels = min(260, widest) + 16
    let texts = min(
      250, (chart.rows.map { CardText.width($0.text, size: size) }.max() ?? 0) + 16)
    let left = Card.margin + labels
    let room = Card.width - Card.margin - texts - left
    func place(_ value: Double) -> Double { left + room * min(1, max(0, value / chart.top)) }
    var y = top
    for row in chart.rows {
      let middle = y + Card.rowHeight / 2
      line(
        &page, CardText.fitting(row.label, width: labels - 16, size: size), at: middle + 5, size,
        .ink)
      shape(&page, .track, x: left, y: middle - 7, width: room, height: 14, radius: 3)
      if let value = row.value {
        shape(
          &page, row.isMarked ? .marked : .bar, x: left, y: middle - 7,
          width: max(1, place(value) - left), height: 14, radius: 3)
      }
      if let low = row.low, let high = row.high, place(high) - place(low) >= 1 {
        shape(
          &page, .ink, x: place(low), y: middle - 0.8, width: place(high) - place(low),
          height: 1.6)
      }
      line(
        &page, CardText.fitting(row.text, width: texts - 12, size: size), at: middle + 5, size,
        .ink, x: Card.width - Card.margin, anchor: "end")
      y += Card.rowHeight
    }
    guard chart.rows.contains(where: { $0.low != nil }) else { return y }
    line(
      &page, "Thin lines are 95 % intervals.", at: y + 16, 12, .soft, x: left)
    return y + 18
  }

  private func columns(_ page: inout MarkupWriter, _ chart: CardChart, from top: Double) -> Double {
    let height = 120.0
    let floor = top + 18 + height
    let step = Card.textWidth / Double(max(1, chart.rows.count))
    for (index, row) in chart.rows.enumerated() {
      guard let value = row.value else { continue }
      let isEnd = index == 0 || index == chart.rows.count - 1
      let tall = max(1, height * min(1, value / chart.top))
      let x = Card.margin + Double(index) * step
      shape(
        &page, isEnd ? .marked : .bar, x: x + step * 0.12, y: floor - tall, width: step * 0.76,
        height: tall)
    }
    shape(&page, .edge, x: Card.margin, y: floor, width: Card.textWidth, height: 1)
    let half = Card.textWidth / 2 - 12
    for (row, x, anchor) in [
      (chart.rows.first, Card.margin, "start"),
      (chart.rows.last, Card.width - Card.margin, "end"),
    ] {
      guard let row else { continue }
      line(
        &page, CardText.fitting("\(row.label): \(row.text)", width: half, size: Card.smallSize),
        at: floor + 20, Card.smallSize, .ink, x: x, anchor: anchor)
    }
    return floor + 24
  }

  // MARK: Parts

  private func lines(
    _ text: String, _ size: Double, isBold: Bool = false, limit: Int
  ) -> [String] {
    CardText.lines(text, width: Card.textWidth, size: size, isBold: isBold, limit: limit)
  }

  private func fitting(_ text: String, _ width: Double) -> String {
    CardText.fitting(text, width: width, size: Card.smallSize, isBold: true)
  }

  private func line(
    _ page: inout MarkupWriter, _ text: String, at y: Double, _ size: Double, _ ink: CardInk,
    isBold: Bool = false, x: Double = Card.margin, anchor: String = "start"
  ) {
    let forced =
      CardText.isUnsure(text)
      ? ChartScale.pixels(CardText.width(text, size: size, isBold: isBold)) : nil
    page.element(
      "text",
      [
        "x": ChartScale.pixels(x), "y": ChartScale.pixels(y), "font-size": ChartScale.pixels(size),
        "font-weight": isBold ? "700" : nil, "text-anchor": anchor == "start" ? nil : anchor,
        "textLength": forced, "lengthAdjust": forced == nil ? nil : "spacingAndGlyphs",
        "class": ink.name, "fill": ink.light,
      ], text: text)
  }

  private func shape(
    _ page: inout MarkupWriter, _ ink: CardInk, x: Double, y: Double, width: Double,
    height: Double, radius: Double = 0
  ) {
    page.empty(
      "rect",
      [
        "x": ChartScale.pixels(x), "y": ChartScale.pixels(y), "width": ChartScale.pixels(width),
        "height": ChartScale.pixels(height), "rx": radius > 0 ? ChartScale.pixels(radius) : nil,
        "class": ink.name, "fill": ink.light,
      ])
  }
}
