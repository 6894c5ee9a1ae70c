/// One list of a `FactLog`, to be read as often as is wanted; what was spilled of it stands in
/// memory as long as this does.
///
/// Invariant: records stand one behind the other from each chunk's `start` to its `end`, as long as
/// the log's list is neither changed nor given up.
struct FactList {
  @safe struct Chunk {
    var start: UnsafeMutableRawPointer
    var end: UnsafeMutableRawPointer

    var bytes: UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(start: start, count: end - start)
    }
  }

  /// What was read back.
  @safe private final class Buffer {
    let start: UnsafeMutableRawPointer

    init(byteCount: Int) { unsafe start = .allocate(byteCount: byteCount, alignment: 64) }

    deinit { unsafe start.deallocate() }
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
      try unsafe file.read(
        chunk,
        into: UnsafeMutableRawBufferPointer(start: buffer.start + offset, count: chunk.count))
      offset += chunk.count
    }
    self.chunks = unsafe [Chunk(start: buffer.start, end: buffer.start + count)] + chunks
    self.buffer = buffer
  }

  /// Calls `body` for every record, in the order of appending, with what it likes to remember of
  /// the record's slot.
  @inline(__always)
  func forEach<Memory>(
    remembering memory: Memory, _ body: (inout Memory, FactRecord) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Memory.self, capacity: FactLog.slotCount) { slots in
      unsafe slots.initialize(repeating: memory)
      defer { unsafe slots.deinitialize() }
      guard let start = slots.baseAddress else { return }
      for chunk in chunks {
        var place = unsafe UnsafeRawPointer(chunk.start)
        while unsafe place < UnsafeRawPointer(chunk.end) {
          let record = unsafe FactRecord(at: place)
          unsafe place = record.end
          unsafe body(&start[record.slot & (FactLog.slotCount - 1)], record)
        }
      }
    }
    withExtendedLifetime(buffer) {}
  }
}
