internal import ReportText
internal import ReportFindings

/// `index.html`: the last report of each flow in a row, and below them a flow's days.
struct IndexPage {
  let index: ReportIndex
  /// So many days stand open; the others are a click away.
  private static let openDays = 14
  /// The scale of the second rate ends here where all of them fit below it.
  private static let halfScale = 0.5

  init(_ index: ReportIndex) { self.index = index }

  func text() -> String {
    let page = TemplateContext { page in
      page.markup("style", Markup(trusted: PageTemplates.pagesStyleSheet))
      page.text("headline", DisplayText.sentence(ReportWords.indexHeadline(index)))
      page.text("summary", DisplayText.sentence(ReportWords.indexSummary(index)))
      page.markup("table", table())
      page.text(
        "order",
        "Flows with unreliable data come first, then those that miss targets, then those with an "
          + "experiment that can be decided. Sparklines show one point per period in which people "
          + "started, with the 95 % interval as a band; single periods swing by chance.")
      page.list("histories", histories())
      page.text("program", index.programVersion)
    }
    let markup = PageTemplates.fill(.index, page).text
    return markup.hasSuffix("\n") ? markup : markup + "\n"
  }

  private var hasEarlier: Bool {
    index.latest.contains { index.entries(of: $0.flow).count > 1 }
  }

  private var hasTargets: Bool { index.latest.contains { $0.targets != nil } }

  private func table() -> Markup {
    let heads =
      ["Flow", "Completion (0–100 %)", "Retention (0–\(Int(retentionTop * 100)) %)"]
      + ["What stands out"] + (hasTargets ? ["Targets"] : []) + ["Data grade"]
      + (hasEarlier ? ["Since the day before"] : [])
    return Markup { page in
      page.element("table", ["class": "ov"]) { page in
        page.element("thead") { page in
          page.element("tr") { page in
            for head in heads {
              page.element("th", ["scope": "col"], text: DisplayText.sentence(head))
            }
          }
        }
        page.element("tbody") { page in
          for entry in index.latest { row(entry, &page) }
        }
      }
    }
  }

  private func row(_ entry: IndexEntry, _ page: inout MarkupWriter) {
    page.element("tr", ["class": entry.urgency < 2 ? "bad" : nil]) { page in
      page.element("th", ["scope": "row"]) { page in
        page.element("a", ["href": IndexPage.address(entry)]) { $0.name(entry.title, limit: 60) }
        let people = DisplayText.sentence(ReportWords.people(entry.people))
        page.element("span", ["class": "sub"], text: people)
        if let started = entry.started {
          page.element("span", ["class": "sub"], text: DisplayText.sentence(started))
        }
      }
      rate(entry, 0, "Completion", top: 1, &page)
      rate(entry, 1, "Retention", top: retentionTop, &page)
      standsOut(entry, &page)
      if hasTargets { targets(entry, &page) }
      page.element("td", ["data-l": "Data grade"]) { page in
        page.element("span", ["class": "big"], text: SafeText.name(entry.grade, limit: 4))
        page.element(
          "span", ["class": "sub"],
          text: DisplayText.sentence(
            SafeText.name(entry.gradeReason ?? entry.gradeMeaning, limit: 120)))
      }
      if hasEarlier { change(entry, &page) }
    }
  }

  private var retentionTop: Double {
    let rates = index.latest.compactMap { $0.rates.dropFirst().first }
    let values: [Double] = rates.flatMap { rate in rate.points.map(\.value) + [rate.value ?? 0] }
    return values.contains { $0 > IndexPage.halfScale } ? 1 : IndexPage.halfScale
  }

  private func rate(
    _ entry: IndexEntry, _ place: Int, _ label: String, top: Double, _ page: inout MarkupWriter
  ) {
    page.element("td", ["data-l": label]) { page in
      guard entry.rates.indices.contains(place), let value = entry.rates[place].value else {
        page.element("span", ["class": "big"], text: "–")
        return page.element("span", ["class": "sub"], text: "not in the data")
      }
      let rate = entry.rates[place]
      page.element("span", ["class": "big"], text: DisplayText.percent(value))
      let isByWeek = rate.points.first?.cohort.contains("W") == true
      let words = "\(rate.points.count) \(isByWeek ? "weeks" : "periods")"
      if let low = rate.points.map(\.value).min(), let high = rate.points.map(\.value).max(),
        let markup = Sparkline(
          points: rate.points, top: top, target: rate.target,
          description: "\(rate.name), \(words): \(RateText.interval(low, high))"
        ).markup
      {
        page.add(markup)
      }
      var about = place == 0 ? [] : [SafeText.name(rate.name, limit: 40)]
      if rate.points.count > 1 { about.append(words) }
      if let target = rate.target { about.append("target \(RateText.bound(target))") }
      if !about.isEmpty {
        page.element(
          "span", ["class": "sub"], text: DisplayText.sentence(about.joined(separator: ", ")))
      }
    }
  }

  private func standsOut(_ entry: IndexEntry, _ page: inout MarkupWriter) {
    func text(_ words: String) -> String {
      DisplayText.sentence(SafeText.name(words, limit: 400))
    }
    page.element("td", ["class": "say"]) { page in
      let lead = entry.isReady ? entry.decision ?? entry.headline : entry.headline
      page.element("b", text: text(lead))
      let rest = entry.isReady ? entry.headline : entry.decision ?? entry.detail ?? ""
      if !rest.isEmpty { page.element("span", ["class": "sub"], text: text(rest)) }
    }
  }

  private func targets(_ entry: IndexEntry, _ page: inout MarkupWriter) {
    page.element("td", ["data-l": "Targets"]) { page in
      guard let targets = entry.targets else {
        return page.element("span", ["class": "sub"], text: "none in the flow file")
      }
      let states = [
        (targets.missed, "✕", "Missed"), (targets.undecided, "○", "Undecided"),
        (targets.unknown, "○", "No data"),
      ]
      let (_, mark, word) = states.first { $0.0 > 0 } ?? (0, "✓", "Met")
      page.element("span", ["class": "state"]) { page in
        page.element("i", ["aria-hidden": "true"], text: mark)
        page.text(word)
      }
      page.element(
        "span", ["class": "sub"], text: DisplayText.sentence(ReportWords.verdicts(targets)))
    }
  }

  private func change(_ entry: IndexEntry, _ page: inout MarkupWriter) {
    page.element("td", ["data-l": "Since the day before"]) { page in
      let own = index.entries(of: entry.flow)
      guard own.count > 1 else {
        return page.element("span", ["class": "sub"], text: "the first report")
      }
      let before = own[own.count - 2]
      page.element(
        "span", ["class": "state"],
        text: DisplayText.sentence(ReportWords.morePeople(entry.people - before.people)))
      for rate in entry.rates {
        if let text = ReportWords.change(rate, since: before) {
          page.element("span", ["class": "sub"], text: DisplayText.sentence(text))
        }
      }
    }
  }

  private func histories() -> [TemplateContext] {
    index.latest.compactMap { latest in
      let days = Array(index.entries(of: latest.flow).filter { $0.day != nil }.reversed())
      guard days.count > 1 else { return nil }
      let name = SafeText.name(latest.title, limit: 60)
      return TemplateContext { page in
        page.markup("name", Markup { $0.name(latest.title, limit: 60) })
        page.markup(
          "table",
          Markup { page in
            IndexDays.write(
              Array(days.prefix(IndexPage.openDays)), label: "Days of \(name)", &page)
            let rest = Array(days.dropFirst(IndexPage.openDays))
            if !rest.isEmpty {
              page.element("details") { page in
                page.element("summary", text: "\(CountText.of(rest.count, "earlier day"))")
                IndexDays.write(rest, label: "Earlier days of \(name)", &page)
              }
            }
          })
      }
    }
  }

  /// The page of a report, seen from the index.
  static func address(_ entry: IndexEntry) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let hex = Array("0123456789ABCDEF")
    let path = "\(entry.folder)/report.html".utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
    }
    // A first part with a colon would read as a scheme.
    return "./" + path.joined()
  }
}
