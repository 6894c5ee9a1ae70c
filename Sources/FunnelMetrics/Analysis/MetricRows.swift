package import FlowDefinition
package import FunnelEngine
internal import ExperimentStatistics

/// The tidy table of everything that is counted, without what compares variants.
package struct MetricRows {
  package let table: SliceTable
  package let tally: Tally
  /// Histograms by slice and measure.
  package let times: [Slice: [TimeMeasure: TimeHistogram]]
  private var flow: Flow { table.flow }
  private var layout: CounterLayout { table.layout }

  /// The normal quantile of 97.5 %.
  private static let z95 = 1.959963984540054

  package func build() -> [MetricRow] {
    let rates = RateDefinition.all(flow, layout)
    let unmeasured = Unmeasured(table, tally.quality)
    let isKnown = rates.map { !unmeasured.contains($0.metric, step: $0.step) }
    // By dimension whether each rate has no number.
    let needsLandmark = Dictionary(
      (["outcome", "used_skip"] + flow.dimensions.map(\.id)).map { dimension in
        let without = flow.metricsWithoutLandmark(cutBy: dimension)
        return (dimension, without.isEmpty ? [] : rates.map { without.contains($0.metric) })
      }, uniquingKeysWith: { first, _ in first })
    let goalValues = goalValueRows()
    let amounts = amountRows()
    let times = TimeRows(times: times, flow: flow).build()
    let next = NextEventRows(tally: tally, flow: flow, unmeasured: unmeasured).build()
    let transitions = TransitionRows(table: table, tally: tally).build(unmeasured)
    var rows: [MetricRow] = []
    // There are tens of thousands: without moving them while their number grows.
    rows.reserveCapacity(table.slices.count * (rates.count + 12) + table.uncut.count * 128)
    for slice in table.slices {
      // Looked up once: a slice is hashed by five names.
      guard let counts = table.counts[slice] else { continue }
      rows += personRows(slice, unmeasured)
      let lacksLandmark = needsLandmark[slice.breakdown.dimension] ?? []
      for (index, definition) in rates.enumerated() {
        guard var row = rate(slice, counts, definition) else { continue }
        if !isKnown[index] || (!lacksLandmark.isEmpty && lacksLandmark[index]) {
          (row.value, row.low, row.high) = (nil, nil, nil)
        }
        rows.append(row)
      }
      rows += goalValues[slice] ?? []
      rows += amounts[slice] ?? []
      rows += jointRows(slice, unmeasured)
      rows += times[slice] ?? []
      rows += next[slice] ?? []
      rows += transitions[slice] ?? []
    }
    return rows
  }

  /// Counts of persons.
  private func personRows(_ slice: Slice, _ unmeasured: Unmeasured) -> [MetricRow] {
    let entered = table.count(slice, layout[.entered])
    let persons = table.count(slice, layout[.persons])
    var counts: [(MetricName, Int)] = [
      (.entered, entered), (.persons, persons), (.immature, entered - persons),
      (.finished, table.count(slice, layout[.finished])),
      (.finishedAfterSkipping, table.count(slice, layout[.finishedAfterSkipping])),
      (.skipped, table.count(slice, layout[.skipped])),
      (.abandoned, table.count(slice, layout[.abandoned])),
      (.resumed, table.count(slice, layout[.resumed])),
      (.replayed, table.count(slice, layout[.replayed])),
      (.completedLate, table.count(slice, layout[.completedLate])),
    ]
    if slice == .all {
      counts += [
        (.orphans, tally.quality.orphans), (.existingUsers, tally.quality.existingUsers),
        (.activityOnly, tally.quality.activityOnly),
      ]
    }
    if slice.breakdown == .all && slice.experiment != "all" {
      switch slice.variant {
      case VariantState.unassigned.label: counts.append((.unassigned, entered))
      case VariantState.outside.label: counts.append((.outsideExperiment, entered))
      case VariantState.contaminated([]).label, VariantState.notExposed(nil).label: break
      default: counts.append((.contaminated, contaminated(slice)))
      }
    }
    return counts.map { name, count in
      MetricRow(
        slice: slice, metric: name, numerator: count,
        value: unmeasured.contains(name) ? nil : Double(count), unit: .persons)
    }
  }

  /// Persons seen with this variant and another.
  private func contaminated(_ slice: Slice) -> Int {
    guard let index = flow.experiments.firstIndex(where: { $0.id == slice.experiment }) else {
      return 0
    }
    var sum = 0
    for (key, counts) in tally.cells where key.breakdown == .all {
      if key.group.variants[index].mixedVariants.contains(slice.variant) {
        sum += counts[layout[.entered]]
      }
    }
    return sum
  }

  /// A rate with its interval; `nil` for nothing over nothing in a slice that is cut.
  private func rate(
    _ slice: Slice, _ counts: [Int], _ definition: RateDefinition
  ) -> MetricRow? {
    let numerator = definition.numerators.reduce(0) { $0 + counts[$1] }
    let denominator = counts[definition.denominator]
    if denominator == 0 && slice.breakdown != .all { return nil }
    return MetricRows.rate(
      slice, definition.metric, definition.step, numerator: numerator, denominator: denominator,
      interval: flow.statistics.rateInterval)
  }

  package static func rate(
    _ slice: Slice, _ metric: MetricName, _ step: String, numerator: Int, denominator: Int,
    interval kind: StatisticsSettings.RateInterval
  ) -> MetricRow {
    let proportion = Proportion(successes: numerator, trials: denominator)
    let interval =
      switch kind {
      case .wilson: ProportionIntervals.wilson(proportion).value
      case .clopperPearson: ProportionIntervals.clopperPearson(proportion).value
      }
    return MetricRow(
      slice: slice, metric: metric, step: step, numerator: numerator, denominator: denominator,
      value: proportion.estimate, low: interval?.lower, high: interval?.upper, unit: .rate)
  }

  private func goalValueRows() -> [Slice: [MetricRow]] {
    struct Place: Hashable {
      var slice: Slice
      var goal: Int
      var value: String
    }
    var sums: [Place: Int] = [:]
    for (key, count) in tally.goalValues {
      for slice in SliceTable.slices(of: key.cell, flow) {
        sums[Place(slice: slice, goal: key.goal, value: key.value), default: 0] += count
      }
    }
    let order = sums.keys.sorted { left, right in
      left.goal != right.goal
        ? left.goal < right.goal : left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
    }
    var rows: [Slice: [MetricRow]] = [:]
    for place in order {
      rows[place.slice, default: []].append(
        MetricRows.rate(
          place.slice, .goalRate, "\(flow.goals[place.goal].id):\(place.value)",
          numerator: sums[place] ?? 0,
          denominator: table.count(place.slice, layout[goal: place.goal, .eligible]),
          interval: flow.statistics.rateInterval))
    }
    return rows
  }

  /// What goals' values add up to, and their mean over the goal's denominator with its normal
  /// interval (the central limit theorem; van der Vaart, Asymptotic Statistics, 2.16).
  private func amountRows() -> [Slice: [MetricRow]] {
    struct Place: Hashable {
      var slice: Slice
      var goal: Int
    }
    var sums: [Place: AmountSum] = [:]
    for (key, sum) in tally.amounts {
      for slice in SliceTable.slices(of: key.cell, flow) {
        sums[Place(slice: slice, goal: key.goal), default: AmountSum()].add(sum)
      }
    }
    var events: [Place: AmountEvents] = [:]
    for (key, sum) in tally.amountEvents {
      for slice in SliceTable.slices(of: key.cell, flow) {
        events[Place(slice: slice, goal: key.goal), default: AmountEvents()].add(sum)
      }
    }
    var rows: [Slice: [MetricRow]] = [:]
    for slice in table.slices {
      for goal in flow.goals.indices where flow.goals[goal].value != nil {
        let persons = table.count(slice, layout[goal: goal, .eligible])
        if persons == 0 && slice.breakdown != .all { continue }
        let sum = sums[Place(slice: slice, goal: goal)] ?? AmountSum()
        let isKnown = persons > 0 && !tally.quality.goalsWithoutSum.contains(goal)
        let mean = isKnown ? sum.mean(of: persons) : nil
        let error = (sum.variance(of: persons) / Double(max(1, persons))).squareRoot()
        let margin = persons > 1 && isKnown ? MetricRows.z95 * error : nil
        rows[slice, default: []] += [
          MetricRow(
            slice: slice, metric: .goalValue, step: flow.goals[goal].id,
            denominator: persons, value: mean,
            low: margin.flatMap { margin in mean.map { $0 - margin } },
            high: margin.flatMap { margin in mean.map { $0 + margin } }, unit: .amount),
          MetricRow(
            slice: slice, metric: .goalValueTotal, step: flow.goals[goal].id,
            denominator: persons, value: isKnown ? sum.total : nil, unit: .amount),
        ]
        if flow.goals[goal].countsAmountPerEvent {
          let amounts = GroupAmounts.Amounts(
            sum: sum, events: events[Place(slice: slice, goal: goal)] ?? AmountEvents())
          rows[slice, default: []].append(
            amountPerEvent(slice, flow.goals[goal].id, isKnown ? amounts : nil, persons))
        }
      }
    }
    return rows
  }

  /// The mean amount of an event, with the delta method's normal interval.
  private func amountPerEvent(
    _ slice: Slice, _ goal: String, _ amounts: GroupAmounts.Amounts?, _ persons: Int
  ) -> MetricRow {
    let ratio = amounts?.perEvent(of: persons)
    let margin =
      persons > 1
      ? ratio.map { MetricRows.z95 * ($0.variance / Double(persons)).squareRoot() } : nil
    return MetricRow(
      slice: slice, metric: .goalValuePerEvent, step: goal,
      denominator: Int(clamping: amounts?.events.events ?? 0), value: ratio?.mean,
      low: margin.flatMap { margin in ratio.map { $0.mean - margin } },
      high: margin.flatMap { margin in ratio.map { $0.mean + margin } }, unit: .amount)
  }

  private func jointRows(_ slice: Slice, _ unmeasured: Unmeasured) -> [MetricRow] {
    let names = flow.permissions
    let persons = table.count(slice, layout[.persons])
    var rows: [MetricRow] = []
    for first in names.indices {
      for second in names.indices where second > first {
        for firstClass in PermissionClass.allCases {
          for secondClass in PermissionClass.allCases {
            let count = table.count(
              slice, layout.joint(first, firstClass, second, secondClass))
            guard count > 0 else { continue }
            let step =
              "\(names[first])=\(firstClass.name),\(names[second])=\(secondClass.name)"
            var row = MetricRows.rate(
              slice, .permissionJoint, step, numerator: count, denominator: persons,
              interval: flow.statistics.rateInterval)
            if unmeasured.contains(.permissionJoint, step: step) {
              (row.value, row.low, row.high) = (nil, nil, nil)
            }
            rows.append(row)
          }
        }
      }
    }
    return rows
  }
}
