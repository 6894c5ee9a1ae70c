internal import EventInput

extension Timelines {
  /// The timelines that reading for these flows alone would have given; they keep this run's facts.
  ///
  /// - Parameter schema: of some of the flows that were read.
  public func narrowed(to schema: FactSchema) -> Timelines {
    narrowed(to: schema, keepsUnused: true)
  }

  /// As one of the flows would have read them alone: without the values that only the others look
  /// at, facts that differ in nothing else being one, and names in tables that keep no places for
  /// the others' names.
  ///
  /// - Parameter keepsUnused: whether names take places though no fact has them.
  func narrowed(to schema: FactSchema, keepsUnused: Bool) -> Timelines {
    let narrowing = TableNarrowing(tables, to: schema, keepsUnused: keepsUnused)
    let assembler = assembler?.through(narrowing.codes) ?? PartitionAssembler(sources: [])
    return Timelines(
      tables: narrowing.tables, ownCounts: ownCounts, watchedPersons: watchedPersons,
      united: united, facts: PartitionSequence(assembler), census: census)
  }
}
