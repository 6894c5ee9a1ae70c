internal import FlowDefinition
internal import Timelines

// The counts with their names.
extension TallyRecorder {
  /// What was counted; the recorder is used up.
  mutating func tally(quality: QualityCounts) -> Tally {
    let histograms = takeTimes()
    var tally = Tally(layout: layout, quality: quality)
    let names = groups.map(groupKey)
    nameCells(names, &tally)
    crossings.name(names, compiled, &tally.crossedCells)
    clusters.name(names, compiled, &tally.clusters)
    versionDays.name(compiled, &tally.versionDays)
    nameTimes(names, histograms, &tally)
    nextEvents.name(names, compiled, &tally.nextEvents)
    nameTransitions(names, &tally)
    nameStrata(names, &tally)
    return tally
  }

  private func nameCells(_ names: [GroupKey], _ tally: inout Tally) {
    var keys: [[CellKey]] = []
    for row in rowKeys.indices {
      let group = names[rowKeys[row].group]
      keys.append(
        breakdowns[rowKeys[row].breakdown].map { CellKey(group: group, breakdown: $0) })
      // Values that read alike, such as several `(other)`, share a cell.
      for key in keys[row] {
        counters.add(
          row, to: &tally.cells[key, default: Array(repeating: 0, count: layout.count)])
      }
    }
    for (index, people) in startsOfDay.enumerated() where people > 0 {
      tally.starts[CivilCalendar.firstDay + index] = people
    }
    tally.progress = progress.days
    for (place, counts) in releaseDays {
      for key in keys[place.row] {
        let day = ReleaseDay(release: key.breakdown, day: place.day)
        tally.releaseDays[day] = (tally.releaseDays[day] ?? ReleaseDay.Counts()) + counts
      }
    }
    for (code, sum) in amounts {
      for cell in keys[code.row] {
        tally.amounts[GoalKey(cell: cell, goal: code.goal), default: AmountSum()].add(sum)
      }
    }
    for (code, events) in amountEvents {
      for cell in keys[code.row] {
        tally.amountEvents[GoalKey(cell: cell, goal: code.goal), default: AmountEvents()]
          .add(events)
      }
    }
    for (code, histogram) in amountHistograms {
      let key = GoalGroupKey(group: names[code.row], goal: code.goal)
      tally.amountHistograms[key, default: AmountHistogram()].merge(histogram)
    }
    for row in 0..<goalValues.count {
      let goal = Int(goalValues.word(row, 1))
      let place = compiled.goalValuePlaces[goal] ?? 0
      let value = compiled.tables.name(ofActionValue: goalValues.word(row, 2), at: place)
      for cell in keys[Int(goalValues.word(row, 0))] {
        let key = GoalValueKey(cell: cell, goal: goal, value: value)
        tally.goalValues[key, default: 0] += Int(goalValues.word(row, 3))
      }
    }
  }

  private func nameTransitions(_ names: [GroupKey], _ tally: inout Tally) {
    for (group, name) in names.enumerated() {
      transitions.add(
        group,
        to: &tally.transitions[name, default: Array(repeating: 0, count: transitions.width)])
    }
  }

  private func nameTimes(
    _ names: [GroupKey], _ histograms: [TimeHistogram], _ tally: inout Tally
  ) {
    for (index, histogram) in histograms.enumerated() where histogram.count > 0 {
      let group = names[index / histogramsOfGroup]
      let place = index % histogramsOfGroup
      if place < 2 * timeMeasures {
        let key = TimeKey(
          group: group, usedSkip: place >= timeMeasures, measure: measure(at: place % timeMeasures))
        TallyRecorder.add(histogram, to: &tally.times[key])
      } else {
        let key = SurvivalKey(
          group: group, measure: SurvivalMeasure.allCases[place - 2 * timeMeasures])
        TallyRecorder.add(histogram, to: &tally.survival[key])
      }
    }
  }

  private func measure(at place: Int) -> TimeMeasure {
    let steps = layout.stepCount
    if place < steps { return .step(place) }
    if place == steps { return .complete }
    return place <= steps + layout.goalCount
      ? .goal(place - steps - 1) : .moveOn(timeMeasures - 1 - place)
  }

  /// Most histograms are the only one of their name: they need not be copied.
  private static func add(_ histogram: TimeHistogram, to sum: inout TimeHistogram?) {
    if sum == nil { sum = histogram } else { sum?.merge(histogram) }
  }

  private func groupKey(_ codes: GroupCodes) -> GroupKey {
    GroupKey(
      version: compiled.versionName(codes.version),
      variants: codes.variants.enumerated().map { experiment, values in
        compiled.variantState(values, codes.standings[experiment], in: experiment)
      }, periods: codes.standings.map(\.period))
  }

  /// There may be many more combinations than are kept: all are hashed, and only those that stay
  /// are named one by one.
  private func nameStrata(_ names: [GroupKey], _ tally: inout Tally) {
    var labels = StratumLabels(compiled)
    var hashes: [UInt64] = []
    hashes.reserveCapacity(strata.count)
    for index in 0..<strata.count {
      var hash = StableHash()
      labels.forEach(strata.stratum(index), index, strata) { hash.feed($0.bytes) }
      hashes.append(hash.value)
    }
    keepStrata(names, hashes, &labels, &tally)
  }

  /// The hashes of rows, one for each that the table will have: several codes may have one name,
  /// such as those of values and versions beyond the ones that are kept.
  private func distinctRows(_ names: [GroupKey], _ hashes: [UInt64]) -> [UInt64] {
    struct Row: Hashable {
      var hash: UInt64
      var group: Int
      var outcome: Outcome
    }
    var first: [GroupKey: Int] = [:]
    let groups = names.enumerated().map { index, name in
      let known = first[name] ?? index
      first[name] = known
      return known
    }
    var rows: Set<Row> = []
    for (index, hash) in hashes.enumerated() {
      let stratum = strata.stratum(index)
      rows.insert(Row(hash: hash, group: groups[stratum.group], outcome: stratum.outcome))
    }
    return rows.map(\.hash)
  }

  private func keepStrata(
    _ names: [GroupKey], _ hashes: [UInt64], _ labels: inout StratumLabels, _ tally: inout Tally
  ) {
    let limit = tally.strata.limit
    let bound = StrataTable.bound(
      hashes.count > limit ? distinctRows(names, hashes) : hashes, limit: limit)
    var others: [[Int]] = Array(repeating: [], count: names.count * Outcome.allCases.count)
    for (index, hash) in hashes.enumerated() {
      let stratum = strata.stratum(index)
      if hash > bound {
        if others[stratum.place].isEmpty { others[stratum.place] = strata.noCounts }
        strata.add(index, to: &others[stratum.place])
        continue
      }
      var values: [String] = []
      labels.forEach(stratum, index, strata) { values.append($0.text) }
      tally.strata.add(
        StrataTable.Key(group: names[stratum.group], outcome: stratum.outcome, values: values),
        strata.counts(index))
    }
    for (place, counts) in others.enumerated() where !counts.isEmpty {
      let outcome = Outcome.allCases[place % Outcome.allCases.count]
      tally.strata.addToOther(names[place / Outcome.allCases.count], outcome, counts)
    }
    tally.strata.prune()
  }
}
