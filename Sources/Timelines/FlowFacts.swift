internal import EventInput

/// The facts of a run for several flows, as one of them would have read them alone: without the
/// values that only the others look at, facts that differ in nothing else being one, and names in
/// tables that keep no places for the others' names.
struct FlowFacts: PartitionGathering {
  let whole: Timelines
  /// What the run's codes are to the flow.
  let codes: CodeMap

  func assemble(partition: Int) throws(SpillError) -> AssembledPartition {
    let partition = try whole.partition(partition)
    // All codes of the run are known.
    let facts = partition.facts.map { codes($0) ?? $0 }
    return AssembledPartition(keys: partition.keys, starts: partition.starts, facts: facts)
  }

  func count(partition: Int, in days: inout PersonDays) throws(SpillError) {
    let partition = try whole.partition(partition)
    days.beginPartition()
    for person in 0..<partition.personCount {
      let number = days.number(of: partition.keys[person])
      for index in partition.starts[person]..<partition.starts[person + 1] {
        days.add(number, at: partition.facts[index].timeMilliseconds)
      }
    }
  }
}

extension Timelines {
  /// The timelines that reading for these flows alone would have given; they keep this run's facts.
  ///
  /// - Parameter schema: of some of the flows that were read.
  /// - Throws: what `counts` throws.
  public func narrowed(to schema: FactSchema) throws(SpillError) -> Timelines {
    let narrowing = TableNarrowing(tables, to: schema)
    var own = try counts
    (own.facts, own.persons) = (0, 0)
    return Timelines(
      tables: narrowing.tables, ownCounts: own, watchedPersons: watchedPersons, united: united,
      store: .collected(CollectedFacts(FlowFacts(whole: self, codes: narrowing.codes))),
      census: census)
  }
}
