internal import EventInput

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Facts in lists, one a partition, that only grow. A fact takes some 20 bytes.
///
/// A list is a chain of chunks, so that growing never copies:
///
///     partition 0   [ chunk of 8 KB ][ chunk of 8 KB ][ 4 of 8 KB ]
///     partition 1   [ chunk of 8 KB ][ 1 of 8 KB ]
///
/// Chunks may be spilled to a file, where they stand as they did in memory; then the list goes on
/// with new ones, and a reader takes those in the file first.
///
/// No table knows all keys. Each list has a few slots, and a slot remembers the key of the last
/// record that came its way, with what was recorded of it (`RecordBase`): a record with that key
/// holds only what changed. The slots of all lists stay in the second cache, where a table of all
/// persons would cost a miss for every event. A reader that starts at a list's beginning goes
/// through the same states. After a spill all slots are empty, so that the next record of each
/// holds all: a reader need not know where that was.
///
/// Invariants: records stand one behind the other from a chunk's `start` to its `end`, of the last
/// chunk to the list's `cursor`; as long as that is not behind `limit` there is room for the
/// largest record; without chunks it is behind. A list's slots are those that reading it leaves
/// behind. `file` has every spilled chunk. `Sendable` unchecked: a log is filled and spilled by one
/// worker and then read, by any number of tasks, or given up list by list, each by one task.
final class FactLog: @unchecked Sendable {
  /// How many keys a list remembers; a power of 2 below that of `FactRecord.contextMark`.
  static let slotCount = 16

  /// So much is spilled at once, and read back.
  private static let pieceBytes = 32 * ChunkPool.chunkBytes

  private struct List {
    var cursor: UnsafeMutableRawPointer
    var limit: UnsafeMutableRawPointer
    var count = 0
    var spilled: [SegmentFile.Chunk] = []
    var chunks: [FactList.Chunk] = []
  }

  private let pool: ChunkPool
  private let lists: UnsafeMutablePointer<List>
  private let bases: UnsafeMutablePointer<RecordBase>
  private let listCount: Int
  /// Where chunks are spilled.
  private(set) var file: SegmentFile?
  /// The memory that facts take. Not checked for overlapping accesses, which would be done for
  /// every fact: it is handed to nobody.
  @exclusivity(unchecked) private(set) var byteCount = 0

  /// - Parameter pool: where its chunks come from; logs of one thread may share it.
  init(lists count: Int, pool: ChunkPool) {
    self.pool = pool
    listCount = count
    lists = .allocate(capacity: count)
    // No place of a list: only that the cursor is behind the limit counts.
    let limit = UnsafeMutableRawPointer(lists)
    lists.initialize(repeating: List(cursor: limit + 1, limit: limit), count: count)
    bases = .allocate(capacity: count * FactLog.slotCount)
    bases.initialize(repeating: RecordBase(), count: count * FactLog.slotCount)
  }

  deinit {
    lists.deinitialize(count: listCount)
    lists.deallocate()
    bases.deallocate()
  }

  /// Keeps a fact of a person, or of a device that has no user yet.
  ///
  /// - Parameters:
  ///   - key: not missing.
  ///   - device: on which the event was sent, missing for none; `nil` if nobody will ask.
  @inline(__always)
  func append(
    _ fact: Fact, key: IdentifierHash, device: IdentifierHash?, to number: Int
  ) {
    let list = lists + number
    if list.pointee.cursor > list.pointee.limit { addChunk(list) }
    let slot = Int(truncatingIfNeeded: key.low) & (FactLog.slotCount - 1)
    let base = bases + (number &* FactLog.slotCount &+ slot)
    let place = list.pointee.cursor
    var end = place + FactRecord.minimumBytes
    var marks = UInt16(truncatingIfNeeded: slot)
    let isKnown = FactLog.isSame(base.pointee.key, key)
    // Written whether it counts or not, so that there is no branch for a processor to guess: what
    // is not recorded is overwritten by what comes next.
    let tellsContext = !isKnown || base.pointee.context != fact.context
    end.storeBytes(of: fact.context, as: UInt32.self)
    end += tellsContext ? 4 : 0
    let tellsSession = !isKnown || base.pointee.session != fact.session
    end.storeBytes(of: fact.session, as: UInt32.self)
    end += tellsSession ? 4 : 0
    marks |= tellsContext ? FactRecord.contextMark : 0
    marks |= tellsSession ? FactRecord.sessionMark : 0
    base.pointee.context = fact.context
    base.pointee.session = fact.session
    if !isKnown {
      FactLog.write(key, at: &end)
      marks |= FactRecord.keyMark
      base.pointee.key = key
      base.pointee.device = .missing
    }
    if let device, !FactLog.isSame(base.pointee.device, device) {
      FactLog.write(device, at: &end)
      marks |= FactRecord.deviceMark
      base.pointee.device = device
    }
    place.storeBytes(of: fact.timeAndAction, as: UInt64.self)
    place.storeBytes(of: marks, toByteOffset: 8, as: UInt16.self)
    place.storeBytes(of: fact.message, toByteOffset: 10, as: UInt16.self)
    list.pointee.cursor = end
    list.pointee.count &+= 1
    byteCount &+= end - place
  }

  /// How many facts list `list` holds.
  func count(_ list: Int) -> Int { lists[list].count }

  /// The facts of a list, in the order of appending.
  ///
  /// - Throws: what reading spilled ones back met.
  func read(_ list: Int) throws(SpillError) -> FactList {
    guard let file, !lists[list].spilled.isEmpty else { return FactList(chunks(list)) }
    return try FactList(chunks(list), behind: lists[list].spilled, of: file)
  }

  /// Spills what stands in memory.
  ///
  /// - Parameter file: the same each time.
  /// - Returns: about what the description of it takes in memory.
  func spill(to file: SegmentFile) throws(SpillError) -> Int {
    self.file = file
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FactLog.pieceBytes, alignment: 64)
    defer { piece.deallocate() }
    var pieces = 0
    for list in 0..<listCount {
      var filled = 0
      func write() throws(SpillError) {
        if filled == 0 { return }
        lists[list].spilled.append(
          try file.append(UnsafeRawBufferPointer(rebasing: piece[..<filled])))
        filled = 0
        pieces += 1
      }
      for chunk in chunks(list) {
        let bytes = chunk.bytes
        if filled + bytes.count > piece.count { try write() }
        UnsafeMutableRawBufferPointer(rebasing: piece[filled...]).copyMemory(from: bytes)
        filled += bytes.count
        pool.giveBack(chunk.start)
      }
      try write()
      removeChunks(list)
    }
    byteCount = 0
    return pieces * MemoryLayout<SegmentFile.Chunk>.stride * 2
  }

  /// Empties a list for good; its memory serves another log from now on.
  func giveUp(_ list: Int, to other: FactLog) {
    other.pool.adopt(lists[list].chunks.map(\.start), of: pool)
    removeChunks(list)
    lists[list].spilled = []
    lists[list].count = 0
  }

  /// Gives the memory of chunks that nobody holds to the system.
  func trim() { pool.trim() }

  /// Compared in one step: what an event costs depends on it.
  @inline(__always)
  private static func isSame(_ left: IdentifierHash, _ right: IdentifierHash) -> Bool {
    (left.high ^ right.high) | (left.low ^ right.low) == 0
  }

  @inline(__always)
  private static func write(_ key: IdentifierHash, at end: inout UnsafeMutableRawPointer) {
    end.storeBytes(of: key.high, as: UInt64.self)
    end.storeBytes(of: key.low, toByteOffset: 8, as: UInt64.self)
    end += 16
  }

  /// A list's chunks, the last one with its end.
  private func chunks(_ list: Int) -> [FactList.Chunk] {
    var chunks = lists[list].chunks
    if let last = chunks.indices.last { chunks[last].end = lists[list].cursor }
    return chunks
  }

  private func removeChunks(_ list: Int) {
    let limit = UnsafeMutableRawPointer(lists)
    lists[list].chunks = []
    lists[list].cursor = limit + 1
    lists[list].limit = limit
    (bases + list * FactLog.slotCount).update(repeating: RecordBase(), count: FactLog.slotCount)
  }

  @inline(never)
  private func addChunk(_ list: UnsafeMutablePointer<List>) {
    let chunk = pool.take()
    if let last = list.pointee.chunks.indices.last {
      list.pointee.chunks[last].end = list.pointee.cursor
    }
    list.pointee.chunks.append(FactList.Chunk(start: chunk, end: chunk))
    list.pointee.cursor = chunk
    list.pointee.limit = chunk + (ChunkPool.chunkBytes - FactRecord.maximumBytes)
  }
}
