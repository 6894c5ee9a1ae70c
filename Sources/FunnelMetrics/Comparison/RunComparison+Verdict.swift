internal import ExperimentStatistics
internal import FlowDefinition
internal import ReportText

extension RunComparison {
  /// What a reader should know first: whether completion changed, and how many other rates did.
  public var verdict: String {
    let tested = changes.filter { $0.isLike && $0.pAdjusted != nil }
    guard !tested.isEmpty else { return "No change could be tested; the reasons are below." }
    let shown = tested.filter(isShown)
    let completion = tested.first { $0.metric == .completionRate }
    let others = shown.filter { $0.metric != .completionRate }
    for (side, rates) in unknownBySide
    where rates.contains(where: { $0.metric == .completionRate }) {
      return "Completion is unknown \(side) the change. "
        + (others.isEmpty
          ? "No other rate\(ofBothSides) changed beyond chance."
          : "\(count(others).capitalizedFirst) changed.")
    }
    guard let completion, let value = completion.difference.value else {
      return shown.isEmpty
        ? "No rate\(ofBothSides) changed beyond chance."
        : "\(CountText.of(shown.count, "rate")) changed."
    }
    let rates =
      "from \(TerminalPage.rate(completion.before.estimate)) to "
      + TerminalPage.rate(completion.after.estimate)
    let points =
      "\(RateText.signedNumber(value.estimate)) points, "
      + "\(RateText.signedNumber(value.interval.lower)) to "
      + RateText.signedNumber(value.interval.upper)
    guard isShown(completion) else {
      return "Completion did not change beyond chance (\(rates): \(points))."
        + (others.isEmpty
          ? " Nor did any other rate\(ofBothSides)." : " \(count(others)) changed.")
    }
    let verb = value.estimate > 0 ? "rose" : "fell"
    let rest =
      others.isEmpty
      ? "No other rate\(ofBothSides) changed beyond chance." : "\(count(others)) changed, too."
    return "Completion \(verb) \(rates) (\(points)). \(rest)"
  }

  /// Where some rates can't be compared, so that nothing is said of them.
  private var ofBothSides: String {
    unknownBySide.isEmpty && uncountedBySide.isEmpty ? "" : " that both sides have"
  }

  /// Whether a change is shown, by the p-value that is adjusted over all rates.
  package func isShown(_ change: Change) -> Bool {
    change.isLike && (change.pAdjusted ?? 1) < RunComparison.alpha
  }

  /// `+3.4 (+0.9 to +5.9)`, in percentage points.
  package static func points(_ change: Change) -> String {
    guard let value = change.difference.value else { return "–" }
    return "\(RateText.signedNumber(value.estimate)) "
      + "(\(RateText.signedNumber(value.interval.lower)) to "
      + "\(RateText.signedNumber(value.interval.upper)))"
  }

  /// What stands before a change that is shown; two spaces before others, and where the report has
  /// another verdict on the same people.
  package func mark(_ change: Change) -> String {
    guard isShown(change), !isOfOneExperiment, let value = change.difference.value else {
      return "  "
    }
    return value.estimate > 0 ? "▲ " : "▼ "
  }

  private func count(_ others: [Change]) -> String {
    "\(NumberText.grouped(others.count)) other \(others.count == 1 ? "rate" : "rates")"
  }
}
