internal import EventInput

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Facts in lists, one a partition, that only grow and are read once. A fact takes some 20 bytes.
///
/// A list is a chain of chunks, so that growing never copies:
///
///     partition 0   [ chunk of 8 KB ][ chunk of 8 KB ][ 4 of 8 KB ]
///     partition 1   [ chunk of 8 KB ][ 1 of 8 KB ]
///
/// No table knows all keys. Each list has a few slots, and a slot remembers the key of the last
/// record that came its way, with what was told of it (`RecordBase`): a record with the same key
/// tells only what changed. The slots of all lists stay in the second cache, where a table of all
/// persons would cost a miss for every event. A reader that starts at a list's beginning goes
/// through the same states.
///
/// Invariants: records stand one behind the other from a chunk's `start` to its `end`, of the last
/// chunk to the list's `cursor`; as long as that is not behind `limit` there is room for the
/// largest record; without chunks it is behind. A list's slots are those that reading it leaves
/// behind. `Sendable` unchecked: a log is filled by one worker and then read, by any number of
/// tasks, or given back list by list, each by one task.
final class FactLog: @unchecked Sendable {
  /// How many keys a list remembers; a power of 2 below that of `FactRecord.contextMark`.
  static let slotCount = 16

  private struct Chunk {
    var start: UnsafeMutableRawPointer
    var end: UnsafeMutableRawPointer
  }

  private struct List {
    var cursor: UnsafeMutableRawPointer
    var limit: UnsafeMutableRawPointer
    var count = 0
    var chunks: [Chunk] = []
  }

  private let pool: ChunkPool
  private let lists: UnsafeMutablePointer<List>
  private let bases: UnsafeMutablePointer<RecordBase>
  private let listCount: Int
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

  /// Keeps a fact of a person, or of a device that is nobody's yet.
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
    // is not told is overwritten by what comes next.
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

  /// Calls `body` for every record of the list, in the order of appending, with what it likes to
  /// remember of the record's slot.
  @inline(__always)
  func forEach<Memory>(
    _ list: Int, remembering memory: Memory, _ body: (inout Memory, FactRecord) -> Void
  ) {
    FactLog.withSlots(memory) { slots in
      for chunk in chunks(list) { FactLog.forEach(in: chunk, slots, body) }
    }
  }

  /// Visits all facts of a list and gives each chunk back as soon as it is read; the list is then
  /// empty. `body` may append to any list of the pool's logs.
  @inline(__always)
  func drain<Memory>(
    _ list: Int, remembering memory: Memory, _ body: (inout Memory, FactRecord) -> Void
  ) {
    let taken = chunks(list)
    empty(list)
    FactLog.withSlots(memory) { slots in
      for chunk in taken {
        FactLog.forEach(in: chunk, slots, body)
        byteCount -= chunk.end - chunk.start
        pool.giveBack(chunk.start)
      }
    }
  }

  /// Gives the memory of a list to the system; the list is then empty for good.
  func release(_ list: Int) {
    for chunk in lists[list].chunks { pool.release(chunk.start) }
    empty(list)
  }

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

  @inline(__always)
  private static func withSlots<Memory>(
    _ memory: Memory, _ body: (UnsafeMutablePointer<Memory>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: Memory.self, capacity: slotCount) { slots in
      slots.initialize(repeating: memory)
      defer { slots.deinitialize() }
      guard let start = slots.baseAddress else { return }
      body(start)
    }
  }

  @inline(__always)
  private static func forEach<Memory>(
    in chunk: Chunk, _ slots: UnsafeMutablePointer<Memory>,
    _ body: (inout Memory, FactRecord) -> Void
  ) {
    var place = UnsafeRawPointer(chunk.start)
    while place < UnsafeRawPointer(chunk.end) {
      let record = FactRecord(at: place)
      place = record.end
      body(&slots[record.slot & (slotCount - 1)], record)
    }
  }

  /// A list's chunks, the last one with its end.
  private func chunks(_ list: Int) -> [Chunk] {
    var chunks = lists[list].chunks
    if let last = chunks.indices.last { chunks[last].end = lists[list].cursor }
    return chunks
  }

  private func empty(_ list: Int) {
    let limit = UnsafeMutableRawPointer(lists)
    lists[list] = List(cursor: limit + 1, limit: limit)
    (bases + list * FactLog.slotCount).update(repeating: RecordBase(), count: FactLog.slotCount)
  }

  @inline(never)
  private func addChunk(_ list: UnsafeMutablePointer<List>) {
    let chunk = pool.take()
    if let last = list.pointee.chunks.indices.last {
      list.pointee.chunks[last].end = list.pointee.cursor
    }
    list.pointee.chunks.append(Chunk(start: chunk, end: chunk))
    list.pointee.cursor = chunk
    list.pointee.limit = chunk + (ChunkPool.chunkBytes - FactRecord.maximumBytes)
  }
}
