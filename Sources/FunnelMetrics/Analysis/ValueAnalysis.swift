internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Compares what goals with a `value` add up to between the variants of an experiment.
///
/// Values are a family of their own: adding one to a flow file changes no verdict on a rate.
struct ValueAnalysis {
  let table: SliceTable
  let tally: Tally
  let experiment: Int
  let cells: ExperimentCells
  let accounts: AccountSums
  let correction: MultipleTesting
  let tuning: SequentialTuning

  /// Groups in which fewer people than this have a value are not tested: the normal limit is far.
  static let fewestPayers = 10

  private var declared: Experiment { table.flow.experiments[experiment] }
  private var settings: StatisticsSettings { table.flow.statistics }

  /// One comparison before it is decided.
  private struct Contrast {
    var value: ValueComparison
    var means: MeanComparison
    /// Whether enough people have an amount.
    var isLarge: Bool
  }

  /// - Parameter isTested: several attempts of one person depend on each other.
  func comparisons(isTested: Bool, judged: Bool) -> [ValueComparison] {
    let amounts = GroupAmounts(tally, experiment, declared)
    let goals = comparedGoals
    let caps = Dictionary(uniqueKeysWithValues: goals.map { ($0, cap($0, amounts)) })
    var found: [Contrast] = []
    for variant in declared.variants where variant.id != declared.controlID {
      for goal in goals {
        for measure in measures(goal, caps[goal] ?? nil) {
          found.append(contrast(goal, variant.id, measure, amounts, caps[goal] ?? nil))
        }
      }
    }
    if isTested { decide(&found, judged: judged) }
    return found.map(\.value)
  }

  /// Goals that count from entry, whose amounts are known: of others the variant decides whose
  /// amounts are summed, and by when.
  private var comparedGoals: [Int] {
    table.flow.goals.indices.filter {
      let goal = table.flow.goals[$0]
      return goal.value != nil && goal.anchor == .entry
        && !tally.quality.goalsWithoutSum.contains($0)
    }
  }

  private struct Cap {
    var amount: AmountCap
    var people: Int
  }

  /// Of all variants together, so that it is one for all of them, and of people with an amount:
  /// where 2 % pay, the 99th percentile of everybody is the median payer. Statsig takes it over
  /// the values that are not 0 (docs.statsig.com, "Winsorization"), ABsmartly over all
  /// participants of the experiment together (its pages on creating metrics).
  private func cap(_ goal: Int, _ amounts: GroupAmounts) -> Cap? {
    guard let share = table.flow.goals[goal].winsorisedAt else { return nil }
    var pooled = AmountHistogram()
    for variant in declared.variants {
      pooled.merge(amounts.of(goal, variant.id, period: nil).histogram)
    }
    return pooled.cap(atShare: share).map { Cap(amount: $0, people: pooled.people(above: $0)) }
  }

  private func measures(_ goal: Int, _ cap: Cap?) -> [ValueMeasure] {
    let declared = table.flow.goals[goal]
    var measures: [ValueMeasure] = [.perPerson]
    if let cap, let share = declared.winsorisedAt {
      measures = [
        .capped(share: share, amount: cap.amount.amount, people: cap.people), .uncapped,
      ]
    }
    return measures + (declared.countsAmountPerEvent ? [.perEvent] : [])
  }

  /// The counters of the people who are compared: everybody assigned whose window is over.
  private func counters(_ goal: Int) -> (eligible: Int, met: Int) {
    let layout = table.layout
    guard let place = layout.overallGoals.firstIndex(of: goal) else {
      return (layout[goal: goal, .eligible], layout[goal: goal, .met])
    }
    return (layout[overall: place, .eligible], layout[overall: place, .met])
  }

  private func counts(_ variant: String, _ period: Int?) -> [Int] {
    cells.sum(period: period) { $0.isCounted && $0.assignedVariant == variant }
  }

  /// A group's means in each period of one split, and over all of them.
  private func means(
    _ goal: Int, _ variant: String, _ measure: ValueMeasure, _ amounts: GroupAmounts, _ cap: Cap?
  ) -> (periods: [SampleMean], all: SampleMean) {
    if declared.clusterPath != nil {
      return accounts.means(ofGoal: goal, among: counters(goal).eligible, variant)
    }
    func mean(_ period: Int?) -> SampleMean {
      let people = counts(variant, period)[counters(goal).eligible]
      let own = amounts.of(goal, variant, period: period)
      switch measure {
      case .perPerson, .uncapped: return own.mean(of: people)
      case .capped: return own.mean(of: people, cappedAt: cap?.amount)
      // Without an event there is no ratio, and no stratum.
      case .perEvent: return own.perEvent(of: people) ?? SampleMean(count: 0, mean: 0, variance: 0)
      }
    }
    return (declared.splits.indices.map { mean($0) }, mean(nil))
  }

  private func contrast(
    _ goal: Int, _ variant: String, _ measure: ValueMeasure, _ amounts: GroupAmounts, _ cap: Cap?
  ) -> Contrast {
    let control = declared.controlID
    let payers = [variant, control].map { counts($0, nil)[counters(goal).met] }
    let (own, other) = (
      means(goal, variant, measure, amounts, cap), means(goal, control, measure, amounts, cap)
    )
    let means = MeanComparison(
      strata: zip(own.periods, other.periods).map { .init(treatment: $0, control: $1) },
      sequential: declared.isSequential ? tuning : nil)
    // Where the split changed, the means that are compared, as of rates (definitions 6.5).
    let standardised = declared.splits.count > 1 ? means.means : nil
    func shown(_ group: SampleMean, _ mean: Double?) -> SampleMean {
      mean.map { SampleMean(count: group.count, mean: $0, variance: group.variance) } ?? group
    }
    let comparison = ValueComparison(
      experiment: declared.id, variant: variant, control: control,
      goal: table.flow.goals[goal].id, measure: measure, metric: metric(goal, measure),
      treatment: shown(own.all, standardised?.treatment),
      controlMean: shown(other.all, standardised?.control),
      difference: .unavailable(.tooFew), lift: .unavailable(.tooFew),
      intervalLevel: 1 - settings.alpha, p: nil, pAdjusted: nil,
      isSequential: declared.isSequential, isHigher: nil)
    return Contrast(
      value: comparison, means: means,
      isLarge: payers.allSatisfy { $0 >= Self.fewestPayers } && hasAccounts(goal, variant))
  }

  /// Both groups have enough accounts, where they are compared by them.
  private func hasAccounts(_ goal: Int, _ variant: String) -> Bool {
    declared.clusterPath == nil
      || [variant, declared.controlID].allSatisfy {
        accounts.count($0, among: counters(goal).eligible) >= ClusteredProportion.fewestClusters
      }
  }

  private func metric(_ goal: Int, _ measure: ValueMeasure) -> MetricName {
    let isAmongSome = table.layout.overallGoals.contains(goal)
    let plain: MetricName = isAmongSome ? .goalValue.overall : .goalValue
    return switch measure {
    case .perPerson, .uncapped: plain
    case .capped: plain.winsorised
    case .perEvent: .goalValuePerEvent
    }
  }

  private func decide(_ found: inout [Contrast], judged: Bool) {
    for index in found.indices where found[index].isLarge {
      let means = found[index].means
      if found[index].value.measure.isTested {
        found[index].value.p = means.pValue().value
      } else {
        found[index].value.difference = means.difference(level: 1 - settings.alpha)
        found[index].value.lift = means.relativeLift(level: 1 - settings.alpha)
      }
    }
    let tested = found.indices.filter { found[$0].value.p != nil }
    let pValues = tested.map { found[$0].value.p ?? 1 }
    let adjusted = correction.adjust(pValues)
    let alphas = correction.intervalAlphas(pValues, alpha: settings.alpha)
    for (place, index) in tested.enumerated() {
      let level = 1 - alphas[place]
      let means = found[index].means
      found[index].value.pAdjusted = adjusted[place]
      found[index].value.intervalLevel = level
      found[index].value.difference = means.difference(level: level)
      found[index].value.lift = means.relativeLift(level: level)
      guard judged, adjusted[place] < settings.alpha else { continue }
      found[index].value.isHigher = found[index].value.difference.value.map { $0.estimate > 0 }
    }
  }
}
