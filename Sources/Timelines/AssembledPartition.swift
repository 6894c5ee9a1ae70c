internal import EventInput

/// A partition, and what bringing it together showed.
struct AssembledPartition: Sendable {
  var partition: TimelinePartition
  var repeatedFacts: Int
  /// Facts that have the moment and the own id of another of their person.
  var factsWithSameId: Int

  /// Sorts each person's facts and drops repetitions.
  init(keys: [IdentifierHash], starts: [Int], facts: [Fact]) {
    var starts = starts
    var facts = facts
    let total = facts.count
    let kept = FactSorting.sortEachAndDropRepetitions(&facts, starts: &starts)
    if kept < total { facts.removeLast(total - kept) }
    factsWithSameId = FactSorting.countSameIds(facts, starts: starts)
    partition = TimelinePartition(keys: keys, starts: starts, facts: facts)
    repeatedFacts = total - kept
  }
}
