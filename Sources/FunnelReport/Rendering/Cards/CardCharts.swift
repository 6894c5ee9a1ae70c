internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

/// Which numbers a card draws.
struct CardCharts {
  let analysis: Analysis
  private var flow: Flow { analysis.flow }

  func chart(of subject: FindingSubject) -> CardChart? {
    switch subject {
    case .dropOff(let slice, let step): dropOff(slice, marked: step)
    case .comparison(let experiment, let variant, let control, let metric):
      comparison(experiment, variant, control, metric)
    case .permission(let name): permission(name)
    case .skip: skips()
    case .retention: retention()
    case .time: times()
    case .trend(let metric, let step): trend(metric, step)
    }
  }

  /// How far everyone gets.
  func reach() -> CardChart? {
    var rows = steps(.all).compactMap { step in
      rate(.stepReach, step: step.id, label: step.title)
    }
    if let finished = rate(.completionRate, label: "✓ Finished", isMarked: true) {
      rows.append(finished)
    }
    return .bars("People who reach the step, of all who should see it", rows)
  }

  private func steps(_ slice: Slice) -> [Step] {
    StepPlaces(slice, flow).order.map { flow.steps[$0] }
  }

  private func dropOff(_ slice: Slice, marked: String?) -> CardChart? {
    let rows = steps(slice).compactMap { step in
      rate(
        .stepDropOff, step: step.id, in: slice, label: step.title, isMarked: step.id == marked)
    }
    return .bars("People who leave, of those who reach the step", rows)
  }

  private func comparison(
    _ experiment: String, _ variant: String, _ control: String, _ metric: MetricName
  ) -> CardChart? {
    let names = ExperimentNames(experiment, flow)
    let labels = [
      (control, "\(names.variant(control)) (control)"), (variant, names.variant(variant)),
    ]
    let rows = labels.compactMap { id, label in
      rate(
        metric, in: Slice(experiment: experiment, variant: id), label: label,
        isMarked: id == variant)
    }
    return .bars(MetricWords.of(metric, step: "all", flow).capitalizedFirst, rows)
  }

  private func permission(_ name: String) -> CardChart? {
    let compared = analysis.comparedSlices.filter { $0 != .all }
    let rows = ([.all] + compared).compactMap { slice in
      rate(
        .permissionOptIn, step: name, in: slice,
        label: slice == .all ? "Everyone" : analysis.label(slice), isMarked: slice == .all)
    }
    return .bars("People who opt in, by their first answer", rows)
  }

  private func skips() -> CardChart? {
    let pages = flow.steps.map { ($0.id, $0.title) } + [("(unknown)", "Page unknown")]
    let rows = pages.compactMap { id, title in
      rate(.skipShare, step: id, label: title)
    }.filter { $0.value ?? 0 > 0 }
    let most = rows.compactMap(\.value).max()
    return .bars("Where people skip", rows.map { $0.marked($0.value == most) })
  }

  private func retention() -> CardChart? {
    let rows = flow.retention.compactMap { measure in
      rate(
        .retention(measure), label: measure.words.capitalizedFirst,
        isMarked: measure.id == RetentionMeasure.telling(analysis)?.id)
    }
    return .bars("People who came back", rows)
  }

  private func times() -> CardChart? {
    let rows = steps(.all).compactMap { step -> CardChart.Row? in
      guard let row = analysis.row(.timeToMoveOn.percentile(50), step: step.id),
        let value = row.value
      else { return nil }
      return CardChart.Row(label: step.title, value: value, text: RateText.duration(value))
    }
    let longest = rows.compactMap(\.value).max()
    return .bars("Median time until people move on", rows.map { $0.marked($0.value == longest) })
  }

  private func trend(_ metric: MetricName, _ step: String) -> CardChart? {
    let trend = analysis.cohortTrends?.first { $0.rate.metric == metric && $0.rate.step == step }
    guard let trend else { return nil }
    let rows = trend.cohorts.compactMap { cohort -> CardChart.Row? in
      guard let row = analysis.row(metric, step: step, in: cohort), let value = row.value,
        let dates = CohortDates(cohort.breakdown.value)
      else { return nil }
      return CardChart.Row(
        label: DateText.range(dates.first, dates.last), value: value, low: row.low, high: row.high,
        text: RateText.percent(value))
    }
    guard rows.count > 1 else { return nil }
    return CardChart(
      title: "\(trend.rate.name) by start, of whole cohorts", form: .columns, rows: rows)
  }

  /// `nil` where nobody is in the denominator.
  private func rate(
    _ metric: MetricName, step: String = "all", in slice: Slice = .all, label: String,
    isMarked: Bool = false
  ) -> CardChart.Row? {
    guard let row = analysis.row(metric, step: step, in: slice), let value = row.value,
      let total = row.denominator, total > 0
    else { return nil }
    let counts = "\(NumberText.grouped(row.numerator ?? 0)) of \(NumberText.grouped(total))"
    return CardChart.Row(
      label: label, value: value, low: row.low, high: row.high,
      text: "\(RateText.percent(value)) (\(counts))", isMarked: isMarked)
  }
}
