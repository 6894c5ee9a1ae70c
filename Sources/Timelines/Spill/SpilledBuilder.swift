internal import EventInput

/// Segments → timelines on disk: what `TimelineBuilder` does where facts were laid aside.
struct SpilledBuilder {
  let budget: FactBudget
  let codes: [CodeMap]
  let isStitched: Bool
  let united: UnitedUsers
  let watchedDevice: IdentifierHash
  private(set) var counts: TimelineCounts
  private(set) var watchedPersons: Set<IdentifierHash> = []
  private(set) var latestMoments: [Int64] = []

  init(
    _ budget: FactBudget, codes: [CodeMap], isStitched: Bool, united: UnitedUsers,
    watchedDevice: IdentifierHash, counts: TimelineCounts
  ) {
    self.united = united
    self.budget = budget
    self.codes = codes
    self.isStitched = isStitched
    self.watchedDevice = watchedDevice
    self.counts = counts
  }

  /// Brings everything together, when it is visited or at once; then what was collected is removed
  /// afterwards.
  mutating func build(
    threads: Int, isVisitedOnce: Bool
  ) async throws(SpillError) -> PartitionStore {
    var segments = budget.segments
    if isStitched { segments += try await stitch(segments, threads: threads) }
    let assembler = SegmentAssembler(segments: segments, codes: codes, united: united)
    if isVisitedOnce { return .collected(CollectedFacts(assembler)) }
    let file = try budget.folder.makeFile("timelines.segment")
    let results = try await Parallel.map(
      count: FactCollector.partitionCount, threads: threads
    ) { (partition) throws(SpillError) in
      let assembled = try assembler.assemble(partition: partition)
      return (
        stored: try StoredPartition(assembled.partition, in: file),
        repeatedFacts: assembled.repeatedFacts, latestMoments: assembled.latestMoments
      )
    }
    for result in results {
      counts.repeatedFacts += result.repeatedFacts
      counts.facts += result.stored.factCount
      counts.persons += result.stored.personCount
    }
    latestMoments = Horizon.latestMoments(of: results.map(\.latestMoments))
    budget.removeCollected()
    for segment in segments { budget.folder.removeFile(segment.file) }
    return .segments(results.map(\.stored))
  }

  private mutating func stitch(
    _ segments: [Segment], threads: Int
  ) async throws(SpillError) -> [Segment] {
    let file = try budget.folder.makeFile("stitched.segment")
    let next = NextPiece()
    let workers = max(1, min(threads, FactCollector.partitionCount))
    let maximumBytes = budget.bytes / workers
    let (codes, united, watchedDevice) = (codes, united, watchedDevice)
    let shares = try await Parallel.map(
      count: workers, threads: workers
    ) { (_) throws(SpillError) in
      var stitcher = DeviceStitcher(
        segments, codes: codes, united: united, watchedDevice: watchedDevice, target: file,
        maximumBytes: maximumBytes)
      while let partition = next.take(below: FactCollector.partitionCount) {
        try stitcher.stitch(partition: partition)
      }
      try stitcher.finish()
      return (
        stitched: stitcher.stitched, counts: stitcher.counts, watched: stitcher.watchedPersons
      )
    }
    for share in shares {
      counts.sharedDevices += share.counts.sharedDevices
      counts.devicesWithSeveralUsers += share.counts.devicesWithSeveralUsers
      counts.stitchedFacts += share.counts.stitchedFacts
      watchedPersons.formUnion(share.watched)
    }
    return shares.flatMap(\.stitched)
  }
}
