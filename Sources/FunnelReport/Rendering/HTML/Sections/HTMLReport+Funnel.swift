internal import FlowDefinition
internal import FunnelEngine

extension HTMLReport {
  func funnelSection() -> Markup {
    let all = analysis.funnelSlices
    let shown = Array(all.prefix(HTMLReport.maximumSlices + 2))
    // Versions beside variants are the same persons once more.
    let open = min(analysis.everybodyAndCompared.count, HTMLReport.openFunnels)
    return templates.fill(
      .funnel,
      TemplateContext { page in
        page.markup("legend", StackBar.legend(legend))
        page.list("funnels", shown.prefix(open).map(funnel))
        page.list("folded", [folded(Array(shown.dropFirst(open)))].compactMap { $0 })
        let more = all.count - shown.count
        page.texts(
          "more", more > 0 ? ["\(more) more are in steps.csv, every number of them."] : [])
      })
  }

  private var legend: [(fill: String, name: String)] {
    var entries = [("on", "went on")]
    if flow.skip == .ends { entries.append(("skip", "left by skipping")) }
    entries.append(("gone", "abandoned here"))
    if !flow.permissions.isEmpty { entries.append(("denied", "abandoned right after denying")) }
    return entries + [("past", "passed over, not taken"), ("track", "had left before")]
  }

  private func folded(_ slices: [Slice]) -> TemplateContext? {
    guard !slices.isEmpty else { return nil }
    return TemplateContext { page in
      page.markup(
        "summary", HTMLReport.summary("Funnel of \(slices.map(analysis.label).listed)"))
      page.list("funnels", slices.map(funnel))
    }
  }

  private func funnel(_ slice: Slice) -> TemplateContext {
    let balances = StepBalance.all(slice, analysis)
    return TemplateContext { page in
      page.markup("name", Markup { $0.name(slice == .all ? "Everybody" : analysis.label(slice)) })
      // Everybody stands above the variants, which stand beside each other.
      page.flag("whole", slice == .all)
      page.markup("variant", tag(slice).map { Markup(escaping: $0) })
      page.markup("about", about(slice))
      page.markup("steps", steps(slice, balances))
      page.markup("table", StepTable(report: self, slice: slice, balances: balances).markup)
    }
  }

  private func about(_ slice: Slice) -> Markup {
    Markup { page in
      page.number(analysis.datum("persons", in: slice)?.count)
      page.text(" persons; ")
      page.number(analysis.datum("completion_rate", in: slice)?.rate)
      page.text(" finished")
      if flow.skip == .ends {
        page.text(", ")
        page.number(analysis.datum("skip_rate", in: slice)?.rate)
        page.text(" skipped")
      }
      page.text(", ")
      page.number(analysis.datum("abandon_rate", in: slice)?.rate)
      page.text(" abandoned")
    }
  }

  private func steps(_ slice: Slice, _ balances: [StepBalance]) -> Markup {
    Markup { page in
      page.element("ol", ["class": "funnel"]) { page in
        entry(slice, &page)
        for balance in balances where !isElsewhere(balance) { step(slice, balance, &page) }
      }
      let absent = balances.filter(isElsewhere).map { flow.steps[$0.step].title }
      if !absent.isEmpty {
        page.element("p", ["class": "note"]) { page in
          page.text("Not in this list: ")
          for (index, title) in absent.enumerated() {
            if index > 0 { page.text(", ") }
            page.name(title)
          }
        }
      }
    }
  }

  /// Absent here, and no part of the newest list either: not worth a line of its own.
  private func isElsewhere(_ balance: StepBalance) -> Bool {
    balance.isAbsent && !flow.defaultList.contains(balance.step)
  }

  /// Who left before any step of the list.
  private func entry(_ slice: Slice, _ page: inout MarkupWriter) {
    guard let left = analysis.datum("step_drop_off", step: "(entry)", in: slice) else { return }
    page.element("li") { page in
      page.element("p", ["class": "line"]) { page in
        page.element("span", ["class": "name"], text: "Before the first step")
        page.element("span", ["class": "reach"]) { page in
          page.number(left.count)
          page.text(" left")
        }
      }
    }
  }

  private func step(_ slice: Slice, _ balance: StepBalance, _ page: inout MarkupWriter) {
    let declared = flow.steps[balance.step]
    let reach = analysis.datum("step_reach", step: declared.id, in: slice)
    page.element("li", ["class": balance.isAbsent ? "absent" : nil]) { page in
      page.element("p", ["class": "line"]) { page in
        page.element("span", ["class": "name"]) { page in
          page.name(declared.title)
          if let kind = kind(declared) { page.element("span", ["class": "kind"], text: kind) }
        }
        page.element("span", ["class": "reach"]) { page in
          if balance.isAbsent { return page.text(absence(slice)) }
          page.strong(reach?.rate)
          page.text(" · ")
          page.number(reach?.count)
        }
      }
      if balance.isAbsent { return }
      page.add(bar(slice, balance, declared.title).markup)
      gone(slice, balance, declared.id, &page)
    }
  }

  /// Why a step has no bar: the list lacks it, or there is nobody who could have it.
  private func absence(_ slice: Slice) -> String {
    let persons = analysis.slices.count(slice, analysis.slices.layout[.persons])
    return persons == 0 ? "nobody counts here yet" : "not in this list"
  }

  private func kind(_ step: Step) -> String? {
    if let parent = step.branchOf { return " · branch of \(flow.steps[parent].title)" }
    return step.isOptional ? " · optional" : nil
  }

  private func bar(_ slice: Slice, _ balance: StepBalance, _ name: String) -> StackBar {
    StackBar(
      title: "\(SafeText.name(name, limit: 60)), \(analysis.label(slice)): of "
        + "\(DisplayText.count(balance.listed)) persons \(DisplayText.count(balance.viewed)) "
        + "reached it, \(DisplayText.count(balance.advanced)) went on",
      parts: [
        .init(name: "went on", count: balance.advanced, fill: "on"),
        .init(name: "left by skipping", count: balance.leftSkipping, fill: "skip"),
        .init(name: "abandoned here", count: balance.abandonedOtherwise, fill: "gone"),
        .init(
          name: "abandoned right after denying", count: balance.abandonedAfterDenial,
          fill: "denied"),
        .init(name: "passed over, not taken", count: balance.bypassed, fill: "past"),
        .init(name: "had left before", count: balance.leftBefore, fill: "track"),
      ], total: balance.listed)
  }

  /// Where the others went, in words.
  private func gone(
    _ slice: Slice, _ balance: StepBalance, _ step: String, _ page: inout MarkupWriter
  ) {
    let parts: [(String, Int, String)] = [
      ("step_left_skipping", balance.leftSkipping, "left by skipping"),
      (
        "step_abandoned", balance.abandonedOtherwise + balance.abandonedAfterDenial, "abandoned"
      ),
      ("step_abandoned_after_denial", balance.abandonedAfterDenial, "of them right after denying"),
      (
        "step_bypassed", balance.bypassed,
        flow.steps[balance.step].branchOf == nil ? "passed over" : "did not take it"
      ),
    ]
    let shown = parts.filter { $0.1 > 0 }
    page.element("p", ["class": "gone"]) { page in
      if shown.isEmpty { page.text("nobody left here") }
      for (index, part) in shown.enumerated() {
        if index > 0 { page.text(" · ") }
        page.number(analysis.datum(part.0, step: step, in: slice)?.count)
        page.text(" \(part.2)")
      }
    }
  }
}
