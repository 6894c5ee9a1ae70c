internal import FlowDefinition
internal import Timelines

/// Adds one attempt after another to counters, by numbers instead of names; gives a `Tally` with
/// names at the end. One recorder serves one worker.
struct TallyRecorder {
  let compiled: CompiledFlow
  let layout: CounterLayout
  private let attemptCounters: AttemptCounters
  private let cohorts: EvaluationOptions.CohortUnit
  private let calendar: CivilCalendar
  private(set) var groups: [GroupCodes] = []
  /// Group numbers by the evaluator's number of the combination; −1 for none yet.
  private var groupOfCombination: [Int] = []
  /// For each breakdown number the breakdowns whose cells it adds to.
  private(set) var breakdowns: [[BreakdownKey]]
  /// The numbers of breakdowns that stand alone.
  private var numberOfBreakdown: [BreakdownKey: Int] = [:]
  /// Breakdown numbers by dimension and value code.
  private var breakdownOfCode: [[UInt32: Int]]
  /// Of the first codes, which nearly all persons have, by index; −1 for none yet.
  private var breakdownOfSmallCode: [[Int]]
  /// Breakdown numbers by day since the calendar's first; −1 for none yet.
  private var breakdownOfDay: [Int] = []
  /// For each group the row of each breakdown; −1 for none yet.
  private var rowOf: [[Int]] = []
  private(set) var rowKeys: [(group: Int, breakdown: Int)] = []
  private(set) var counters: CounterRows
  /// Persons by row, goal and value: numbers of the first two, a code of the last.
  private(set) var goalValues = KeyedRows(keyWidth: 3, width: 4)
  private(set) var amounts: [GoalCode: AmountSum] = [:]
  private(set) var amountEvents: [GoalCode: AmountEvents] = [:]
  /// By group instead of row.
  private(set) var amountHistograms: [GoalCode: AmountHistogram] = [:]
  /// Times and survival, `histogramsOfGroup` for each group.
  private(set) var times = TimeRecorder()
  private(set) var nextEvents = NextEventRecorder()
  /// A row for each group.
  private(set) var transitions: CounterRows
  private(set) var strata: StratumRecorder
  /// By row, of dimensions that are releases of the app.
  private(set) var releaseDays: [RowDay: ReleaseDay.Counts] = [:]
  private let releases: [Bool]
  private(set) var versionDays: VersionDayRecorder
  /// How many started, by day since the calendar's first.
  private(set) var startsOfDay: [Int] = []
  private(set) var progress: ProgressRecorder
  private(set) var crossings: CrossingRecorder
  private(set) var clusters: ClusterRecorder
  /// The counters that the person adds one to; room for all.
  private var increments: [Int32]
  private var rows: [Int] = []
  private var goalValueKey: [UInt32] = [0, 0, 0]
  private let goalsWithValue: [Int]
  private let goalsWithAmount: [Int]

  private static let smallCodes = 1024

  struct GroupCodes {
    var version: UInt32
    var variants: [[UInt32]]
    var standings: [ExperimentStanding]
  }
  struct GoalCode: Hashable {
    var row: Int
    var goal: Int
  }
  struct RowDay: Hashable {
    var row: Int
    var day: Int
  }

  init(_ compiled: CompiledFlow, options: EvaluationOptions, calendar: CivilCalendar) {
    self.compiled = compiled
    self.calendar = calendar
    layout = CounterLayout(compiled.flow)
    counters = CounterRows(width: layout.count)
    transitions = CounterRows(width: compiled.transitions.count)
    attemptCounters = AttemptCounters(compiled)
    increments = Array(repeating: 0, count: layout.count)
    cohorts = options.cohorts
    strata = StratumRecorder(compiled.flow)
    crossings = CrossingRecorder(DimensionCrossing.all(compiled.flow), width: layout.count)
    clusters = ClusterRecorder(layout)
    releases = compiled.flow.dimensions.map(\.isRelease)
    versionDays = VersionDayRecorder(layout, isCounted: compiled.flow.newestVersion != nil)
    progress = ProgressRecorder(layout, lists: compiled.lists.all.map(\.steps))
    goalsWithValue = compiled.goalValuePlaces.indices.filter {
      compiled.goalValuePlaces[$0] != nil
    }
    goalsWithAmount = compiled.flow.goals.indices.filter { compiled.flow.goals[$0].value != nil }
    breakdowns = TallyRecorder.stateBreakdowns()
    breakdownOfCode = Array(repeating: [:], count: compiled.flow.dimensions.count)
    breakdownOfSmallCode = Array(
      repeating: Array(repeating: -1, count: TallyRecorder.smallCodes),
      count: compiled.flow.dimensions.count)
  }

  /// Everybody, use of skip and outcome: one row for each pair of the last two adds to three cells.
  private static func stateBreakdowns() -> [[BreakdownKey]] {
    ["no", "yes"].flatMap { use in
      Outcome.allCases.map { outcome in
        [
          .all, BreakdownKey(dimension: BreakdownKey.usedSkip, value: use),
          BreakdownKey(dimension: BreakdownKey.outcome, value: outcome.name),
        ]
      }
    }
  }

  /// Histograms of a group: steps, the whole, goals and going on from steps (from the last step to
  /// the first), of those who did not use skip and of those
  /// who did; then those of survival.
  var histogramsOfGroup: Int { 2 * timeMeasures + SurvivalMeasure.allCases.count }
  var timeMeasures: Int { 2 * layout.stepCount + 1 + layout.goalCount }

  mutating func add(_ attempt: Attempt, funnels: [Int]) {
    let group = groupNumber(attempt)
    let day = calendar.day(of: attempt.entryMilliseconds)
    countStart(on: day)
    collectRows(attempt, group, day)
    let listed = listIncrements(attempt, funnels)
    counters.add(increments, listed, to: rows)
    crossings.add(attempt, group: group, increments, listed)
    clusters.add(attempt, group: group, increments, listed)
    versionDays.add(attempt, day: day, increments, listed)
    addGoalValues(attempt)
    addAmounts(attempt, group)
    addSurvival(attempt, group)
    guard attempt.isMature else { return }
    progress.add(attempt, day: day)
    addTimes(attempt, group)
    transitions.add(attempt.transitions, to: group)
    if !attempt.outcome.isFinished {
      let list = compiled.lists.all[attempt.list].steps
      let furthest = attempt.furthestPlace < 0 ? -1 : list[attempt.furthestPlace]
      nextEvents.add(attempt, furthest: furthest, group: group)
    }
    let weekday = ((day + 3) % 7 + 7) % 7
    strata.add(attempt, group: group, week: day - weekday)
  }

  private mutating func countStart(on day: Int) {
    let index = day - CivilCalendar.firstDay
    while startsOfDay.count <= index { startsOfDay.append(0) }
    startsOfDay[index] += 1
  }

  /// Counts what was only noted so far, and gives the histograms away; called once, at the end.
  mutating func takeTimes() -> [TimeHistogram] {
    strata.finish()
    return times.finish()
  }

  private mutating func groupNumber(_ attempt: Attempt) -> Int {
    if attempt.combination < groupOfCombination.count {
      let known = groupOfCombination[attempt.combination]
      if known >= 0 { return known }
    }
    while groupOfCombination.count <= attempt.combination { groupOfCombination.append(-1) }
    groupOfCombination[attempt.combination] = groups.count
    groups.append(
      GroupCodes(
        version: attempt.version, variants: attempt.variants, standings: attempt.standings))
    rowOf.append([])
    times.addHistograms(histogramsOfGroup)
    _ = transitions.addRow()
    return groups.count - 1
  }

  private mutating func listIncrements(_ attempt: Attempt, _ funnels: [Int]) -> Int {
    // Taken out, so that it can be filled while the rest of the recorder is looked at.
    var increments: [Int32] = []
    swap(&increments, &self.increments)
    defer { swap(&increments, &self.increments) }
    var counters = increments.mutableSpan
    return attemptCounters.list(attempt, funnels, into: &counters)
  }

  private mutating func collectRows(_ attempt: Attempt, _ group: Int, _ day: Int) {
    rows.removeAll(keepingCapacity: true)
    let use = attempt.usedSkip ? Outcome.allCases.count : 0
    addRow(group, use + Int(attempt.outcome.rawValue))
    addRow(group, cohortBreakdown(day))
    for dimension in attempt.dimensions.indices {
      addRow(group, dimensionBreakdown(dimension, attempt.dimensions[dimension]))
      if releases[dimension] {
        let place = RowDay(row: rows[rows.count - 1], day: day)
        releaseDays[place, default: ReleaseDay.Counts()].add(attempt)
      }
    }
  }

  private mutating func cohortBreakdown(_ day: Int) -> Int {
    let index = day - CivilCalendar.firstDay
    if index < breakdownOfDay.count && breakdownOfDay[index] >= 0 { return breakdownOfDay[index] }
    let label = CivilCalendar.label(ofDay: day, unit: cohorts)
    let number = breakdownNumber(BreakdownKey(dimension: BreakdownKey.cohort, value: label))
    while breakdownOfDay.count <= index { breakdownOfDay.append(-1) }
    breakdownOfDay[index] = number
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
      dimension: compiled.flow.dimensions[dimension].id,
      value: compiled.dimensionName(dimension, code))
    let number = breakdownNumber(key)
    if code < UInt32(TallyRecorder.smallCodes) {
      breakdownOfSmallCode[dimension][Int(code)] = number
    } else {
      breakdownOfCode[dimension][code] = number
    }
    return number
  }

  private mutating func breakdownNumber(_ key: BreakdownKey) -> Int {
    if let known = numberOfBreakdown[key] { return known }
    numberOfBreakdown[key] = breakdowns.count
    breakdowns.append([key])
    return breakdowns.count - 1
  }

  private mutating func addRow(_ group: Int, _ breakdown: Int) {
    if breakdown >= rowOf[group].count || rowOf[group][breakdown] < 0 {
      while rowOf[group].count <= breakdown { rowOf[group].append(-1) }
      rowOf[group][breakdown] = counters.addRow()
      rowKeys.append((group, breakdown))
    }
    rows.append(rowOf[group][breakdown])
  }

  private mutating func addGoalValues(_ attempt: Attempt) {
    for goal in goalsWithValue where attempt.goals[goal].isReached {
      goalValueKey[1] = UInt32(truncatingIfNeeded: goal)
      goalValueKey[2] = attempt.goals[goal].value
      for row in rows {
        goalValueKey[0] = UInt32(truncatingIfNeeded: row)
        let place = goalValues.row(goalValueKey)
        goalValues.add(1, to: place, 3)
      }
    }
  }

  private mutating func addAmounts(_ attempt: Attempt, _ group: Int) {
    for goal in goalsWithAmount where attempt.goals[goal].isReached {
      let amount = attempt.goals[goal].amountMillionths
      for row in rows { amounts[GoalCode(row: row, goal: goal), default: AmountSum()].add(amount) }
      if compiled.flow.goals[goal].countsAmountPerEvent {
        for row in rows {
          amountEvents[GoalCode(row: row, goal: goal), default: AmountEvents()]
            .add(amount, events: attempt.goals[goal].amountCount)
        }
      }
      if compiled.flow.goals[goal].winsorisedAt != nil {
        amountHistograms[GoalCode(row: group, goal: goal), default: AmountHistogram()]
          .record(amount)
      }
    }
  }

  private mutating func addTimes(_ attempt: Attempt, _ group: Int) {
    let base = group * histogramsOfGroup + (attempt.usedSkip ? timeMeasures : 0)
    for step in attempt.stepMilliseconds.indices {
      if attempt.stepMilliseconds[step] >= 0 {
        times.record(attempt.stepMilliseconds[step], in: base + step)
      }
      if attempt.moveOnMilliseconds[step] >= 0 {
        times.record(attempt.moveOnMilliseconds[step], in: base + timeMeasures - 1 - step)
      }
    }
    if attempt.outcome.isFinished {
      times.record(
        attempt.endMilliseconds - attempt.entryMilliseconds, in: base + layout.stepCount)
    }
    for goal in attempt.goals.indices where attempt.goals[goal].isReached {
      times.record(
        attempt.goals[goal].sinceAnchorMilliseconds, in: base + layout.stepCount + 1 + goal)
    }
  }

  private mutating func addSurvival(_ attempt: Attempt, _ group: Int) {
    let horizon = attempt.horizonMilliseconds - attempt.entryMilliseconds
    let spent = attempt.endMilliseconds - attempt.entryMilliseconds
    let measure: SurvivalMeasure =
      switch attempt.outcome {
      case .finished, .finishedAfterSkipping: .finished
      case .skipped: .skipped
      case .abandoned: .abandoned
      case .open: .censored
      }
    let base = group * histogramsOfGroup + 2 * timeMeasures
    times.record(attempt.outcome == .open ? horizon : spent, in: base + measure.index)
    if attempt.firstReturnMilliseconds >= 0 {
      times.record(
        attempt.firstReturnMilliseconds, in: base + SurvivalMeasure.returned.index)
    } else {
      times.record(horizon, in: base + SurvivalMeasure.returnCensored.index)
    }
  }
}
