internal import ExperimentStatistics
internal import FlowDefinition
public import FunnelMetrics
public import ReportText

extension RunComparison {
  /// The comparison for a terminal, in `style.width` columns.
  ///
  /// - Parameter takesAllApart: every change is taken apart, not only completion and what is shown
  ///   to have changed.
  public func text(style: TerminalStyle, takesAllApart: Bool = false) -> String {
    var page = TerminalPage(style: style)
    addTitle(&page)
    addChanges(&page)
    addCauses(&page, all: takesAllApart)
    return page.text
  }

  private func addTitle(_ page: inout TerminalPage) {
    page.line(page.paint("\(SafeText.name(after.flow.title)): before and after", .bold))
    if let caution { page.paragraph(caution, paint: .yellow) }
    page.paragraph(verdict, lead: "")
    for (name, report, slice) in [
      ("before", before, slices.before), ("after", after, slices.after),
    ] {
      let horizon = report.horizon.map { "data up to \($0)" } ?? "no data"
      let whose = slice.words(in: report)
      page.paragraph(
        "flow \(SafeText.name(report.flow.id, limit: 40)), \(whose), \(horizon), fingerprint "
          + String(report.fingerprint.prefix(12)), lead: "  " + TextWidth.left(name, 8))
    }
    for note in notes { page.paragraph(note, paint: .yellow) }
  }

  private func addChanges(_ page: inout TerminalPage) {
    let isTested = changes.contains { $0.isLike && $0.pAdjusted != nil }
    page.heading(
      "WHAT CHANGED",
      note: !isTested
        ? "nothing is tested; each interval is of its rate alone"
        : isOfOneExperiment
          ? "points, interval and p adjusted (Holm), of a single analysis"
          : "▲ ▼ beyond chance; points, interval and p adjusted (Holm)")
    if changes.isEmpty { page.paragraph("Nothing that both sides have.") }
    for change in changes { add(change, to: &page) }
  }

  /// One rate before and after, its difference and how sure it is, in one line.
  func add(_ change: Change, to page: inout TerminalPage) {
    let name = TextWidth.left(RunComparison.name(change), page.width - 2 - 52)
    let rates =
      TextWidth.whole(TerminalPage.rate(change.before.estimate), 8)
      + TextWidth.whole(TerminalPage.rate(change.after.estimate), 8)
    guard change.isLike else { return page.line("≠ \(name)\(rates)  another definition") }
    let p = change.pAdjusted.map { RateText.p($0).replacing("p = ", with: "") } ?? "–"
    let points = TextWidth.right(RunComparison.points(change), 26)
    page.line(
      page.paint(
        "\(mark(change))\(name)\(rates)\(points)"
          + TextWidth.right(p.replacing("p ", with: ""), 9), isShown(change) ? .bold : nil))
  }

  private static func name(_ change: Change) -> String {
    SafeText.name(RecordedMetricWords.of(change.metric, step: change.step), limit: 60)
  }

  private static let maximumParts = 5

  private func addCauses(_ page: inout TerminalPage, all: Bool) {
    let told = zip(changes, causes).filter { change, causes in
      let isTold =
        all || change.metric == .completionRate || (change.pAdjusted ?? 1) < RunComparison.alpha
      return !causes.isEmpty && isTold && change.metric != .stepReach
    }
    guard !told.isEmpty else { return }
    page.heading(
      "WHO CAME, AND WHAT THEY DID", note: "mix + rate + new kinds = difference, in points")
    for (change, causes) in told {
      page.line("  " + page.paint(RunComparison.name(change), .bold))
      for cause in causes {
        let name =
          cause.dimensions.count == 1 ? cause.dimensions[0] : "all at once"
        page.line(
          "    " + TextWidth.left(SafeText.name(name, limit: 120), page.width - 4 - 59)
            + "mix " + TextWidth.whole(TerminalPage.points(cause.mix), 7) + "  rate "
            + TextWidth.whole(TerminalPage.points(cause.rate), 7) + " ±"
            + TextWidth.left(cause.rateMargin.map(number) ?? "–", 6) + " new "
            + TextWidth.whole(TerminalPage.points(cause.newKinds), 7) + " = "
            + TextWidth.whole(TerminalPage.points(cause.difference), 7))
        addNewKinds(cause, &page)
      }
    }
    page.paragraph(
      "Mix: other people came. Rate: people of the same kind did other things; its interval takes "
        + "the shares as given. New kinds: people of kinds that only one side has, or nearly "
        + "only one, so that there is nobody to compare them with. Each line is exact for its own "
        + "dimensions (Kitagawa). Flow versions are no kinds of people, unless you add --versions."
        + withoutCombinations, paint: .dim)
    addParts(&page, told)
  }

  /// Why no line is of all dimensions at once.
  private var withoutCombinations: String {
    let isJoint = [before, after].allSatisfy { $0.metrics.strata?.isJoint ?? true }
    return isJoint
      ? ""
      : " Nothing is taken apart by all dimensions at once: nearly everyone has a combination of "
        + "values of their own."
  }

  /// Which kinds only one side has, and how many of the people are of them.
  private func addNewKinds(_ cause: MixAndRate, _ page: inout TerminalPage) {
    guard cause.matched < 1 else { return }
    func names(_ isNew: (MixAndRate.Part) -> Bool) -> String {
      let found = cause.parts.filter(isNew).map { SafeText.name($0.values.joined(separator: "/")) }
      let rest = found.count > 3 ? " and \(found.count - 3) more" : ""
      return found.isEmpty ? "none" : found.prefix(3).joined(separator: ", ") + rest
    }
    let isNearly = cause.parts.contains {
      !$0.isMatched && min($0.before.trials, $0.after.trials) > 0
    }
    page.paragraph(
      "\(RateText.percent(1 - cause.matched)) of the people are of kinds that only one side has"
        + (isNearly ? ", or nearly" : "") + ": "
        + "before \(names { !$0.isMatched && !$0.isNew(in: cause) }); "
        + "after \(names { !$0.isMatched && $0.isNew(in: cause) })",
      lead: "      ", paint: .dim)
  }

  /// Which values moved the first rate most.
  private func addParts(
    _ page: inout TerminalPage, _ told: [(Change, [MixAndRate])]
  ) {
    guard let (change, causes) = told.first else { return }
    page.heading("WHERE", note: "\(RunComparison.name(change)), by the largest part")
    page.line(
      page.paint(
        TextWidth.right("people", page.width - 44) + TextWidth.right("rate", 20)
          + TextWidth.right("mix", 8) + TextWidth.right("rate", 8) + TextWidth.right("new", 8), .dim
      ))
    for cause in causes where cause.dimensions.count == 1 {
      let sorted = cause.parts.enumerated().sorted { left, right in
        let sizes = [left, right].map(\.element.sum.magnitude)
        return sizes[0] != sizes[1] ? sizes[0] > sizes[1] : left.offset < right.offset
      }.map(\.element)
      for part in sorted.prefix(RunComparison.maximumParts) {
        let name = "\(cause.dimensions[0])=\(part.values.first ?? "")"
        let persons =
          "\(NumberText.grouped(part.before.trials)) → \(NumberText.grouped(part.after.trials))"
        let rates =
          "\(TerminalPage.rate(part.before.estimate)) → \(TerminalPage.rate(part.after.estimate))"
        page.line(
          "  " + TextWidth.left(SafeText.name(name, limit: 60), page.width - 2 - 60)
            + TextWidth.right(persons, 16) + TextWidth.right(rates, 20)
            + TextWidth.whole(TerminalPage.points(part.mix), 8)
            + TextWidth.whole(TerminalPage.points(part.rate), 8)
            + TextWidth.whole(TerminalPage.points(part.newKinds), 8))
      }
    }
  }

  private func number(_ points: Double) -> String { RateText.column(points) }
}
