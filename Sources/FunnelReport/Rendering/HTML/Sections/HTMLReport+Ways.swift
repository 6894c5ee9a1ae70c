internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  /// At most so many ways are drawn, the largest; the rest is in `transitions.csv`.
  private static let maximumArcs = 26
  private static let maximumWays = 18
  /// Differences of fewer people could be anything.
  private static let fewestPeople = 20

  /// How people go through the flow, and where two variants differ in it.
  func waysSection() -> Markup? {
    let unmeasured = analysis.unmeasured
    let ways = analysis.transitions(in: .all)
    guard !flow.steps.isEmpty, !unmeasured.hasNoViews, ways.count > 2 else { return nil }
    let compared = self.compared.first { analysis.isTreatment($0) && !differences($0).isEmpty }
    return PageTemplates.fill(
      .ways,
      TemplateContext { page in
        page.list("figures", [everyone(ways)] + [compared.map(difference)].compactMap { $0 })
        page.markup("table", table(ways, compared).markup)
      })
  }

  // MARK: Rows

  /// Steps that anybody has, between the start and the end.
  private var mapped: [Int] {
    let listed = analysis.slices.layout
    return StepOrder.all(flow).filter {
      analysis.slices.count(.all, listed[.listed, $0]) > 0
    }
  }

  private func place(of step: Int, _ steps: [Int]) -> Int? {
    step < 0 ? 0 : steps.firstIndex(of: step).map { $0 + 1 }
  }

  /// The row that a way leads to; `nil` where it leads out.
  private func place(of destination: Transition.Destination, _ steps: [Int]) -> Int? {
    switch destination {
    case .step(let step): place(of: step, steps)
    case .end(.finished): steps.count + 1
    case .end: nil
    }
  }

  /// By the people's own lists; after a return, and from a step to itself, by the rows.
  private func isBack(_ way: Transition, _ from: Int, _ to: Int) -> Bool {
    let kind = analysis.kind(of: way, in: .all)
    return kind == .forward || kind == .back ? kind == .back : to <= from
  }

  private func title(_ step: Int) -> String {
    step < 0 ? "Start" : SafeText.name(flow.steps[step].title, limit: 60)
  }

  private func title(_ destination: Transition.Destination) -> String {
    switch destination {
    case .step(let step): title(step)
    case .end(.finished): "Finished"
    case .end(.skipped): "Skipped the rest"
    case .end(.abandoned): "Abandoned"
    }
  }

  // MARK: Everyone

  private func everyone(_ ways: [(transition: Transition, datum: Datum)]) -> TemplateContext {
    let steps = mapped
    let persons = Double(max(1, analysis.row(.persons)?.numerator ?? 0))
    let arcs = ways.compactMap { way, datum -> (arc: FlowMap.Arc, people: Int)? in
      let people = datum.row.numerator ?? 0
      guard let from = place(of: way.from, steps), let to = place(of: way.to, steps),
        Double(people) >= persons / 100
      else { return nil }
      let counts =
        "\(DisplayText.count(people)) of "
        + "\(DisplayText.count(datum.row.denominator ?? 0)) people"
      let arc = FlowMap.Arc(
        from: from, to: to, isBack: isBack(way, from, to), isReturn: way.isReturn,
        weight: Double(people) / persons, style: "",
        title: "\(title(way.from)) → \(title(way.to)): \(counts)")
      return (arc, people)
    }
    let largest = arcs.sorted { $0.people > $1.people }.prefix(HTMLReport.maximumArcs)
    let map = FlowMap(
      title: "Paths of everyone", rows: rows(steps), arcs: largest.map(\.arc))
    return TemplateContext { page in
      page.text("id", ChartID("ways", "everyone").text)
      page.text("name", "Everyone")
      page.text("about", "The wider, the more people; paths of fewer than 1 % are left out.")
      page.markup("chart", map.markup)
    }
  }

  private func rows(_ steps: [Int]) -> [FlowMap.Row] {
    let persons = analysis.datum(.persons)?.count
    var rows = [FlowMap.Row(name: "Start", share: 1, number: persons, note: ends(at: -1))]
    for step in steps {
      let reach = analysis.datum(.stepReach, step: flow.steps[step].id)
      rows.append(
        FlowMap.Row(
          name: flow.steps[step].title, share: reach?.row.value ?? 0, number: reach?.count,
          note: ends(at: step)))
    }
    let finished = analysis.datum(.completionRate)
    rows.append(
      FlowMap.Row(name: "Finished", share: finished?.row.value ?? 0, number: finished?.count))
    return rows
  }

  /// `24 abandoned, 3 skipped`: whose attempt ended where.
  private func ends(at step: Int) -> Markup? {
    var ends: [(String, Datum)] = []
    for (end, words) in [
      (TransitionLayout.End.abandoned, "abandoned"), (TransitionLayout.End.skipped, "skipped"),
    ] {
      let way = Transition(from: step, to: .end(end))
      if let datum = analysis.datum(way.metric, step: way.name(flow)) {
        ends.append((words, datum))
      }
    }
    guard !ends.isEmpty else { return nil }
    return Markup { page in
      for (index, end) in ends.enumerated() {
        if index > 0 { page.text(", ") }
        page.number(end.1.count)
        page.text(" \(end.0)")
      }
    }
  }

  // MARK: Variants

  private typealias Difference = (way: Transition, datum: Datum)

  /// Those of ways that enough people of both variants could take.
  private func differences(_ slice: Slice) -> [Difference] {
    guard let control = analysis.control(of: slice) else { return [] }
    let layout = analysis.slices.layout
    return Transition.all(analysis.tally.transitionLayout).compactMap { way, _ in
      let people = [slice, control].map {
        analysis.slices.count($0, way.from < 0 ? layout[.persons] : layout[.viewed, way.from])
      }
      guard people.allSatisfy({ $0 >= HTMLReport.fewestPeople }) else { return nil }
      return analysis.difference(of: way, in: slice).map { (way, $0) }
    }
  }

  private func difference(_ slice: Slice) -> TemplateContext {
    let steps = mapped
    let all = differences(slice)
    let largest = max(0.05, all.compactMap { $0.datum.row.value?.magnitude }.max() ?? 0)
    let styles = [slice, analysis.control(of: slice)].map { one in
      one.flatMap { compared.firstIndex(of: $0) }.map { SeriesMark.style(style($0)) } ?? ""
    }
    let arcs = all.compactMap { way, datum -> FlowMap.Arc? in
      guard let from = place(of: way.from, steps), let to = place(of: way.to, steps),
        let value = datum.row.value, value.magnitude >= 0.01
      else { return nil }
      let isOpen = (datum.row.low ?? 0) <= 0 && (datum.row.high ?? 0) >= 0
      return FlowMap.Arc(
        from: from, to: to, isBack: isBack(way, from, to), isReturn: way.isReturn,
        weight: value.magnitude / largest,
        style: isOpen ? "open" : styles[value > 0 ? 0 : 1],
        title: "\(title(way.from)) → \(title(way.to)): \(datum.saidPoints.text)")
    }
    let drawn = arcs.sorted { $0.weight > $1.weight }.prefix(HTMLReport.maximumArcs)
    var rows = [FlowMap.Row(name: "Start", share: 0, note: difference(at: -1, slice))]
    for step in steps {
      rows.append(
        FlowMap.Row(name: flow.steps[step].title, share: 0, note: difference(at: step, slice)))
    }
    rows.append(FlowMap.Row(name: "Finished", share: 0))
    let map = FlowMap(
      title: "Paths of \(analysis.label(slice)) against the control", rows: rows,
      arcs: Array(drawn))
    return TemplateContext { page in
      page.text("id", ChartID("ways", slice.experiment, slice.variant).text)
      page.markup("name", Markup { $0.name("\(analysis.label(slice)) against the control") })
      page.markup("about", about(slice, styles))
      page.markup("chart", map.markup)
    }
  }

  private func about(_ slice: Slice, _ styles: [String]) -> Markup {
    let variants = [analysis.label(slice), analysis.control(of: slice).map(analysis.label) ?? ""]
    return Markup { page in
      for (index, name) in variants.enumerated() {
        page.element("span", ["class": "way \(styles[index])"]) { page in
          page.text("more in ")
          page.name(name, limit: 40)
        }
        page.text(" ")
      }
      page.element("span", ["class": "way"], text: "interval includes zero")
      page.text(
        " Of those who view each step. A colour means that the interval of that path alone "
          + "excludes zero, as one in twenty does by chance: nothing is tested here.")
    }
  }

  private func difference(at step: Int, _ slice: Slice) -> Markup? {
    let way = Transition(from: step, to: .end(.abandoned))
    guard differences(slice).contains(where: { $0.way == way }),
      let datum = analysis.difference(of: way, in: slice)
    else { return nil }
    return Markup { page in
      page.text("abandoned ")
      page.number(datum.points)
    }
  }

  // MARK: As a table

  private func table(
    _ ways: [(transition: Transition, datum: Datum)], _ compared: Slice?
  ) -> DataTable {
    let fewest =
      ways.map { $0.datum.row.numerator ?? 0 }.sorted(by: >).prefix(HTMLReport.maximumWays).last
    let shown = ways.filter { ($0.datum.row.numerator ?? 0) >= fewest ?? 0 }
      .prefix(HTMLReport.maximumWays + 4)
    let more = ways.count - shown.count
    var columns: [DataTable.Column] = [.words("From"), .words("To"), .words("Way")]
    columns += [.number("people"), .number("share")]
    if compared != nil { columns += [.number("difference"), .number("95 %")] }
    return DataTable(
      caption: "Paths between steps, of those who viewed the step that each begins at"
        + (more > 0 ? "; \(more) more, of fewer people, are in transitions.csv" : ""),
      columns: columns,
      rows: shown.map { way, datum in
        var cells: [DataTable.Cell] = [.name(title(way.from)), .name(title(way.to))]
        cells.append(.text(analysis.kind(of: way, in: .all).rawValue))
        cells += [.pair(datum.count, "/", datum.total), .number(datum.rate)]
        if let compared {
          let difference = analysis.difference(of: way, in: compared)
          cells += [
            .number(difference?.points),
            .pair(difference?.signedLow, " to ", difference?.signedHigh),
          ]
        }
        return cells
      })
  }
}

extension Analysis {
  /// What a variant is compared with; `nil` for what is no variant of an experiment.
  func control(of slice: Slice) -> Slice? {
    flow.experiments.first { $0.id == slice.experiment }.map {
      Slice(experiment: $0.id, variant: $0.controlID)
    }
  }

  func isTreatment(_ slice: Slice) -> Bool {
    control(of: slice).map { $0 != slice } ?? false
  }
}
