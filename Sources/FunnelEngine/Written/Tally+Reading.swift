public import FlowDefinition
internal import Timelines

/// What was written down → a tally.
///
/// Every list must have the length that the flow gives it, and every count must be one that many
/// tallies can be added up to without an overflow.
extension Tally {
  /// The counts, if each can be one.
  private static func sound(_ counts: [Int], length: Int? = nil) throws(TallyMisfit) -> [Int] {
    guard WrittenNumbers.areSound(counts), counts.count == length ?? counts.count
    else { throw TallyMisfit() }
    return counts
  }

  private mutating func readReleaseDays(_ record: TallyRecord) throws(TallyMisfit) {
    for row in record.releaseDays {
      let counts = try Tally.sound(row.counts)
      guard counts.count.isMultiple(of: 4) else { throw TallyMisfit() }
      for place in stride(from: 0, to: counts.count, by: 4) {
        let found = ReleaseDay.Counts(
          started: counts[place + 1], persons: counts[place + 2], finished: counts[place + 3])
        let day = ReleaseDay(
          release: BreakdownKey(dimension: row.dimension, value: row.value), day: counts[place])
        guard CivilCalendar.days.contains(day.day), found.finished <= found.persons,
          found.persons <= found.started, releaseDays.updateValue(found, forKey: day) == nil
        else { throw TallyMisfit() }
      }
    }
  }

  private mutating func readVersionDays(_ record: TallyRecord) throws(TallyMisfit) {
    for row in record.versionDays {
      let key = VersionDays.Key(version: row.version, day: row.day)
      guard CivilCalendar.days.contains(row.day), versionDays.counts[key] == nil else {
        throw TallyMisfit()
      }
      versionDays.add(
        key, try Tally.sound(row.counts, length: versionDays.columns.counters.count))
    }
  }

  private mutating func readStarts(_ record: TallyRecord) throws(TallyMisfit) {
    let counts = try Tally.sound(record.starts)
    guard counts.count.isMultiple(of: 2) else { throw TallyMisfit() }
    for place in stride(from: 0, to: counts.count, by: 2) {
      guard CivilCalendar.days.contains(counts[place]), counts[place + 1] > 0,
        starts.updateValue(counts[place + 1], forKey: counts[place]) == nil
      else { throw TallyMisfit() }
    }
    for row in record.progress {
      let counts = try Tally.sound(Array(row.dropFirst()), length: progressLayout.count)
      guard let day = row.first, CivilCalendar.days.contains(day),
        progress.updateValue(counts, forKey: day) == nil
      else { throw TallyMisfit() }
    }
    guard let first = record.wholeDays.first else { return }
    guard record.wholeDays.count == 2, let last = record.wholeDays.last, first <= last,
      CivilCalendar.days.contains(first), CivilCalendar.days.contains(last)
    else { throw TallyMisfit() }
    wholeDays = first...last
  }

  /// - Parameter flow: the one that the tally was made for.
  /// - Throws: `TallyMisfit` where the record does not fit the flow.
  public init(_ record: TallyRecord, flow: Flow) throws(TallyMisfit) {
    var quality = record.quality
    quality.eventNames = Set(record.eventNames)
    quality.goalsWithoutNumber = Set(record.goalsWithoutNumber)
    quality.goalsWithLostNumbers = Set(record.goalsWithLostNumbers)
    guard quality.fits(flow), WrittenNumbers.areSound(in: quality) else { throw TallyMisfit() }
    self.init(layout: CounterLayout(flow), quality: quality)
    let groups = try TallyGroups(record.groups, experiments: flow.experiments)
    cells = try Tally.cells(record.cells, groups, width: layout.count)
    crossedCells = try Tally.cells(record.crossedCells, groups, width: layout.count)
    for row in record.transitions {
      transitions[try groups.group(row.group)] = try Tally.sound(
        row.counts, length: transitionLayout.count)
    }
    try readGoals(record, groups, flow)
    try readTimes(record, groups, flow)
    for row in record.strata {
      guard let outcome = UInt8(exactly: row.outcome).flatMap(Outcome.init(rawValue:)),
        StrataTable.areValues(row.values, of: flow)
      else { throw TallyMisfit() }
      strata.add(
        StrataTable.Key(
          group: try groups.group(row.group), outcome: outcome, values: row.values),
        try Tally.sound(row.counts, length: StratumRecorder.counterCount(flow)))
    }
    strata.prune()
    try readReleaseDays(record)
    try readVersionDays(record)
    try readStarts(record)
    for row in record.accounts {
      let sums = try Tally.numbers(row.sums)
      guard sums.count.isMultiple(of: 2) else { throw TallyMisfit() }
      let written = ClusterTable.Row(
        words: row.words,
        amounts: stride(from: 0, to: sums.count, by: 2).map {
          AmountSum(millionths: sums[$0], squares: sums[$0 + 1])
        })
      guard clusters.fits(written) else { throw TallyMisfit() }
      clusters.add(written)
    }
    if let people = record.people {
      guard people.isSound else { throw TallyMisfit() }
      self.people = OddPeople(people)
    }
    partialCohorts = Set(record.partialCohorts)
  }

  private static func cells(
    _ rows: [TallyRecord.Cell], _ groups: TallyGroups, width: Int
  ) throws(TallyMisfit) -> [CellKey: [Int]] {
    var cells: [CellKey: [Int]] = [:]
    for row in rows {
      cells[try key(row.group, row.dimension, row.value, groups)] = try sound(
        row.counts, length: width)
    }
    return cells
  }

  private static func key(
    _ group: Int, _ dimension: String, _ value: String, _ groups: TallyGroups
  ) throws(TallyMisfit) -> CellKey {
    CellKey(
      group: try groups.group(group),
      breakdown: BreakdownKey(dimension: dimension, value: value))
  }

  private static func numbers(_ digits: [String]) throws(TallyMisfit) -> [Int128] {
    var numbers: [Int128] = []
    for digits in digits {
      // Sums of many must not overflow.
      guard let number = Int128(digits), number.magnitude < 1 << 100 else { throw TallyMisfit() }
      numbers.append(number)
    }
    return numbers
  }

  private mutating func readGoals(
    _ record: TallyRecord, _ groups: TallyGroups, _ flow: Flow
  ) throws(TallyMisfit) {
    func require(_ goal: Int) throws(TallyMisfit) {
      if !flow.goals.indices.contains(goal) { throw TallyMisfit() }
    }
    for row in record.goalValues {
      try require(row.goal)
      let cell = try Tally.key(row.group, row.dimension, row.value, groups)
      let people = try Tally.sound([row.people])[0]
      goalValues[GoalValueKey(cell: cell, goal: row.goal, value: row.name)] = people
    }
    for row in record.amounts {
      try require(row.goal)
      let cell = try Tally.key(row.group, row.dimension, row.value, groups)
      let sums = try Tally.numbers(row.sums)
      guard sums.count == 2 else { throw TallyMisfit() }
      amounts[GoalKey(cell: cell, goal: row.goal)] = AmountSum(
        millionths: sums[0], squares: sums[1])
    }
    for row in record.amountEvents {
      try require(row.goal)
      let cell = try Tally.key(row.group, row.dimension, row.value, groups)
      let sums = try Tally.numbers(row.sums)
      guard sums.count == 3 else { throw TallyMisfit() }
      amountEvents[GoalKey(cell: cell, goal: row.goal)] = AmountEvents(sums)
    }
    for row in record.amountHistograms {
      try require(row.goal)
      var rows: [AmountHistogram.Row] = []
      for bucket in row.buckets {
        let sums = try Tally.numbers(bucket.sums)
        guard sums.count == 3 else { throw TallyMisfit() }
        rows.append(
          AmountHistogram.Row(
            bucket: bucket.bucket, people: try Tally.sound([bucket.people])[0],
            sum: AmountSum(millionths: sums[0], squares: sums[1]), largest: sums[2]))
      }
      amountHistograms[
        GoalGroupKey(group: try groups.group(row.group), goal: row.goal)] = AmountHistogram(rows)
    }
  }

  private mutating func readTimes(
    _ record: TallyRecord, _ groups: TallyGroups, _ flow: Flow
  ) throws(TallyMisfit) {
    for row in record.times {
      let measure: TimeMeasure =
        switch (row.measure, row.index) {
        case ("step", let step?): .step(step)
        case ("moveOn", let step?): .moveOn(step)
        case ("complete", nil): .complete
        case ("goal", let goal?): .goal(goal)
        default: throw TallyMisfit()
        }
      let key = TimeKey(
        group: try groups.group(row.group), usedSkip: row.usedSkip, measure: measure)
      times[key] = try TimeHistogram(row.buckets)
    }
    for row in record.survival {
      guard let measure = SurvivalMeasure(rawValue: row.measure) else { throw TallyMisfit() }
      survival[SurvivalKey(group: try groups.group(row.group), measure: measure)] =
        try TimeHistogram(row.buckets)
    }
    for row in record.nextEvents {
      let event: NextEvent =
        switch (row.event, row.step, row.name) {
        case ("none", nil, nil): .none
        case ("view", let step?, nil): .view(step)
        case ("named", nil, let name?): .named(name)
        default: throw TallyMisfit()
        }
      guard row.furthest ?? 0 >= 0, row.furthest ?? 0 < max(1, flow.steps.count),
        row.buckets.count.isMultiple(of: 2)
      else { throw TallyMisfit() }
      var sparse = SparseTimes()
      for place in stride(from: 0, to: row.buckets.count - 1, by: 2) {
        guard let bucket = UInt16(exactly: row.buckets[place]) else { throw TallyMisfit() }
        sparse.record(bucket: bucket, count: try Tally.sound([row.buckets[place + 1]])[0])
      }
      nextEvents[
        NextEventKey(group: try groups.group(row.group), furthest: row.furthest, event: event)] =
        sparse
    }
  }
}

extension TimeHistogram {
  /// From buckets' lower edges in milliseconds and their counts.
  init(_ buckets: [Int64]) throws(TallyMisfit) {
    self.init()
    guard buckets.count.isMultiple(of: 2) else { throw TallyMisfit() }
    for place in stride(from: 0, to: buckets.count - 1, by: 2) {
      let count = Int(buckets[place + 1])
      guard buckets[place] >= 0, WrittenNumbers.areSound([count]) else { throw TallyMisfit() }
      record(buckets[place], count: count)
    }
  }
}
