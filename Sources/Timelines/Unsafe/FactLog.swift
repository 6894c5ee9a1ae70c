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
@safe final class FactLog: @unchecked Sendable {
  /// How many keys a list remembers; a power of 2 below that of `FactRecord.contextMark`.
  static let slotCount = 16

  /// So much is spilled at once, and read back.
  private static let pieceBytes = 32 * ChunkPool.chunkBytes

  @safe private struct List {
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
    unsafe lists = .allocate(capacity: count)
    // No place of a list: only that the cursor is behind the limit counts.
    let limit = unsafe UnsafeMutableRawPointer(lists)
    unsafe lists.initialize(repeating: List(cursor: limit + 1, limit: limit), count: count)
    unsafe bases = .allocate(capacity: count * FactLog.slotCount)
    unsafe bases.initialize(repeating: RecordBase(), count: count * FactLog.slotCount)
  }

  deinit {
    unsafe lists.deinitialize(count: listCount)
    unsafe lists.deallocate()
    unsafe bases.deallocate()
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
    let list = unsafe lists + number
    if unsafe list.pointee.cursor > list.pointee.limit { unsafe addChunk(list) }
    let slot = Int(truncatingIfNeeded: key.low) & (FactLog.slotCount - 1)
    let base = unsafe bases + (number &* FactLog.slotCount &+ slot)
    let place = unsafe list.pointee.cursor
    var end = unsafe place + FactRecord.minimumBytes
    var marks = UInt16(truncatingIfNeeded: slot)
    let isKnown = unsafe FactLog.isSame(base.pointee.key, key)
    // Written whether it counts or not, so that there is no branch for a processor to guess: what
    // is not recorded is overwritten by what comes next.
    let tellsContext = unsafe !isKnown || base.pointee.context != fact.context
    unsafe end.storeBytes(of: fact.context, as: UInt32.self)
    unsafe end += tellsContext ? 4 : 0
    let tellsSession = unsafe !isKnown || base.pointee.session != fact.session
    unsafe end.storeBytes(of: fact.session, as: UInt32.self)
    unsafe end += tellsSession ? 4 : 0
    marks |= tellsContext ? FactRecord.contextMark : 0
    marks |= tellsSession ? FactRecord.sessionMark : 0
    unsafe base.pointee.context = fact.context
    unsafe base.pointee.session = fact.session
    if !isKnown {
      unsafe FactLog.write(key, at: &end)
      marks |= FactRecord.keyMark
      unsafe base.pointee.key = key
      unsafe base.pointee.device = .missing
    }
    if let device, unsafe !FactLog.isSame(base.pointee.device, device) {
      unsafe FactLog.write(device, at: &end)
      marks |= FactRecord.deviceMark
      unsafe base.pointee.device = device
    }
    unsafe place.storeBytes(of: fact.timeAndAction, as: UInt64.self)
    unsafe place.storeBytes(of: marks, toByteOffset: 8, as: UInt16.self)
    unsafe place.storeBytes(of: fact.message, toByteOffset: 10, as: UInt16.self)
    unsafe list.pointee.cursor = end
    unsafe list.pointee.count &+= 1
    unsafe byteCount &+= end - place
  }

  /// How many facts list `list` holds.
  func count(_ list: Int) -> Int { unsafe lists[list].count }

  /// The facts of a list, in the order of appending.
  ///
  /// - Throws: what reading spilled ones back met.
  func read(_ list: Int) throws(SpillError) -> FactList {
    guard let file, unsafe !lists[list].spilled.isEmpty else { return FactList(chunks(list)) }
    return try unsafe FactList(chunks(list), behind: lists[list].spilled, of: file)
  }

  /// Spills what stands in memory.
  ///
  /// - Parameter file: the same each time.
  /// - Returns: about what the description of it takes in memory.
  func spill(to file: SegmentFile) throws(SpillError) -> Int {
    self.file = file
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FactLog.pieceBytes, alignment: 64)
    defer { unsafe piece.deallocate() }
    var pieces = 0
    for list in 0..<listCount {
      var filled = 0
      func write() throws(SpillError) {
        if filled == 0 { return }
        unsafe lists[list].spilled.append(
          try file.append(UnsafeRawBufferPointer(rebasing: piece[..<filled])))
        filled = 0
        pieces += 1
      }
      for chunk in chunks(list) {
        let bytes = unsafe chunk.bytes
        if filled + bytes.count > piece.count { try write() }
        unsafe UnsafeMutableRawBufferPointer(rebasing: piece[filled...]).copyMemory(from: bytes)
        filled += bytes.count
        unsafe pool.giveBack(chunk.start)
      }
      try write()
      removeChunks(list)
    }
    unsafe byteCount = 0
    return pieces * MemoryLayout<SegmentFile.Chunk>.stride * 2
  }

  /// Empties a list for good; its memory serves another log from now on.
  func giveUp(_ list: Int, to other: FactLog) {
    unsafe other.pool.adopt(lists[list].chunks.map(unsafe \.start), of: pool)
    removeChunks(list)
    unsafe lists[list].spilled = []
    unsafe lists[list].count = 0
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
    unsafe end.storeBytes(of: key.high, as: UInt64.self)
    unsafe end.storeBytes(of: key.low, toByteOffset: 8, as: UInt64.self)
    unsafe end += 16
  }

  /// A list's chunks, the last one with its end.
  private func chunks(_ list: Int) -> [FactList.Chunk] {
    var chunks = unsafe lists[list].chunks
    if let last = chunks.indices.last { unsafe chunks[last].end = lists[list].cursor }
    return chunks
  }

  private func removeChunks(_ list: Int) {
    let limit = unsafe UnsafeMutableRawPointer(lists)
    unsafe lists[list].chunks = []
    unsafe lists[list].cursor = limit + 1
    unsafe lists[list].limit = limit
    unsafe (bases + list * FactLog.slotCount).update(
      repeating: RecordBase(), count: FactLog.slotCount)
  }

  @inline(never)
  private func addChunk(_ list: UnsafeMutablePointer<List>) {
    let chunk = unsafe pool.take()
    if let last = unsafe list.pointee.chunks.indices.last {
      unsafe list.pointee.chunks[last].end = list.pointee.cursor
    }
    unsafe list.pointee.chunks.append(FactList.Chunk(start: chunk, end: chunk))
    unsafe list.pointee.cursor = chunk
    unsafe list.pointee.limit = chunk + (ChunkPool.chunkBytes - FactRecord.maximumBytes)
  }
}
