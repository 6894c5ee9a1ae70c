internal import ReportText

/// The reports of one flow, a row for each day.
enum IndexDays {
  static func write(_ days: [IndexEntry], label: String, _ page: inout MarkupWriter) {
    let rates = days.first?.rates ?? []
    let region: MarkupWriter.Attributes = [
      "class": "scroll", "tabindex": "0", "role": "region", "aria-label": label,
    ]
    page.element("div", region) { page in
      page.element("table", ["class": "days"]) { page in
        page.element("thead") { page in
          page.element("tr") { page in
            page.element("th", ["scope": "col"], text: "Data up to")
            page.element("th", ["scope": "col", "class": "n"], text: "People")
            for rate in rates {
              page.element("th", ["scope": "col", "class": "n"]) { $0.name(rate.name, limit: 40) }
            }
            page.element("th", ["scope": "col"], text: "Grade")
            page.element("th", ["scope": "col", "class": "opt"], text: "What stands out")
          }
        }
        page.element("tbody") { page in
          for day in days { row(day, rates, &page) }
        }
      }
    }
  }

  private static func row(
    _ day: IndexEntry, _ rates: [IndexEntry.Rate], _ page: inout MarkupWriter
  ) {
    page.element("tr") { page in
      page.element("th", ["scope": "row"]) { page in
        page.element("a", ["href": IndexPage.address(day)]) { $0.name(label(day), limit: 40) }
      }
      page.element("td", ["class": "n"], text: DisplayText.count(day.people))
      for rate in rates {
        let own = day.rates.first { $0.metric == rate.metric }
        page.element("td", ["class": "n"]) { page in
          page.text(own?.value.map(DisplayText.percent) ?? "–")
          if let low = own?.low, let high = own?.high {
            page.element(
              "span", ["class": "sub"], text: DisplayText.sentence(RateText.interval(low, high)))
          }
        }
      }
      page.element("td", text: SafeText.name(day.grade, limit: 4))
      page.element(
        "td", ["class": "opt"],
        text: DisplayText.sentence(SafeText.name(day.headline, limit: 300)))
    }
  }

  private static func label(_ entry: IndexEntry) -> String {
    guard let day = entry.day else { return entry.folder }
    return InstantReader.day(day).map(DateText.day) ?? day
  }
}
