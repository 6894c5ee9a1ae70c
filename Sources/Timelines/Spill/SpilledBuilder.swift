internal import EventInput

/// Segments → timelines on disk: what `TimelineBuilder` does where facts were spilled.
struct SpilledBuilder {
  let budget: FactBudget
  let codes: [CodeMap]
  /// How far from a device-only fact its user may be seen; `nil` where nothing is stitched.
  let stitchWithin: Int64?
  let united: UnitedUsers
  let watchedDevices: Set<IdentifierHash>
  private(set) var counts: TimelineCounts
  private(set) var watchedPersons: Set<IdentifierHash> = []
  private(set) var census = DayCensus()

  init(
    _ budget: FactBudget, codes: [CodeMap], stitchWithin: Int64?, united: UnitedUsers,
    watchedDevices: Set<IdentifierHash>, counts: TimelineCounts
  ) {
    self.united = united
    self.budget = budget
    self.codes = codes
    self.stitchWithin = stitchWithin
    self.watchedDevices = watchedDevices
    self.counts = counts
  }

  /// Brings everything together, when it is visited or at once; then what was collected is removed
  /// afterwards.
  mutating func build(
    threads: Int, isVisitedOnce: Bool
  ) async throws(SpillError) -> PartitionStore {
    var segments = budget.segments
    if let stitchWithin {
      let stitching = SpilledStitching(
        segments: segments, codes: codes, united: united, limit: stitchWithin,
        watchedDevices: watchedDevices, folder: budget.folder,
        workers: max(1, min(threads, FactCollector.partitionCount)))
      let share = try await stitching.stitch()
      segments += share.stitched
      counts.sharedDevices = share.sharedDevices
      counts.devicesWithSeveralUsers = share.devicesWithSeveralUsers
      counts.stitchedFacts = share.stitchedFacts
      watchedPersons = share.watchedPersons
    }
    let assembler = SegmentAssembler(segments: segments, codes: codes, united: united)
    if isVisitedOnce {
      let facts = CollectedFacts(assembler)
      census = try await facts.dayCensus(threads: threads)
      return .collected(facts)
    }
    let file = try budget.folder.makeFile("timelines.segment")
    let results = try await Parallel.map(
      count: FactCollector.partitionCount, threads: threads
    ) { (partition) throws(SpillError) in
      let assembled = try assembler.assemble(partition: partition)
      var census = DayCensus()
      census.add(assembled.partition)
      return (
        stored: try StoredPartition(assembled.partition, in: file),
        repeatedFacts: assembled.repeatedFacts, days: census
      )
    }
    for result in results {
      census.add(result.days)
      counts.repeatedFacts += result.repeatedFacts
      counts.facts += result.stored.factCount
      counts.persons += result.stored.personCount
    }
    budget.removeCollected()
    for segment in segments { budget.folder.removeFile(segment.file) }
    return .segments(results.map(\.stored))
  }
}
