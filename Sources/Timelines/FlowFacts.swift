internal import EventInput

/// The facts of a run for several flows, as one of them would have read them alone: without the
/// values that only the others look at, facts that differ in nothing else being one, and names in
/// tables that keep no places for the others' names.
struct FlowFacts: PartitionGathering {
  let whole: Timelines
  /// What the run's codes are to the flow.
  let codes: CodeMap

  func assemble(partition: Int) throws(SpillError) -> AssembledPartition {
    let found = try whole.assemble(partition)
    let facts = found.partition.facts.map { codes($0) }
    var own = AssembledPartition(
      keys: found.partition.keys, starts: found.partition.starts, facts: facts)
    own.repeatedFacts += found.repeatedFacts
    return own
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
  public func narrowed(to schema: FactSchema) -> Timelines {
    narrowed(to: schema, keepsUnused: true)
  }

  /// - Parameter keepsUnused: whether names take places though no fact has them.
  func narrowed(to schema: FactSchema, keepsUnused: Bool) -> Timelines {
    let narrowing = TableNarrowing(tables, to: schema, keepsUnused: keepsUnused)
    return Timelines(
      tables: narrowing.tables, ownCounts: ownCounts, watchedPersons: watchedPersons,
      united: united, facts: PartitionSequence(FlowFacts(whole: self, codes: narrowing.codes)),
      census: census)
  }
}
