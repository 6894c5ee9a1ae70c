internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// The funnel as loss: of those who reach each step, who leaves there, in a column for everyone,
/// each variant and each version. A bar is solid where people abandon and hatched where they skip,
/// from a common zero; the thin line below it is the 95 % interval.
struct LossFunnel {
  let report: HTMLReport
  /// At most six: those whom the first screen is about, variants, versions.
  let series: [Slice]
  private let scale: Double
  /// Of the longest count: its column is as wide in all rows, so that bars have one scale.
  private let digits: Int
  private let worst: Mark?

  private var analysis: Analysis { report.analysis }
  private var flow: Flow { report.analysis.flow }

  /// The step that is marked, and whether it is shown to lose more than any other.
  private struct Mark {
    var step: String
    var isShown: Bool
    /// How many of how many left there: a mark by count beside bars of rates says so.
    var left: Datum
    /// The version that it was found in, where there are several.
    var version: String?

    func write(_ page: inout MarkupWriter) {
      guard let version else {
        return page.text(isShown ? "▼ Highest rate" : "▼ Most people lost")
      }
      page.text("\(isShown ? "▼ Highest rate" : "▼ Most") in flow version \(version): ")
      page.pair(left.count, "/", left.total)
    }
  }

  init(report: HTMLReport) {
    self.report = report
    let analysis = report.analysis
    let first = [report.leading] + (analysis.comparedSlices.filter { $0 != .all })
    let others = analysis.funnelSlices.filter { !first.contains($0) }
    let room = max(0, HTMLReport.maximumSlices - first.count)
    let everyone = others.filter { $0 == .all }.prefix(room)
    // Of many versions the newest ones.
    series = Array(
      (first + everyone + others.filter { $0 != .all }.suffix(room - everyone.count))
        .prefix(HTMLReport.maximumSlices))
    let rates = series.flatMap { slice in
      analysis.flow.steps.compactMap { analysis.datum(.stepDropOff, step: $0.id, in: slice)?.row }
    }.filter { ($0.denominator ?? 0) > 0 }
    digits = (rates.map(\.countsText.count).max() ?? 2) - 2
    let longest = rates.compactMap(\.value).max() ?? 0
    let intervals = rates.compactMap(\.high).max() ?? 0
    scale = LossFunnel.top(max(longest * 1.2, min(intervals, longest * 2)))
    let leaving = LeavingPlaces.all(analysis).first
    let version = leaving.flatMap {
      // Its counts stand in the row where its column comes first.
      $0.slice == report.leading ? nil : SafeText.name($0.slice.version, limit: 24)
    }
    if let leaving, leaving.leaders.count == 1, let first = leaving.leaders.first {
      worst = Mark(step: first.step, isShown: true, left: first.datum, version: version)
    } else {
      worst = leaving?.largestLoss.map {
        Mark(step: $0.step, isShown: false, left: $0.datum, version: version)
      }
    }
  }

  /// Where the axis ends, a number that is read easily. It has room for all intervals up to twice
  /// the longest bar; those of a few people would leave no room for bars, and fade out at its end.
  private static func top(_ largest: Double) -> Double {
    [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8].first { $0 >= largest } ?? 1
  }

  // MARK: Who is shown

  private func name(_ slice: Slice) -> String {
    slice == .all ? "Everyone" : analysis.label(slice)
  }

  /// Versions beside variants are the same people once more: they wait to be chosen.
  private func isOpen(_ index: Int) -> Bool {
    index < min(analysis.everybodyAndCompared.count, HTMLReport.openFunnels)
  }

  /// A check box for each column, of which the style sheet hides what isn't checked.
  var chips: Markup {
    guard series.count > 1 else { return Markup(escaping: "") }
    return Markup { page in
      page.element("div", ["class": "chips", "role": "group", "aria-label": "Shown"]) { page in
        for (index, slice) in series.enumerated() {
          let kind = slice == .all ? "everyone" : slice.version == "all" ? "variant" : "version"
          page.element("label", ["class": "chip k\(index)"]) { page in
            page.empty(
              "input",
              [
                "type": "checkbox", "id": "show\(index)", "name": kind,
                "value": slice.version == "all" ? slice.variant : slice.version,
                "data-of": report.tag(slice), "checked": isOpen(index) ? "" : nil,
              ])
            page.name(name(slice), limit: 48)
          }
        }
      }
    }
  }

  // MARK: The chart

  var markup: Markup {
    Markup { page in
      let kind = "loss n\(series.count)\(digits > 10 ? " long" : "")"
      page.element("div", ["class": kind, "style": "--n:\(digits)"]) { page in
        heads(&page)
        page.element("ol") { page in
          for (place, step) in steps.enumerated() { row(place, step, &page) }
          end(&page)
        }
      }
    }
  }

  /// Steps that anyone shown has, in the flow's order.
  private var steps: [(step: Int, balances: [StepBalance?])] {
    let all = series.map { StepBalance.all($0, analysis) }
    return StepOrder.all(flow).map { step in (step, all.map { $0.first { $0.step == step } }) }
      .filter { entry in
        entry.balances.contains { !($0?.isAbsent ?? true) }
          || flow.defaultList.contains(entry.step)
      }
  }

  // MARK: Steps of some columns only

  /// The columns that have a step.
  private func having(_ balances: [StepBalance?]) -> [Int] {
    balances.indices.filter { !(balances[$0]?.isAbsent ?? true) }
  }

  /// By these classes the style sheet leaves out a step while no column that has it is shown, such
  /// as those of an earlier version of the flow; `nil` of a step that every column has.
  private static func part(_ having: [Int], of columns: Int) -> String? {
    guard !having.isEmpty, having.count < columns else { return nil }
    return "part" + having.map { " p\($0)" }.joined()
  }

  /// Which steps are left out as the page opens, and by which column they come; a sentence for each
  /// set of columns that have them.
  private func leftOut(_ page: inout MarkupWriter) {
    let places = Dictionary(grouping: steps) { having($0.balances) }
    for (having, steps) in places.sorted(by: { $0.value[0].step < $1.value[0].step }) {
      guard let column = having.last, !having.contains(where: isOpen),
        let part = LossFunnel.part(having, of: series.count)
      else { continue }
      page.text(" ")
      page.element("span", ["class": part]) { page in
        page.text("Not in the columns shown: ")
        for (place, step) in steps.enumerated() {
          if place > 0 { page.text(place == steps.count - 1 ? " and " : ", ") }
          page.name(flow.steps[step.step].title, limit: 40)
        }
        page.text(". Choose ")
        page.name(name(series[column]), limit: 48)
        page.text(steps.count == 1 ? " to see it." : " to see them.")
      }
    }
  }

  private func heads(_ page: inout MarkupWriter) {
    page.element("div", ["class": "heads"]) { page in
      page.element("span", ["class": "step"], text: "Step")
      // On narrow screens one line of heads stands for all columns.
      page.element("div", ["class": "c one"]) { columnHeads(&$0) }
      for (index, slice) in series.enumerated() {
        page.element("div", ["class": "c k\(index)"]) { page in
          page.element("b") { page in
            page.name(name(slice), limit: 48)
            page.text(", ")
            page.number(analysis.datum(.persons, in: slice)?.count)
          }
          columnHeads(&page)
        }
      }
    }
  }

  private func columnHeads(_ page: inout MarkupWriter) {
    page.element("small", text: "drop-off")
    page.element("small", ["class": "axis"]) { page in
      page.element("span", text: "0")
      page.element("span", text: DisplayText.sentence(RateText.bound(scale)))
    }
    page.element("small", ["class": "q"], text: "lost")
    page.element("small", text: "reach")
  }

  private func row(
    _ place: Int, _ entry: (step: Int, balances: [StepBalance?]), _ page: inout MarkupWriter
  ) {
    let step = flow.steps[entry.step]
    let mark = worst.flatMap { $0.step == step.id ? $0 : nil }
    let id = ChartID.step(step.id).text
    let having = having(entry.balances)
    let classes = [mark == nil ? nil : "worst", LossFunnel.part(having, of: series.count)]
      .compactMap(\.self)
    page.element(
      "li", ["id": id, "class": classes.isEmpty ? nil : classes.joined(separator: " ")]
    ) { page in
      page.element(
        "a", ["class": "step", "href": "#\(id)", "aria-describedby": "tip\(place)"]
      ) { page in
        page.name(step.title)
        if let mark {
          page.element("small") { page in
            mark.write(&page)
            guard let done = LostAnyway(step, analysis) else { return }
            // Most of these are people whom the step didn't stop.
            page.text(report.leading == .all ? ", but " : ", but of everyone, ")
            page.sentence(done.short)
          }
        } else if let kind = kind(step) {
          page.element("small") { $0.name(kind, limit: 60) }
        }
      }
      for (index, slice) in series.enumerated() {
        let label = SafeText.name(name(slice))
        page.element("div", ["class": "c k\(index)", "role": "group", "aria-label": label]) {
          page in
          cell(slice, entry.balances[index], step, &page)
        }
      }
      page.element("div", ["class": "tip", "id": "tip\(place)"]) { page in
        for (index, slice) in series.enumerated() {
          guard let balance = entry.balances[index], !balance.isAbsent else { continue }
          page.element("p", ["class": "k\(index)"]) { exact(slice, balance, step.id, &$0) }
        }
      }
      DropOffPanel(report, step)?.write(&page)
    }
  }

  private func kind(_ step: Step) -> String? {
    if let parent = step.branchOf {
      return "branch of \(flow.steps[parent].title), not for everyone"
    }
    if step.isOptional { return "optional" }
    // Everyone's column is of all versions, each with steps of its own.
    return StepVersion(step, analysis).map { "only in flow version \($0.name)" }
  }

  private func cell(
    _ slice: Slice, _ balance: StepBalance?, _ step: Step, _ page: inout MarkupWriter
  ) {
    guard let balance, !balance.isAbsent else {
      let persons = analysis.slices.count(slice, analysis.slices.layout[.persons])
      let words =
        persons == 0
        ? "nobody counts here yet"
        : slice.version != "all"
          ? "not in this flow version" : slice == .all ? "not shown" : "not in this variant"
      return page.element("em", text: words)
    }
    let left = analysis.datum(.stepDropOff, step: step.id, in: slice)
    guard let left, balance.viewed > 0, let low = left.row.low, let high = left.row.high else {
      return page.element("em", text: "nobody has reached it")
    }
    func share(_ rate: Double) -> String {
      ChartScale.pixels(min(1, rate / scale) * 100)
    }
    func count(_ number: Int) -> String { share(Double(number) / Double(balance.viewed)) }
    let abandoned = balance.abandonedOtherwise + balance.abandonedAfterDenial
    let classes = [balance.leftSkipping > 0 ? "s" : nil, high > scale ? "o" : nil]
      .compactMap(\.self)
    page.number(left.rate, in: "b")
    page.element(
      "i",
      [
        "class": classes.isEmpty ? nil : classes.joined(separator: " "),
        "style": "--a:\(count(abandoned));"
          + (balance.leftSkipping > 0 ? "--s:\(count(balance.leftSkipping));" : "")
          + "--l:\(share(low));--h:\(share(high))",
      ]
    ) { _ in }
    page.element("small") { $0.pair(left.count, "/", left.total) }
    page.text(" ")
    page.number(analysis.datum(.stepReach, step: step.id, in: slice)?.rate, in: "span")
  }

  /// `long (control): 12 of 180 left, 6.7 % (3.9–11.3 %); 1 abandoned, 11 skipped`
  private func exact(
    _ slice: Slice, _ balance: StepBalance, _ step: String, _ page: inout MarkupWriter
  ) {
    func datum(_ metric: MetricName) -> Datum? { analysis.datum(metric, step: step, in: slice) }
    page.name(name(slice), limit: 48)
    page.text(": ")
    let left = datum(.stepDropOff)
    page.number(left?.count)
    page.text(" of ")
    page.number(left?.total)
    page.text(" left, ")
    page.number(left?.rate)
    page.text(" (")
    page.pair(left?.low, "–", left?.high)
    page.text("\u{A0}%)")
    let parts: [(MetricName, Int, String)] = [
      (.stepLeftSkipping, balance.leftSkipping, "by skipping"),
      // Where nobody left by skipping, all who left abandoned.
      (
        .stepAbandoned,
        balance.leftSkipping == 0 ? 0 : balance.abandonedOtherwise + balance.abandonedAfterDenial,
        "abandoned"
      ),
      (.stepAbandonedAfterDenial, balance.abandonedAfterDenial, "of them right after denying"),
      (
        .stepBypassed, balance.bypassed,
        flow.steps[balance.step].branchOf == nil ? "passed it over" : "did not take it"
      ),
    ]
    for (metric, count, words) in parts where count > 0 {
      page.text(", ")
      page.number(datum(metric)?.count)
      page.text(" \(words)")
    }
  }

  /// What is left of everyone at the end.
  private func end(_ page: inout MarkupWriter) {
    page.element("li", ["class": "end"]) { page in
      page.element("span", ["class": "step"], text: "✓ Finished")
      for (index, slice) in series.enumerated() {
        let rate = analysis.datum(.completionRate, in: slice)
        page.element("div", ["class": "c k\(index)"]) { page in
          page.element("em") { page in
            page.number(rate?.count)
            page.text(" of ")
            page.number(rate?.total)
          }
          page.number(rate?.rate, in: "span")
        }
      }
    }
  }

  // MARK: What the marks mean

  /// Why reach falls and rises again.
  private var passedOver: String {
    let passes = analysis.flow.steps.contains { step in
      step.branchOf == nil && (analysis.row(.stepBypassed, step: step.id)?.numerator ?? 0) > 0
    }
    return passes
      ? " People who pass a step without seeing it aren’t lost, so reach can rise again." : ""
  }

  var key: Markup {
    Markup { page in
      page.element("span", ["class": "swatch"], text: "abandoned")
      if flow.skip == .ends && (analysis.row(.skipRate)?.numerator ?? 0) > 0 {
        page.element("span", ["class": "swatch s"], text: "left by skipping")
      }
      page.element("span", ["class": "swatch l"], text: "95 % interval")
      page.element(
        "span",
        text: "Drop-off: share of the people who reach a step and go no further (lost/reached). "
          + "Reach: share of those who should see it.\(passedOver)")
      if let worst {
        page.text(" ")
        page.element(
          "span",
          text: worst.isShown
            ? "▼ marks the step that loses the largest share, beyond chance."
            : "▼ marks the largest count"
              + (worst.version.map { " in flow version \($0)" } ?? "")
              + ": by rate no single step stands out.")
      }
      leftOut(&page)
      for case let words? in [ReportWords.exposed(series, flow), ReportWords.noSkip(analysis)] {
        page.text(" ")
        page.element("span", text: words)
      }
      if series.contains(where: { $0.version != "all" }) {
        page.text(" ")
        page.element("span", text: "Flow version: \(ReportWords.flowVersion)")
      }
      guard let entry = analysis.datum(.stepDropOff, step: "(entry)", in: report.leading),
        (entry.row.numerator ?? 0) > 0
      else { return }
      page.text(" ")
      page.element("span") { page in
        page.number(entry.count)
        page.text(entry.row.numerator == 1 ? " person" : " people")
        page.text(" left before the first step.")
      }
    }
  }
}
