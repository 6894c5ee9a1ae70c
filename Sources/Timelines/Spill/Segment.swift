/// What one worker spilled at once, as lists of verified chunks in a file.
struct Segment: Sendable {
  /// Lists that a worker's segment has: facts by partition of their person, with the device of
  /// each record; facts with a device only by partition of the device; and which users were seen
  /// on each device, from when to when, by the same partition.
  static let personLists = 0
  static let anonymousLists = FactCollector.partitionCount
  static let sightingLists = FactCollector.partitionCount * 2
  static let collectorLists = FactCollector.partitionCount * 3

  let file: SegmentFile
  /// For each list its chunks, in order; each holds whole records.
  let chunks: [[SegmentFile.Chunk]]
  /// The worker whose codes the facts carry; `nil` for the codes of the whole run.
  let worker: Int?

  /// About what the description of its chunks takes in memory.
  var descriptionBytes: Int {
    chunks.reduce(0) { bytes, list in
      let chunk = MemoryLayout<SegmentFile.Chunk>.stride
      return bytes + MemoryLayout<[SegmentFile.Chunk]>.stride
        + (list.isEmpty ? 0 : 48 + list.capacity * chunk)
    }
  }
}
