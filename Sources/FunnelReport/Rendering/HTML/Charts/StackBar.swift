/// A bar whose parts add up to its whole.
struct StackBar {
  struct Part {
    var name: String
    var count: Int
    /// How it is filled: the style sheet's `seg-…`.
    var fill: String
  }

  var title: String
  var parts: [Part]
  /// What the full width stands for.
  var total: Int
  /// Higher than the others, where it is the only one of its kind beside words.
  var isTall = false

  var markup: Markup {
    Markup { page in
      page.element(
        "svg",
        ["class": isTall ? "bar tall" : "bar", "role": "img"]
      ) { page in
        page.element("title", text: title)
        var before = 0
        for part in parts where part.count > 0 && total > 0 {
          let start = Double(before) / Double(total)
          before += part.count
          let width = Double(part.count) / Double(total)
          let place: MarkupWriter.Attributes = [
            "class": "seg-\(part.fill)", "x": start > 0 ? ChartScale.percent(start) : nil,
            "width": ChartScale.percent(width),
          ]
          // What the whole bar is called says what its only part is.
          if parts.count == 1 {
            page.empty("rect", place)
          } else {
            page.element("rect", place) {
              $0.element("title", text: "\(part.name): \(DisplayText.count(part.count))")
            }
          }
        }
      }
    }
  }

  /// What the fills mean.
  static func legend(_ entries: [(fill: String, name: String)]) -> Markup {
    Markup { page in
      page.element("ul", ["class": "legend"]) { page in
        for entry in entries {
          page.element("li") { page in
            page.element("svg", ["width": "14", "height": "14", "aria-hidden": "true"]) { page in
              page.empty(
                "rect",
                ["class": "seg-\(entry.fill)", "width": "14", "height": "14", "rx": "3"])
            }
            page.element("span", text: entry.name)
          }
        }
      }
    }
  }
}
