internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

extension Analysis {
  /// The slices that are worth standing side by side: variants that somebody has, with the others
  /// of their experiment, else versions, else everybody.
  package var comparedSlices: [Slice] {
    let running = Set(flow.experiments.map(\.id)).subtracting(unmeasured.experiments)
    let variants = slices.uncut.filter {
      running.contains($0.experiment) && !$0.variant.hasPrefix("(")
    }
    if !variants.isEmpty { return flow.experiments.flatMap { controlFirst($0, variants) } }
    let seen = seenVersions
    return seen.count > 1 ? seen : [.all]
  }

  /// The control first, wherever the flow file has it: its colour is that of the first slice.
  private func controlFirst(_ experiment: Experiment, _ variants: [Slice]) -> [Slice] {
    let own = variants.filter { $0.experiment == experiment.id }
    return own.filter { $0.variant == experiment.controlID }
      + own.filter { $0.variant != experiment.controlID }
  }

  /// Versions that somebody has.
  package var seenVersions: [Slice] {
    let persons = slices.layout[.persons]
    return slices.uncut.filter { $0.version != "all" && slices.count($0, persons) > 0 }
  }

  /// Everybody, the compared slices, and versions where there are several: their step lists differ.
  package var funnelSlices: [Slice] {
    let compared = everybodyAndCompared
    let versions = seenVersions
    return compared + (versions.count > 1 ? versions.filter { !compared.contains($0) } : [])
  }

  /// Everybody, then the compared slices.
  package var everybodyAndCompared: [Slice] {
    let compared = comparedSlices
    return compared == [.all] ? compared : [.all] + compared
  }

  /// What a slice is called where only one of its columns matters.
  package func label(_ slice: Slice) -> String {
    if slice == .all { return "everyone" }
    if slice.version != "all" { return "flow version \(SafeText.name(slice.version, limit: 40))" }
    let experiment = flow.experiments.first { $0.id == slice.experiment }
    let isControl = experiment.map { $0.controlID == slice.variant } ?? false
    let names = names(ofExperiment: slice.experiment)
    let name = names.variant(slice.variant) + (isControl ? " (control)" : "")
    return flow.experiments.count > 1 ? "\(names.title): \(name)" : name
  }

  /// The cohorts of a slice that is not cut, in their order.
  package func cohorts(of slice: Slice = .all) -> [Slice] {
    slices.slices.filter { $0.uncut == slice && $0.breakdown.dimension == BreakdownKey.cohort }
  }

  /// Whether some dates of a cohort are not in the data or not in the period.
  package func isPartial(_ cohort: Slice) -> Bool {
    tally.partialCohorts.contains(cohort.cohort) || lacksEvents(cohort)
  }

  /// Whether events of people who started on some dates of a cohort are missing.
  package func lacksEvents(_ cohort: Slice) -> Bool {
    guard !daysWithGaps.isEmpty || !missingStarts.isEmpty,
      let dates = CohortDates(cohort.cohort)
    else { return false }
    return daysWithGaps.contains { dates.first <= $0 && $0 <= dates.last }
      || missingStarts.contains { dates.first <= $0.day && $0.day <= dates.last }
  }

  /// Whether a rate of a cohort is of the first of its days alone, or nearly so: of the people who
  /// began then, clearly fewer are counted than of all, since the others joined too recently.
  package func isPartial(_ cohort: Slice, for row: MetricRow) -> Bool {
    if isPartial(cohort) { return true }
    // Of the others who counts depends on what people did, too.
    let isOfEveryone =
      row.metric == .completionRate
      || flow.retention.contains { $0.anchor == .entry && .retention($0) == row.metric }
    guard isOfEveryone,
      let all = self.row(row.metric, step: row.step, in: cohort.uncut)?.denominator,
      let own = row.denominator
    else { return false }
    let entered = slices.layout[.entered]
    let began = (own: slices.count(cohort, entered), all: slices.count(cohort.uncut, entered))
    return Double(own) * Double(began.all) < 0.9 * Double(all) * Double(began.own)
  }

  /// A cohort's name, marked where it is partial.
  package func cohortLabel(_ cohort: Slice) -> String {
    let name = cohort.breakdown.value
    let week = name.contains("W") ? CohortDates(name) : nil
    return (week.map { DateText.range($0.first, $0.last) } ?? name)
      + (isPartial(cohort) ? " (partial)" : "")
  }
}
