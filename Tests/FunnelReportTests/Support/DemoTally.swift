import EventInput
import FlowDefinition
@testable import FunnelEngine
@testable import Timelines

/// A tally made by hand from groups of equal persons, with everybody in exactly one place.
struct DemoTally {
  /// Persons who did the same.
  struct Group {
    var count: Int
    var variant: VariantState
    /// In the experiments after the first.
    var others: [VariantState] = []
    var outcome: Outcome
    /// Steps viewed, as indices into the flow's steps, in order.
    var viewed: [Int]
    var skippedAt: Int? = nil
    var answer: PermissionClass = .noResult
    var returned = false
    var isMatureForDay7 = true
    var cohort = "2026-W04"
    var os = "iOS 26.1"
    var seconds: Int64 = 40
    var version = "(none)"
    /// What those did next who dropped off, 12 s later.
    var next: NextEvent = .none
  }

  private(set) var tally: Tally
  private let flow: Flow

  init(_ flow: Flow) throws {
    self.flow = flow
    let schema = try FactSchema(flows: [flow])
    let tables = FactTables(schema: schema, names: schema.plan.tables.map { NameTable(plan: $0) })
    tally = Tally(
      layout: CounterLayout(flow),
      quality: QualityCounts(flow, tables: tables))
  }

  mutating func add(_ group: Group) {
    let key = GroupKey(
      version: group.version,
      variants: flow.experiments.isEmpty ? [] : [group.variant] + group.others)
    let use = group.skippedAt == nil ? "no" : "yes"
    let breakdowns: [BreakdownKey] = [
      .all, BreakdownKey(dimension: BreakdownKey.cohort, value: group.cohort),
      BreakdownKey(dimension: "os", value: group.os),
      BreakdownKey(dimension: BreakdownKey.usedSkip, value: use),
      BreakdownKey(dimension: BreakdownKey.outcome, value: group.outcome.name),
    ]
    let counted = increments(group)
    for breakdown in breakdowns {
      let cell = CellKey(group: key, breakdown: breakdown)
      var counts = tally.cells[cell] ?? Array(repeating: 0, count: tally.layout.count)
      for counter in counted { counts[counter] += group.count }
      tally.cells[cell] = counts
    }
    if group.outcome.isFinished {
      let time = TimeKey(group: key, usedSkip: use == "yes", measure: .complete)
      tally.times[time, default: TimeHistogram()].record(
        group.seconds * 1000, count: group.count)
    }
    if group.outcome != .open { addWays(group, key) }
    for step in group.viewed { tally.quality.viewsOfStep[step] += group.count }
    for step in group.viewed where group.outcome != .open {
      let isLast = step == group.viewed.last && !group.outcome.isFinished
      let time = TimeKey(group: key, usedSkip: use == "yes", measure: .moveOn(step))
      tally.times[time, default: TimeHistogram()].record(
        isLast ? TimeHistogram.maximumMilliseconds : group.seconds * 100, count: group.count)
    }
  }

  /// From view to view to the end, and what came next.
  private mutating func addWays(_ group: Group, _ key: GroupKey) {
    let layout = tally.transitionLayout
    let steps = [-1] + group.viewed
    let end: TransitionLayout.End =
      group.outcome.isFinished ? .finished : group.outcome == .skipped ? .skipped : .abandoned
    var ways = zip(steps, steps.dropFirst()).map { layout.move(from: $0, to: $1, isReturn: false) }
    ways.append(layout.end(from: steps.last ?? -1, end))
    var counts = tally.transitions[key] ?? Array(repeating: 0, count: layout.count)
    for way in ways { counts[way] += group.count }
    tally.transitions[key] = counts
    if group.outcome.isFinished { return }
    let next = NextEventKey(group: key, furthest: group.viewed.last, event: group.next)
    let bucket = group.next == .none ? 0 : TimeHistogram.bucket(of: 12_000)
    tally.nextEvents[next, default: SparseTimes()].record(
      bucket: UInt16(bucket), count: group.count)
  }

  /// When values of the first dimension were first seen.
  mutating func setFirstDays(_ days: [String: Int]) {
    tally.releaseDays = Dictionary(
      uniqueKeysWithValues: days.map {
        let release = BreakdownKey(dimension: "os", value: $0.key)
        return (ReleaseDay(release: release, day: $0.value), ReleaseDay.Counts(started: 1))
      })
  }

  mutating func setQuality(_ change: (inout QualityCounts) -> Void) { change(&tally.quality) }

  /// The counters that one such person adds one to.
  private func increments(_ group: Group) -> [Int] {
    let layout = tally.layout
    guard group.outcome != .open else { return [layout[.entered]] }
    var counted = [layout[.entered], layout[.persons]]
    switch group.outcome {
    case .finished: counted.append(layout[.finished])
    case .finishedAfterSkipping: counted.append(layout[.finishedAfterSkipping])
    case .skipped: counted.append(layout[.skipped])
    case .abandoned, .open: counted.append(layout[.abandoned])
    }
    if group.skippedAt != nil { counted.append(layout[.usedSkip]) }
    counted += stepIncrements(group)
    if let page = group.skippedAt { counted.append(layout[.firstSkip, page]) }
    counted.append(layout[group.answer, 0])
    if [.granted, .denied].contains(group.answer) { counted.append(layout[.reached, 0]) }
    if group.answer == .granted { counted += [layout[.optIn, 0], layout[.accepted, 0]] }
    counted.append(layout[goal: 0, .eligible])
    if group.returned { counted.append(layout[goal: 0, .met]) }
    for measure in flow.retention.indices where measure == 0 || group.isMatureForDay7 {
      counted.append(layout[retention: measure, .eligible])
      if group.returned { counted.append(layout[retention: measure, .met]) }
    }
    return counted
  }

  private func stepIncrements(_ group: Group) -> [Int] {
    let layout = tally.layout
    var list = flow.defaultList
    if case .assigned(let name) = group.variant {
      list = flow.experiments[0].variants.first { $0.id == name }?.steps ?? list
    }
    let isFinished = group.outcome.isFinished
    let isSkipped = group.outcome == .skipped
    guard let last = group.viewed.last else {
      let entry = isSkipped ? layout[.leftAtEntrySkipping] : layout[.leftAtEntryAbandoned]
      return list.map { layout[.listed, $0] } + [entry]
    }
    var counted: [Int] = []
    for step in list {
      counted.append(layout[.listed, step])
      if group.viewed.contains(step) {
        let isAdvanced = isFinished || step != last
        counted += [
          layout[.viewed, step],
          layout[isAdvanced ? .advanced : isSkipped ? .leftSkipping : .abandonedHere, step],
        ]
        if isFinished { counted.append(layout[CounterLayout.Step.finished, step]) }
      } else if isFinished {
        counted.append(layout[.bypassed, step])
      }
    }
    return counted
  }
}
