/// A table with a caption, heads and aligned numbers: the form in which every chart can be read.
struct DataTable {
  enum Cell {
    case text(String)
    /// From an event: made fit for screens.
    case name(String)
    case number(Shown?)
    /// Two numbers with something between them: `53/63`, `73.2–91.1`.
    case pair(Shown?, String, Shown?)
    /// A chart of one row.
    case plot(Markup)
    case tag(String, tone: String)
    /// A cell of a heat map: its class, a number, and a smaller one below.
    case heat(String, Shown?, Shown?)
  }

  struct Column {
    var title: String
    var isNumber = true
    var isPlot = false
    var plotAxis: Markup? = nil
    /// The title came in events, such as a variant: it may be broken anywhere.
    var isName = false
    /// Of which of the compared slices it is (``HTMLReport/tag(_:)``).
    var variant: String? = nil

    static func words(_ title: String) -> Column { Column(title: title, isNumber: false) }
    static func number(_ title: String, variant: String? = nil) -> Column {
      Column(title: title, variant: variant)
    }
    static func slice(_ label: String, variant: String? = nil) -> Column {
      Column(title: label, isName: true, variant: variant)
    }
    static func plot(_ title: String, axis: Markup? = nil) -> Column {
      Column(title: title, isNumber: false, isPlot: true, plotAxis: axis)
    }
  }

  var caption: String
  var columns: [Column]
  /// The first cell of a row is its head.
  var rows: [[Cell]]
  /// For each row of which of the compared slices it is, where rows are slices.
  var rowVariants: [String?] = []
  var foot: [[Cell]] = []
  /// A narrow screen shows rows one below the other instead of a table that scrolls.
  var stacks = false
  var isHeat = false

  var markup: Markup {
    Markup { page in
      let scrolls = !stacks
      let attributes: MarkupWriter.Attributes =
        scrolls
        ? ["class": "scroll", "role": "group", "tabindex": "0", "aria-label": caption]
        : ["class": "fits"]
      page.element("div", attributes) { page in
        page.element("table", ["class": isHeat ? "heat" : stacks ? "stack" : nil]) { page in
          page.element("caption", text: caption)
          head(&page)
          page.element("tbody") { page in
            for (index, row) in rows.enumerated() {
              line(row, variant: index < rowVariants.count ? rowVariants[index] : nil, &page)
            }
          }
          if !foot.isEmpty {
            page.element("tfoot") { page in
              for row in foot { line(row, variant: nil, &page) }
            }
          }
        }
      }
    }
  }

  private func head(_ page: inout MarkupWriter) {
    page.element("thead") { page in
      page.element("tr") { page in
        for column in columns {
          let own = column.isName ? "n v" : column.isNumber ? "n" : nil
          let kind = column.isPlot ? "1" : nil
          page.element(
            "th",
            ["scope": "col", "class": own, "data-variant": column.variant, "data-plot": kind]
          ) { page in
            if column.isName { page.name(column.title, limit: 48) } else { page.text(column.title) }
            if let axis = column.plotAxis { page.add(axis) }
          }
        }
      }
    }
  }

  private func line(_ row: [Cell], variant: String?, _ page: inout MarkupWriter) {
    page.element("tr", ["data-variant": variant]) { page in
      for (index, cell) in row.enumerated() {
        if index == 0 {
          page.element("th", ["scope": "row"]) { content(cell, &$0) }
        } else {
          let column = index < columns.count ? columns[index] : nil
          page.element(
            "td",
            [
              "class": cellClass(cell, isNumber: column?.isNumber ?? false),
              "data-label": stacks ? label(cell, column) : nil,
              "data-variant": column?.variant,
            ]
          ) { content(cell, &$0) }
        }
      }
    }
  }

  private func label(_ cell: Cell, _ column: Column?) -> String? {
    switch cell {
    case .plot, .tag: nil
    default: column?.title
    }
  }

  private func cellClass(_ cell: Cell, isNumber: Bool) -> String? {
    switch cell {
    case .plot: "plot-cell"
    case .heat(let level, _, _): "cell \(level)"
    case .text, .name: isNumber ? "n" : "w"
    case .tag: "t"
    default: isNumber ? "n" : nil
    }
  }

  private func content(_ cell: Cell, _ page: inout MarkupWriter) {
    switch cell {
    case .text(let text): page.text(text)
    case .name(let name): page.name(name)
    case .number(let shown): page.number(shown)
    case .pair(let first, let between, let second):
      if first == nil && second == nil { return page.text("–") }
      page.number(first)
      page.text(between)
      page.number(second)
    case .plot(let chart): page.add(chart)
    case .tag(let text, let tone): page.element("span", ["class": "tag \(tone)"], text: text)
    case .heat(_, let shown, let below):
      page.number(shown)
      if let below { page.element("small") { $0.number(below) } }
    }
  }
}
