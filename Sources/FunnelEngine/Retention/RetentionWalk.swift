/// One person's facts → the cohorts they are in, and in which periods they came back.
struct RetentionWalk {
  /// A start that windows are counted from; its place among the person's facts.
  struct Start {
    var place: Int
    var time: Int64
    var cohort: Int
  }

  private let rules: RetentionMatrixRules
  private let periods: Int
  private let windows: RetentionWindows
  private let horizon: Int64
  /// Dates of which hardly any events are there, where the rules ask; in order.
  private let missingDates: [Range<Int64>]
  /// When starts count; `nil` for always.
  private let startTimes: Range<Int64>?
  private var cameBack: [Bool]
  /// The starts of the person at hand that count, cohort by cohort.
  private(set) var starts: [Start] = []

  init(
    _ question: RetentionMatrix.Question, calendar: CivilCalendar, options: EvaluationOptions,
    startTimes: Range<Int64>?
  ) {
    rules = question.rules
    periods = question.periods
    windows = RetentionWindows(question, calendar: calendar)
    horizon = options.horizonMilliseconds
    missingDates = question.rules.onlyMature ? options.missingDates : []
    self.startTimes = startTimes
    cameBack = Array(repeating: false, count: question.periods + 1)
  }

  /// The starts that count; a timeline is in the order of time.
  mutating func findStarts(_ facts: [FunnelFact]) {
    starts.removeAll(keepingCapacity: true)
    var mark: Int64?
    for (place, fact) in facts.enumerated() where fact.steps & 1 != 0 {
      if !(startTimes?.contains(fact.time) ?? true) {
        if rules.cohorts == .first { return }
        continue
      }
      let cohort = windows.periods.number(of: fact.time)
      if starts.last?.cohort == cohort {
        // Starts whose windows are equal count alike, so only the first of them matters.
        if rules.anchor != .each || windows.mark(of: fact.time) == mark { continue }
      }
      mark = windows.mark(of: fact.time)
      starts.append(Start(place: place, time: fact.time, cohort: cohort))
      if rules.cohorts == .first || rules.windows == .rolling && rules.anchor == .first { return }
    }
  }

  /// Adds the person to the cohorts of the starts.
  ///
  /// - Parameter returns: the places of the returns among the facts, in order.
  mutating func add(
    _ facts: [FunnelFact], returns: [Int], to table: inout RetentionCohorts
  ) {
    var first = 0
    while first < starts.count {
      var end = first + 1
      while end < starts.count && starts[end].cohort == starts[first].cohort { end += 1 }
      for index in cameBack.indices { cameBack[index] = false }
      for index in first..<end { findPeriods(of: starts[index], facts, returns) }
      if rules.fillsFirstPeriod { cameBack[0] = true }
      if rules.returned == .onOrAfter, let last = cameBack.lastIndex(of: true) {
        for index in 0...last { cameBack[index] = true }
      }
      table.add(
        person(from: starts[first].time, to: starts[end - 1].time),
        to: starts[first].cohort)
      first = end
    }
  }

  /// The person as the only member of a cohort.
  private func person(from first: Int64, to last: Int64) -> RetentionCohorts.Cohort {
    var cohort = RetentionCohorts.Cohort(periods: periods)
    cohort.size = 1
    for (index, isBack) in cameBack.enumerated() {
      let (begin, end) = (windows.begin(index, after: first), windows.begin(index + 1, after: last))
      let hasEnded = end - 1 <= horizon
      let lasts = begin..<(rules.returned == .onOrAfter ? max(end, horizon + 1) : end)
      let lacks = hasEnded && MissingDates.areMoreThanATenth(of: lasts, missingDates)
      let isOver = hasEnded && !lacks
      cohort.cells[index].begun = begin <= horizon ? 1 : 0
      cohort.cells[index].over = isOver ? 1 : 0
      cohort.cells[index].lacking = lacks ? 1 : 0
      cohort.cells[index].returned = isBack ? 1 : 0
      cohort.cells[index].returnedOver = isBack && isOver ? 1 : 0
    }
    return cohort
  }

  /// Marks the periods in which the person came back after a start: by a fact later in order.
  private mutating func findPeriods(of start: Start, _ facts: [FunnelFact], _ returns: [Int]) {
    if rules.returned == .onOrAfter {
      guard let last = returns.last, last > start.place else { return }
      let distance = windows.distance(from: start.time, to: facts[last].time)
      cameBack[min(distance, periods)] = true
      return
    }
    var (low, high) = (0, returns.count)
    while low < high {
      let middle = (low + high) / 2
      if returns[middle] > start.place { high = middle } else { low = middle + 1 }
    }
    for place in returns[low...] {
      let distance = windows.distance(from: start.time, to: facts[place].time)
      if distance > periods { break }
      cameBack[distance] = true
    }
  }
}
