internal import FlowDefinition
internal import Timelines

/// Adds one attempt after another to counters, by numbers instead of names; gives a `Tally` with
/// names at the end. One recorder serves one worker.
struct TallyRecorder {
  private let compiled: CompiledFlow
  private let layout: CounterLayout
  private let attemptCounters: AttemptCounters
  private let cohorts: EvaluationOptions.CohortUnit
  private let calendar: CivilCalendar
  private var groups: [GroupCodes] = []
  private var breakdowns: [BreakdownKey] = [.all]
  /// Breakdown numbers by dimension and value code.
  private var breakdownOfCode: [[UInt32: Int]]
  /// The same for the first codes, which nearly all persons have, by index; −1 for none yet.
  private var breakdownOfSmallCode: [[Int]]
  private var breakdownOfDay: [Int: Int] = [:]
  private var breakdownOfUse: [Int]
  private var breakdownOfOutcome: [Int]
  /// Row numbers by group and breakdown; −1 for none yet.
  private var rowOf: [[Int]] = []
  private var rowKeys: [(group: Int, breakdown: Int)] = []
  private var counts: [Int] = []
  private var goalValues: [GoalValueCode: Int] = [:]
  private var times: [[TimeHistogram]] = []
  private var survival: [[TimeHistogram]] = []
  private var strata: StratumRecorder
  private var increments: [Int] = []
  private var rows: [Int] = []

  private static let smallCodes = 1024

  private struct GroupCodes: Hashable {
    var version: UInt32
    var variants: [[UInt32]]
  }
  private struct GoalValueCode: Hashable {
    var row: Int
    var goal: Int
    var value: UInt32
  }

  init(_ compiled: CompiledFlow, options: EvaluationOptions, calendar: CivilCalendar) {
    self.compiled = compiled
    self.calendar = calendar
    layout = CounterLayout(compiled.flow)
    attemptCounters = AttemptCounters(compiled)
    cohorts = options.cohorts
    strata = StratumRecorder(compiled.flow)
    breakdownOfCode = Array(repeating: [:], count: compiled.flow.dimensions.count)
    breakdownOfSmallCode = Array(
      repeating: Array(repeating: -1, count: TallyRecorder.smallCodes),
      count: compiled.flow.dimensions.count)
    for value in ["no", "yes"] {
      breakdowns.append(BreakdownKey(dimension: BreakdownKey.usedSkip, value: value))
    }
    breakdownOfUse = [1, 2]
    breakdownOfOutcome = []
    for outcome in Outcome.allCases {
      breakdownOfOutcome.append(breakdowns.count)
      breakdowns.append(BreakdownKey(dimension: BreakdownKey.outcome, value: outcome.name))
    }
  }

  mutating func add(_ attempt: Attempt, funnels: [UInt64]) {
    let group = groupNumber(attempt)
    collectRows(attempt, group)
    increments.removeAll(keepingCapacity: true)
    attemptCounters.list(attempt, funnels, into: &increments)
    for row in rows {
      let base = row * layout.count
      for counter in increments { counts[base + counter] += 1 }
    }
    addGoalValues(attempt)
    addTimes(attempt, group)
    addSurvival(attempt, group)
    addStratum(attempt, group)
  }

  private mutating func groupNumber(_ attempt: Attempt) -> Int {
    let known = groups.firstIndex {
      $0.version == attempt.version && $0.variants == attempt.variants
    }
    if let known { return known }
    groups.append(GroupCodes(version: attempt.version, variants: attempt.variants))
    rowOf.append([])
    let flow = compiled.flow
    let measures = (flow.steps.count + 1 + flow.goals.count) * 2
    times.append(Array(repeating: TimeHistogram(), count: measures))
    survival.append(Array(repeating: TimeHistogram(), count: SurvivalMeasure.allCases.count))
    return groups.count - 1
  }

  private mutating func collectRows(_ attempt: Attempt, _ group: Int) {
    rows.removeAll(keepingCapacity: true)
    addRow(group, 0)
    addRow(group, breakdownOfUse[attempt.usedSkip ? 1 : 0])
    addRow(group, breakdownOfOutcome[Int(attempt.outcome.rawValue)])
    let day = calendar.day(of: attempt.entryMilliseconds)
    addRow(group, cohortBreakdown(day))
    for (dimension, code) in attempt.dimensions.enumerated() {
      addRow(group, dimensionBreakdown(dimension, code))
    }
  }

  private mutating func cohortBreakdown(_ day: Int) -> Int {
    if let known = breakdownOfDay[day] { return known }
    let label = CivilCalendar.label(ofDay: day, unit: cohorts)
    let number = breakdownNumber(BreakdownKey(dimension: BreakdownKey.cohort, value: label))
    breakdownOfDay[day] = number
    return number
  }

  private mutating func dimensionBreakdown(_ dimension: Int, _ code: UInt32) -> Int {
    if code < UInt32(TallyRecorder.smallCodes) {
      let known = breakdownOfSmallCode[dimension][Int(code)]
      if known >= 0 { return known }
    } else if let known = breakdownOfCode[dimension][code] {
      return known
    }
    let key = BreakdownKey(
      dimension: compiled.flow.dimensions[dimension].id, value: dimensionName(dimension, code))
    let number = breakdownNumber(key)
    if code < UInt32(TallyRecorder.smallCodes) {
      breakdownOfSmallCode[dimension][Int(code)] = number
    } else {
      breakdownOfCode[dimension][code] = number
    }
    return number
  }

  private mutating func breakdownNumber(_ key: BreakdownKey) -> Int {
    if let known = breakdowns.firstIndex(of: key) { return known }
    breakdowns.append(key)
    return breakdowns.count - 1
  }

  private mutating func addRow(_ group: Int, _ breakdown: Int) {
    while rowOf[group].count <= breakdown { rowOf[group].append(-1) }
    if rowOf[group][breakdown] < 0 {
      rowOf[group][breakdown] = rowKeys.count
      rowKeys.append((group, breakdown))
      counts.append(contentsOf: repeatElement(0, count: layout.count))
    }
    rows.append(rowOf[group][breakdown])
  }

  private mutating func addGoalValues(_ attempt: Attempt) {
    for (goal, result) in attempt.goals.enumerated()
    where result.isReached && compiled.goalValuePlaces[goal] != nil {
      for row in rows {
        goalValues[GoalValueCode(row: row, goal: goal, value: result.value), default: 0] += 1
      }
    }
  }

  private mutating func addTimes(_ attempt: Attempt, _ group: Int) {
    guard attempt.isMature else { return }
    let steps = compiled.flow.steps.count
    let base = attempt.usedSkip ? times[group].count / 2 : 0
    for (step, spent) in attempt.stepMilliseconds.enumerated() where spent >= 0 {
      times[group][base + step].record(spent)
    }
    if attempt.outcome == .finished {
      times[group][base + steps].record(attempt.endMilliseconds - attempt.entryMilliseconds)
    }
    for (goal, result) in attempt.goals.enumerated() where result.isReached {
      times[group][base + steps + 1 + goal].record(result.sinceAnchorMilliseconds)
    }
  }

  private mutating func addSurvival(_ attempt: Attempt, _ group: Int) {
    let horizon = attempt.horizonMilliseconds - attempt.entryMilliseconds
    let spent = attempt.endMilliseconds - attempt.entryMilliseconds
    let measure: SurvivalMeasure =
      switch attempt.outcome {
      case .finished: .finished
      case .skipped: .skipped
      case .abandoned: .abandoned
      case .open: .censored
      }
    record(measure, attempt.outcome == .open ? horizon : spent, group)
    if attempt.firstReturnMilliseconds >= 0 {
      record(.returned, attempt.firstReturnMilliseconds, group)
    } else {
      record(.returnCensored, horizon, group)
    }
  }

  private mutating func record(_ measure: SurvivalMeasure, _ time: Int64, _ group: Int) {
    survival[group][measure.index].record(time)
  }

  private mutating func addStratum(_ attempt: Attempt, _ group: Int) {
    guard attempt.isMature else { return }
    let day = calendar.day(of: attempt.entryMilliseconds)
    let weekday = ((day + 3) % 7 + 7) % 7
    strata.add(attempt, group: group, week: day - weekday)
  }

  private func dimensionName(_ dimension: Int, _ code: UInt32) -> String {
    compiled.tables.name(ofContextValue: code, at: compiled.dimensionPlaces[dimension])
  }

  /// The counts with their names.
  func tally(quality: QualityCounts) -> Tally {
    var tally = Tally(layout: layout, quality: quality)
    let names = groups.map(groupKey)
    func cell(_ row: Int) -> CellKey {
      CellKey(group: names[rowKeys[row].group], breakdown: breakdowns[rowKeys[row].breakdown])
    }
    for row in rowKeys.indices {
      let own = counts[(row * layout.count)..<((row + 1) * layout.count)]
      let key = cell(row)
      // Values that read alike, such as several `(other)`, share a cell.
      if tally.cells[key] == nil {
        tally.cells[key] = Array(own)
      } else {
        for (index, count) in own.enumerated() { tally.cells[key]?[index] += count }
      }
    }
    for (code, count) in goalValues {
      let place = compiled.goalValuePlaces[code.goal] ?? 0
      let value = compiled.tables.name(ofActionValue: code.value, at: place)
      let key = GoalValueKey(cell: cell(code.row), goal: code.goal, value: value)
      tally.goalValues[key, default: 0] += count
    }
    nameTimes(names, &tally)
    nameStrata(names, &tally)
    return tally
  }

  private func nameTimes(_ names: [GroupKey], _ tally: inout Tally) {
    let steps = compiled.flow.steps.count
    for (group, histograms) in times.enumerated() {
      for (index, histogram) in histograms.enumerated() where histogram.count > 0 {
        let measure = index % (histograms.count / 2)
        let key = TimeKey(
          group: names[group], usedSkip: index >= histograms.count / 2,
          measure: measure < steps
            ? .step(measure) : measure == steps ? .complete : .goal(measure - steps - 1))
        tally.times[key, default: TimeHistogram()].merge(histogram)
      }
    }
    for (group, histograms) in survival.enumerated() {
      for (measure, histogram) in zip(SurvivalMeasure.allCases, histograms)
      where histogram.count > 0 {
        tally.survival[SurvivalKey(group: names[group], measure: measure), default: .init()]
          .merge(histogram)
      }
    }
  }

  private func groupKey(_ codes: GroupCodes) -> GroupKey {
    let none = compiled.flow.newestVersion ?? "(none)"
    let version =
      codes.version == 0 ? none : compiled.tables.name(ofContextValue: codes.version, at: 1)
    let variants = codes.variants.enumerated().map { experiment, values in
      let place = compiled.variantPlaces[experiment]
      let names = values.map { compiled.tables.name(ofContextValue: $0, at: place) }
      return switch names.count {
      case 0: VariantState.unassigned
      case 1: VariantState.assigned(names[0])
      default:
        VariantState.contaminated(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      }
    }
    return GroupKey(version: version, variants: variants)
  }
}

// Strata with their names.
extension TallyRecorder {
  /// There may be many more combinations than are kept: all are hashed, and only those that stay
  /// are named one by one.
  private func nameStrata(_ names: [GroupKey], _ tally: inout Tally) {
    var labels = StratumLabels(dimensions: compiled.flow.dimensions.count)
    var values: [String] = []
    let hashes = (0..<strata.count).map { index -> UInt64 in
      let stratum = strata.stratum(index)
      labels.write(stratum, into: &values) { dimensionName($0, $1) }
      return StrataTable.stableHash(names[stratum.group], stratum.outcome, values)
    }
    let bound = StrataTable.bound(hashes, limit: tally.strata.limit)
    for (index, hash) in hashes.enumerated() {
      let stratum = strata.stratum(index)
      if hash > bound {
        tally.strata.addToOther(names[stratum.group], stratum.outcome, strata.counts(index))
        continue
      }
      labels.write(stratum, into: &values) { dimensionName($0, $1) }
      tally.strata.add(
        StrataTable.Key(group: names[stratum.group], outcome: stratum.outcome, values: values),
        strata.counts(index))
    }
    tally.strata.prune()
  }
}
