internal import FlowDefinition

/// The sets of event patterns that actions satisfy, numbered.
///
///     action ─► pattern set ─► the patterns in it       (here)
///                          ─► the parts of a funnel     (`FunnelMarks`)
///
/// A flow may look for thousands of patterns, while a fact satisfies few and many facts satisfy the
/// same: a fact carries the number of its set, whatever the number of patterns. Set 0 is empty.
struct PatternSets: Sendable {
  /// Each set's patterns, smallest first. Sets are in lexicographic order, so that those of one
  /// funnel, whose patterns are neighbours, are neighbours too.
  private let sets: [[Int32]]
  /// For each pattern the sets that hold it.
  private let holders: [[Int32]]

  /// Numbers the sets of all actions.
  ///
  /// - Returns: the sets, and the number of each action's set.
  static func number(_ ofActions: [[Int32]], patternCount: Int) -> (PatternSets, [UInt32]) {
    let distinct = Set(ofActions).subtracting([[]]).sorted { $0.lexicographicallyPrecedes($1) }
    let sets = [[]] + distinct
    let numbers = Dictionary(uniqueKeysWithValues: zip(sets, 0..<UInt32(sets.count)))
    return (
      PatternSets(sets, patternCount: patternCount), ofActions.map { numbers[$0] ?? 0 }
    )
  }

  private init(_ sets: [[Int32]], patternCount: Int) {
    self.sets = sets
    var holders = [[Int32]](repeating: [], count: patternCount)
    for (number, set) in sets.enumerated() {
      for pattern in set { holders[Int(pattern)].append(Int32(number)) }
    }
    self.holders = holders
  }

  var count: Int { sets.count }

  func patterns(of set: UInt32) -> [Int32] { sets[Int(set)] }

  func sets(with pattern: Int) -> [Int32] { holders[pattern] }
}

/// Which steps and exclusions of one funnel a fact is, a bit each: by its pattern set.
struct FunnelMarks: Sendable {
  /// How many of the bits are of steps; those of exclusions follow.
  let stepCount: Int
  /// The sets from `firstSet` on; no other has a mark.
  private let firstSet: Int
  private let marks: [UInt64]

  init(_ funnel: CustomFunnel, _ table: EventPatternTable, _ sets: PatternSets) {
    stepCount = funnel.steps.count
    var markOfSet: [Int: UInt64] = [:]
    func mark(_ pattern: EventPattern, _ bit: UInt64) {
      guard let number = table.number(of: pattern) else { return }
      for set in sets.sets(with: number) { markOfSet[Int(set), default: 0] |= bit }
    }
    for (index, step) in funnel.steps.enumerated() {
      for event in step.anyOf { mark(event, 1 << UInt64(index)) }
    }
    for (index, exclusion) in funnel.exclusions.enumerated() {
      mark(exclusion.pattern, 1 << UInt64(stepCount + index))
    }
    firstSet = markOfSet.keys.min() ?? 0
    let end = (markOfSet.keys.max() ?? -1) + 1
    marks = (firstSet..<max(firstSet, end)).map { markOfSet[$0] ?? 0 }
  }

  /// The bits of the facts of a set.
  @inline(__always)
  subscript(set: UInt32) -> UInt64 {
    let place = Int(set) - firstSet
    return place >= 0 && place < marks.count ? marks[place] : 0
  }
}
