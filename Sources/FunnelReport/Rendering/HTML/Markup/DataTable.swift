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

    package static func words(_ title: String) -> Column { Column(title: title, isNumber: false) }
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
  var isHeat = false

  /// Rows become lists where the table's own place is narrower than it: no number is ever cut.
  var markup: Markup {
    Markup { page in
      page.element("div", ["class": "fits \(TableWidth(self).fold)"]) { page in
        page.element("table", ["class": isHeat ? "heat" : nil]) { page in
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
            ["class": own, "data-variant": column.variant, "data-plot": kind]
          ) { page in
            if column.isName { page.name(column.title, limit: 48) } else { page.text(column.title) }
            if let axis = column.plotAxis { page.add(axis) }
          }
        }
      }
    }
  }

  /// The class of a cell, its words and its one marked number are all that a row costs: labels and
  /// variants of the cells are those of the heads, and the script copies them.
  private func line(_ row: [Cell], variant: String?, _ page: inout MarkupWriter) {
    page.cell("tr", ["data-variant": variant]) { page in
      for (index, cell) in row.enumerated() {
        if index == 0 {
          // Without `scope`, as HTML takes a cell for the head of a row or column of heads alone.
          page.cell("th") { content(cell, &$0) }
          continue
        }
        let isNumber = index < columns.count && columns[index].isNumber
        let kind = cellClass(cell, isNumber: isNumber)
        if case .number(let shown?) = cell {
          page.cell("td", ["class": kind], mark: shown.mark) { $0.text(shown.text) }
        } else if case .pair(let first?, let between, let second?) = cell,
          let mark = DataMark.pair(first.mark, second.mark)
        {
          page.cell("td", ["class": kind], mark: mark) {
            $0.text(first.text + between + second.text)
          }
        } else {
          page.cell("td", ["class": kind]) { content(cell, &$0) }
        }
      }
    }
  }

  /// Numbers need none.
  private func cellClass(_ cell: Cell, isNumber: Bool) -> String? {
    switch cell {
    case .plot: "p"
    case .heat(let level, _, _): level
    case .text, .name: isNumber ? nil : "w"
    case .tag: "t"
    default: isNumber ? nil : "w"
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
    case .tag(let text, let tone):
      page.element("span", ["class": tone.isEmpty ? "tag" : "tag \(tone)"], text: text)
    case .heat(_, let shown, let below):
      page.number(shown)
      // The space is for those who hear or copy the cell.
      if let below {
        page.text(" ")
        page.element("small") { $0.number(below) }
      }
    }
  }
}
