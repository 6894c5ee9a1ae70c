internal import ExperimentStatistics
package import FlowDefinition
package import FunnelEngine

/// Runs of dates of which nobody who started did what people usually do, although they go on before
/// it or after it: an event that is no longer sent, or a part of the app that no longer works
/// (definitions 16, `stopped_events`).
package enum StoppedEvents {
  /// What nobody is seen to do.
  package enum Event: Sendable, Hashable {
    case completion
    /// Viewing the step with this index.
    case view(Int)
    /// Answering the permission with this index.
    case answer(Int)

    var isOfStep: Bool { if case .view = self { true } else { false } }
  }

  package struct Run: Sendable, Hashable {
    package let event: Event
    /// When those people started: the first and the last date, since 1970-01-01.
    package let days: ClosedRange<Int>
    /// How many people should have done it: those who started, got past the step, or finished.
    package let people: Int
    /// The share of such people who did up to four weeks before and after.
    package let usual: Double
    /// Whether nobody who started later did it either.
    package let goesOn: Bool
    /// Of completion, the step before the last that nobody is seen to get past.
    package fileprivate(set) var blockingStep: Int?
  }

  private static let daysBeside = 28
  /// One date or two of a small app's are soon explained by a campaign, and do little.
  private static let fewestDays = 3
  /// Of what is usual, which chance must not explain.
  private static let leastPart = 0.25

  /// Completion first, then steps and permissions in the flow's order, each by date.
  package static func all(_ tally: Tally, _ flow: Flow) -> [Run] {
    guard let first = tally.progress.keys.min(), let last = tally.progress.keys.max() else {
      return []
    }
    let none = Array(repeating: 0, count: tally.progressLayout.count)
    let days = (first...last).map { tally.progress[$0] ?? none }
    let layout = tally.progressLayout
    func runs(_ event: Event, _ whole: Int, _ part: Int) -> [Run] {
      self.runs(event, whole: days.map { $0[whole] }, part: days.map { $0[part] }, first: first)
    }
    var found = runs(.completion, layout.persons, layout.finished).map { run in
      var run = run
      run.blockingStep = blockingStep(run, days, first, layout, flow)
      return run
    }
    // Nobody has to see an optional step, or the pages behind a branch.
    for (index, step) in flow.steps.enumerated() where !step.isOptional && step.branchOf == nil {
      found += runs(.view(index), layout.past(index), layout.viewed(index))
    }
    for index in flow.permissions.indices {
      found += runs(.answer(index), layout.finished, layout.answered(index))
    }
    return found
  }

  /// - Parameters:
  ///   - whole: of each day those who should do it.
  ///   - part: of each day those who did.
  private static func runs(_ event: Event, whole: [Int], part: [Int], first: Int) -> [Run] {
    guard var place = part.firstIndex(where: { $0 > 0 }) else { return [] }
    var found: [Run] = []
    while let begin = part.indices[place...].first(where: { part[$0] == 0 && whole[$0] > 0 }) {
      let next = part[begin...].firstIndex { $0 > 0 }
      let end = next ?? part.endIndex
      place = end
      guard let last = whole[begin..<end].lastIndex(where: { $0 > 0 }) else { break }
      let days = whole[begin...last]
      let beside =
        Array(max(0, begin - daysBeside)..<begin)
        + (end..<min(part.endIndex, end + daysBeside))
      let usual = shares(beside, whole, part)
      let dates = days.indices.filter { whole[$0] > 0 && usual[$0 % 7] > 0 }
      let expected = dates.reduce(0.0) { $0 + Double(whole[$1]) * usual[$1 % 7] }
      let people = (beside.reduce(0) { $0 + whole[$1] }, beside.reduce(0) { $0 + part[$1] })
      if dates.count >= fewestDays, UnlikelyAbsence.holds(expected: expected * leastPart) {
        found.append(
          Run(
            event: event, days: first + begin...first + last, people: days.reduce(0, +),
            usual: Double(people.1) / Double(people.0), goesOn: next == nil))
      }
    }
    return found
  }

  /// By weekday the share that is usual: an office's customers may finish on working days alone.
  private static func shares(_ places: [Int], _ whole: [Int], _ part: [Int]) -> [Double] {
    var (all, some) = (Array(repeating: 0, count: 7), Array(repeating: 0, count: 7))
    for place in places {
      all[place % 7] += whole[place]
      some[place % 7] += part[place]
    }
    return zip(all, some).map { $0 == 0 ? 0 : Double($1) / Double($0) }
  }

  /// The first step that nobody who started in the run is seen to get past, though others did; none
  /// where only the end is missing, and where versions have lists of their own.
  private static func blockingStep(
    _ run: Run, _ days: [[Int]], _ first: Int, _ layout: ProgressLayout, _ flow: Flow
  ) -> Int? {
    guard flow.lists.count == 1, let list = flow.lists.first else { return nil }
    let own = days[run.days.lowerBound - first...run.days.upperBound - first]
    return list.dropLast().first { step in
      own.allSatisfy { $0[layout.past(step)] == 0 }
        && days.contains { $0[layout.past(step)] > 0 }
    }
  }
}

extension Analysis {
  /// Whether completion of some dates' people is unknown, and so whether they left at a step: the
  /// last one, or the one that nobody is seen to get past.
  package func hasUnknownLosses(at step: String) -> Bool {
    stoppedEvents.contains { run in
      guard run.event == .completion else { return false }
      let steps = run.blockingStep.map { [$0] } ?? flow.lists.compactMap(\.last)
      return steps.contains { flow.steps[$0].id == step }
    }
  }
}
