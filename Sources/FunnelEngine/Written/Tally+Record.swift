/// A tally → what is written down of it.
extension Tally {
  /// Everything in a fixed order: the same tally gives the same bytes.
  public var record: TallyRecord {
    let groups = TallyGroups(groupKeys)
    return TallyRecord(
      groups: groups.records, cells: Tally.records(cells, groups),
      crossedCells: Tally.records(crossedCells, groups),
      transitions: transitions.map {
        TallyRecord.GroupCounts(group: groups.number($0.key), counts: $0.value)
      }.sorted { $0.group < $1.group },
      goalValues: goalValueRecords(groups), amounts: amountRecords(groups),
      amountEvents: amountEventRecords(groups), amountHistograms: histogramRecords(groups),
      times: timeRecords(groups), survival: survivalRecords(groups),
      nextEvents: nextEventRecords(groups), strata: stratumRecords(groups),
      releaseDays: releaseDayRecords, versionDays: versionDayRecords,
      starts: starts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] },
      progress: progress.sorted { $0.key < $1.key }.map { [$0.key] + $0.value },
      wholeDays: wholeDays.map { [$0.lowerBound, $0.upperBound] } ?? [],
      accounts: clusters.written.map { row in
        TallyRecord.Account(
          words: row.words,
          sums: row.amounts.flatMap { ["\($0.millionths)", "\($0.squares)"] })
      },
      quality: quality, eventNames: Tally.sorted(quality.eventNames),
      goalsWithoutNumber: quality.goalsWithoutNumber.sorted(),
      goalsWithLostNumbers: quality.goalsWithLostNumbers.sorted(), people: people?.record,
      partialCohorts: Tally.sorted(partialCohorts))
  }

  private var groupKeys: [GroupKey] {
    cells.keys.map(\.group) + crossedCells.keys.map(\.group) + Array(transitions.keys)
      + goalValues.keys.map(\.cell.group) + amounts.keys.map(\.cell.group)
      + amountEvents.keys.map(\.cell.group) + amountHistograms.keys.map(\.group)
      + times.keys.map(\.group) + survival.keys.map(\.group) + nextEvents.keys.map(\.group)
      + strata.rows.keys.map(\.group)
  }

  private static func sorted(_ names: Set<String>) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// In the order of groups, then of texts by their bytes, then of numbers.
  private static func precedes(
    _ left: (Int, [String], [Int]), _ right: (Int, [String], [Int])
  ) -> Bool {
    if left.0 != right.0 { return left.0 < right.0 }
    for (one, other) in zip(left.1, right.1) where one != other {
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    if left.1.count != right.1.count { return left.1.count < right.1.count }
    return left.2.lexicographicallyPrecedes(right.2)
  }

  private static func records(
    _ cells: [CellKey: [Int]], _ groups: TallyGroups
  ) -> [TallyRecord.Cell] {
    cells.map { key, counts in
      TallyRecord.Cell(
        group: groups.number(key.group), dimension: key.breakdown.dimension,
        value: key.breakdown.value, counts: counts)
    }.sorted {
      precedes(($0.group, [$0.dimension, $0.value], []), ($1.group, [$1.dimension, $1.value], []))
    }
  }

  private func goalValueRecords(_ groups: TallyGroups) -> [TallyRecord.GoalValue] {
    goalValues.map { key, people in
      TallyRecord.GoalValue(
        group: groups.number(key.cell.group), dimension: key.cell.breakdown.dimension,
        value: key.cell.breakdown.value, goal: key.goal, name: key.value, people: people)
    }.sorted {
      Tally.precedes(
        ($0.group, [$0.dimension, $0.value, $0.name], [$0.goal]),
        ($1.group, [$1.dimension, $1.value, $1.name], [$1.goal]))
    }
  }

  private func sums(
    _ key: GoalKey, _ sums: [Int128], _ groups: TallyGroups
  ) -> TallyRecord.GoalSums {
    TallyRecord.GoalSums(
      group: groups.number(key.cell.group), dimension: key.cell.breakdown.dimension,
      value: key.cell.breakdown.value, goal: key.goal, sums: sums.map { "\($0)" })
  }

  private static func ordered(_ rows: [TallyRecord.GoalSums]) -> [TallyRecord.GoalSums] {
    rows.sorted {
      precedes(
        ($0.group, [$0.dimension, $0.value], [$0.goal]),
        ($1.group, [$1.dimension, $1.value], [$1.goal]))
    }
  }

  private func amountRecords(_ groups: TallyGroups) -> [TallyRecord.GoalSums] {
    Tally.ordered(amounts.map { sums($0.key, [$0.value.millionths, $0.value.squares], groups) })
  }

  private func amountEventRecords(_ groups: TallyGroups) -> [TallyRecord.GoalSums] {
    Tally.ordered(amountEvents.map { sums($0.key, $0.value.written, groups) })
  }

  private func histogramRecords(_ groups: TallyGroups) -> [TallyRecord.AmountBuckets] {
    amountHistograms.map { key, histogram in
      TallyRecord.AmountBuckets(
        group: groups.number(key.group), goal: key.goal,
        buckets: histogram.rows.map {
          TallyRecord.AmountBucket(
            bucket: $0.bucket, people: $0.people,
            sums: ["\($0.sum.millionths)", "\($0.sum.squares)", "\($0.largest)"])
        })
    }.sorted { ($0.group, $0.goal) < ($1.group, $1.goal) }
  }

  private func timeRecords(_ groups: TallyGroups) -> [TallyRecord.Times] {
    times.map { key, histogram in
      let (measure, index): (String, Int?) =
        switch key.measure {
        case .step(let step): ("step", step)
        case .moveOn(let step): ("moveOn", step)
        case .complete: ("complete", nil)
        case .goal(let goal): ("goal", goal)
        }
      return TallyRecord.Times(
        group: groups.number(key.group), usedSkip: key.usedSkip, measure: measure, index: index,
        buckets: histogram.buckets.flatMap { [$0.lowerEdgeMilliseconds, Int64($0.count)] })
    }.sorted {
      Tally.precedes(
        ($0.group, [$0.measure], [$0.index ?? -1, $0.usedSkip ? 1 : 0]),
        ($1.group, [$1.measure], [$1.index ?? -1, $1.usedSkip ? 1 : 0]))
    }
  }

  private func survivalRecords(_ groups: TallyGroups) -> [TallyRecord.Survival] {
    survival.map { key, histogram in
      TallyRecord.Survival(
        group: groups.number(key.group), measure: key.measure.rawValue,
        buckets: histogram.buckets.flatMap { [$0.lowerEdgeMilliseconds, Int64($0.count)] })
    }.sorted { Tally.precedes(($0.group, [$0.measure], []), ($1.group, [$1.measure], [])) }
  }

  private func nextEventRecords(_ groups: TallyGroups) -> [TallyRecord.Next] {
    nextEvents.map { key, times in
      var record = TallyRecord.Next(
        group: groups.number(key.group), furthest: key.furthest, event: "none", step: nil,
        name: nil, buckets: times.buckets.flatMap { [$0.bucket, $0.count] })
      switch key.event {
      case .none: break
      case .view(let step): (record.event, record.step) = ("view", step)
      case .named(let name): (record.event, record.name) = ("named", name)
      }
      return record
    }.sorted {
      Tally.precedes(
        ($0.group, [$0.event, $0.name ?? ""], [$0.furthest ?? -1, $0.step ?? -1]),
        ($1.group, [$1.event, $1.name ?? ""], [$1.furthest ?? -1, $1.step ?? -1]))
    }
  }

  private var releaseDayRecords: [TallyRecord.ReleaseDays] {
    Dictionary(grouping: releaseDays, by: \.key.release).map { key, days in
      TallyRecord.ReleaseDays(
        dimension: key.dimension, value: key.value,
        counts: days.sorted { $0.key.day < $1.key.day }.flatMap {
          [$0.key.day, $0.value.started, $0.value.persons, $0.value.finished]
        })
    }.sorted {
      Tally.precedes((0, [$0.dimension, $0.value], []), (0, [$1.dimension, $1.value], []))
    }
  }

  private var versionDayRecords: [TallyRecord.VersionDay] {
    versionDays.counts.map { key, counts in
      TallyRecord.VersionDay(version: key.version, day: key.day, counts: counts)
    }.sorted { Tally.precedes((0, [$0.version], [$0.day]), (0, [$1.version], [$1.day])) }
  }

  private func stratumRecords(_ groups: TallyGroups) -> [TallyRecord.Stratum] {
    strata.rows.map { key, counts in
      TallyRecord.Stratum(
        group: groups.number(key.group), outcome: Int(key.outcome.rawValue), values: key.values,
        counts: counts)
    }.sorted {
      Tally.precedes(($0.group, $0.values, [$0.outcome]), ($1.group, $1.values, [$1.outcome]))
    }
  }
}
