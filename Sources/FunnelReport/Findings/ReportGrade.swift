internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// How far the data of a report can be trusted, by what the report itself knows: the worst of its
/// checks decides. `Validation` looks at more, and grades by the same letters.
struct ReportGrade {
  struct Reason {
    var letter: DataGrade
    var text: String
  }

  let letter: DataGrade
  /// What kept it from an A, the worst first.
  let reasons: [Reason]

  var verdict: String {
    switch letter {
    case .a: "Nothing stands against these numbers"
    case .b: "Good, with something to know"
    case .c: "Usable, with care: something should be mended"
    case .d: "Do not rely on these numbers yet"
    case .f: "These numbers say nothing about people"
    }
  }

  init(_ report: Report) {
    let found =
      ReportGrade.input(report.provenance) + ReportGrade.unmeasured(report.analysis)
      + ReportGrade.persons(report.analysis)
      + ReportGrade.pages(report.analysis) + ReportGrade.experiments(report.analysis)
    reasons = found.enumerated().sorted { left, right in
      left.element.letter != right.element.letter
        ? left.element.letter > right.element.letter : left.offset < right.offset
    }.map(\.element)
    letter = reasons.first?.letter ?? .a
  }

  private static func share(_ count: Int, of total: Int) -> Double {
    total == 0 ? 0 : Double(count) / Double(total)
  }

  private static func input(_ provenance: Provenance) -> [Reason] {
    var reasons: [Reason] = []
    if provenance.events == 0 { reasons.append(Reason(letter: .f, text: "No event was read.")) }
    let damaged = provenance.sources.filter { !$0.problems.isEmpty }.count
    if damaged > 0 {
      reasons.append(
        Reason(
          letter: .d,
          text: "\(NumberText.grouped(damaged)) of "
            + "\(NumberText.grouped(provenance.sources.count)) inputs could not be read whole."))
    }
    let rate = provenance.rejectRate
    if rate > provenance.maximumRejectRate {
      reasons.append(
        Reason(
          letter: .d,
          text: "\(RateText.percent(rate)) of the lines could not be used, over the bound of "
            + "\(RateText.bound(provenance.maximumRejectRate))."))
    } else if rate > 0.001 {
      reasons.append(
        Reason(letter: .b, text: "\(RateText.percent(rate)) of the lines could not be used."))
    }
    let local = share(provenance.timestampsWithoutOffset, of: provenance.lines)
    if local > 0.01 {
      reasons.append(
        Reason(
          letter: .b,
          text: "\(RateText.percent(local)) of the timestamps have no offset; they "
            + "are read as UTC."))
    }
    return reasons
  }

  private static func unmeasured(_ analysis: Analysis) -> [Reason] {
    analysis.unmeasured.reasons.map { Reason(letter: .d, text: $0.sentence) }
  }

  private static func persons(_ analysis: Analysis) -> [Reason] {
    let quality = analysis.tally.quality
    let entered = analysis.row("entered")?.numerator ?? 0
    var reasons: [Reason] = []
    if analysis.identities.contains(where: { !$0.failures.isEmpty }) {
      reasons.append(Reason(letter: .d, text: "The sums do not hold: a fault of the program."))
    }
    let orphans = share(quality.orphans, of: quality.orphans + entered)
    if orphans > 0.01 {
      reasons.append(
        Reason(
          letter: orphans > 0.1 ? .c : .b,
          text: "\(NumberText.grouped(quality.orphans)) persons have onboarding events but no "
            + "beginning (\(RateText.percent(orphans))): they are in no metric."))
    }
    if analysis.flow.existingUsers == .exclude {
      let existing = share(quality.existingUsers, of: quality.existingUsers + entered)
      if existing > 0.05 {
        reasons.append(
          Reason(
            letter: existing > 0.2 ? .c : .b,
            text: "\(NumberText.grouped(quality.existingUsers)) who began were seen long before "
              + "(\(RateText.percent(existing))): they are in no metric."))
      }
    }
    return reasons
  }

  private static func pages(_ analysis: Analysis) -> [Reason] {
    let quality = analysis.tally.quality
    var reasons: [Reason] = []
    let views = quality.viewsOfStep.reduce(0, +)
    let unseen = analysis.flow.steps.indices.filter {
      $0 < quality.viewsOfStep.count && quality.viewsOfStep[$0] == 0
    }
    if views > 0, !unseen.isEmpty {
      let names = unseen.prefix(3).map { SafeText.name(analysis.flow.steps[$0].id, limit: 40) }
      reasons.append(
        Reason(
          letter: .c,
          text: "Declared but never seen: \(names.joined(separator: ", "))"
            + (unseen.count > 3 ? " and \(unseen.count - 3) more." : ".")))
    }
    let undeclared = quality.undeclaredPages.values.reduce(0, +)
    let share = share(undeclared, of: undeclared + views)
    if share > 0.005 {
      reasons.append(
        Reason(
          letter: share > 0.05 ? .c : .b,
          text: "\(RateText.percent(share)) of the page views are of "
            + "\(NumberText.grouped(quality.undeclaredPages.count)) pages that the flow does not "
            + "declare."))
    }
    let doubtful = quality.pageConflicts + quality.ambiguousPages
    let doubt = ReportGrade.share(doubtful, of: views)
    if doubt > 0.005 {
      reasons.append(
        Reason(
          letter: doubt > 0.05 ? .c : .b,
          text: "\(NumberText.grouped(doubtful)) events name their page ambiguously or in "
            + "contradiction."))
    }
    return reasons
  }

  private static func experiments(_ analysis: Analysis) -> [Reason] {
    let entered = analysis.row("entered")?.numerator ?? 0
    return analysis.experiments.flatMap { summary -> [Reason] in
      var reasons: [Reason] = []
      if summary.hasSampleRatioMismatch {
        reasons.append(
          Reason(letter: .d, text: "Experiment \(summary.id): the split is not the declared one."))
      }
      let mixed = share(summary.contaminated, of: entered)
      if mixed > 0.01 {
        reasons.append(
          Reason(
            letter: .c,
            text: "Experiment \(summary.id): \(RateText.percent(mixed)) were seen "
              + "with more than one variant."))
      }
      return reasons
    }
  }
}
