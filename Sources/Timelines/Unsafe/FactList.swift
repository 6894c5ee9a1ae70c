/// One list of a `FactLog`, to be read as often as is wanted; what was spilled of it stands in
/// memory as long as this does.
///
/// Invariant: records stand one behind the other from each chunk's `start` to its `end`, as long as
/// the log's list is neither changed nor given up.
struct FactList {
  struct Chunk {
    var start: UnsafeMutableRawPointer
    var end: UnsafeMutableRawPointer

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: end - start) }
  }

  /// What was read back.
  private final class Buffer {
    let start: UnsafeMutableRawPointer

    init(byteCount: Int) { start = .allocate(byteCount: byteCount, alignment: 64) }

    deinit { start.deallocate() }
  }

  /// The chunks in memory, behind those that were spilled.
  private var chunks: [Chunk]
  private var buffer: Buffer?

  init(_ chunks: [Chunk]) { self.chunks = chunks }

  /// - Throws: what reading spilled chunks back met.
  init(
    _ chunks: [Chunk], behind spilled: [SegmentFile.Chunk], of file: SegmentFile
  ) throws(SpillError) {
    let count = spilled.reduce(0) { $0 + $1.count }
    let buffer = Buffer(byteCount: count)
    var offset = 0
    for chunk in spilled {
      try file.read(
        chunk,
        into: UnsafeMutableRawBufferPointer(start: buffer.start + offset, count: chunk.count))
      offset += chunk.count
    }
    self.chunks = [Chunk(start: buffer.start, end: buffer.start + count)] + chunks
    self.buffer = buffer
  }

  /// Calls `body` for every record, in the order of appending, with what it likes to remember of
  /// the record's slot.
  @inline(__always)
  func forEach<Memory>(
    remembering memory: Memory, _ body: (inout Memory, FactRecord) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: Memory.self, capacity: FactLog.slotCount) { slots in
      slots.initialize(repeating: memory)
      defer { slots.deinitialize() }
      guard let start = slots.baseAddress else { return }
      for chunk in chunks {
        var place = UnsafeRawPointer(chunk.start)
        while place < UnsafeRawPointer(chunk.end) {
          let record = FactRecord(at: place)
          place = record.end
          body(&start[record.slot & (FactLog.slotCount - 1)], record)
        }
      }
    }
    withExtendedLifetime(buffer) {}
  }
}
