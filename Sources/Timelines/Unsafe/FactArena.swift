/// A fact that still knows its worker's numbers for person and device. 24 bytes.
struct CollectedFact {
  var fact: Fact
  /// The worker's number of the person; of the device, where the person is still to be found.
  var person: UInt32
  /// The worker's number of the device; `.max` where the event named none.
  var device: UInt32
}

/// Facts in lists, one a partition, that only grow and are read once.
///
/// A list is a chain of chunks, so that growing never copies:
///
///     partition 0   [ chunk of 1365 ][ chunk of 1365 ][ 317 of 1365 ]
///     partition 1   [ chunk of 1365 ][ 12 of 1365 ]
///
/// Invariants: every chunk but a list's last is full; `cursors[p]` points at the next free place of
/// list p's last chunk and `ends[p]` behind its last place, both nil before the first append; all
/// places before the cursor are initialised. `Sendable` unchecked: an arena is filled by one worker
/// and then read, list by list, each list by one task.
final class FactArena: @unchecked Sendable {
  static let chunkCapacity = ChunkPool.chunkBytes / MemoryLayout<CollectedFact>.stride
  private let pool: ChunkPool
  private var chunks: [[UnsafeMutablePointer<CollectedFact>]]
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<CollectedFact>?>
  private let ends: UnsafeMutablePointer<UnsafeMutablePointer<CollectedFact>?>

  /// - Parameter pool: where its chunks come from; arenas of one thread may share it.
  init(lists: Int, pool: ChunkPool) {
    self.pool = pool
    chunks = Array(repeating: [], count: lists)
    cursors = .allocate(capacity: lists)
    cursors.initialize(repeating: nil, count: lists)
    ends = .allocate(capacity: lists)
    ends.initialize(repeating: nil, count: lists)
  }

  deinit {
    cursors.deallocate()
    ends.deallocate()
  }

  @inline(__always)
  func append(_ fact: CollectedFact, to list: Int) {
    if cursors[list] == ends[list] { addChunk(list) }
    guard let cursor = cursors[list] else { return }
    cursor.initialize(to: fact)
    cursors[list] = cursor + 1
  }

  /// How many facts list `list` holds.
  func count(_ list: Int) -> Int {
    guard let last = chunks[list].last, let cursor = cursors[list] else { return 0 }
    return (chunks[list].count - 1) * FactArena.chunkCapacity + (cursor - last)
  }

  /// Calls `body` for every fact of the list, in the order of appending.
  @inline(__always)
  func forEach(_ list: Int, _ body: (CollectedFact) throws -> Void) rethrows {
    var remaining = count(list)
    for chunk in chunks[list] {
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled { try body(chunk[index]) }
      remaining -= filled
    }
  }

  /// Gives the memory of a list to the system; the list is then empty for good.
  func release(_ list: Int) {
    for chunk in chunks[list] { pool.release(chunk) }
    chunks[list] = []
    cursors[list] = nil
    ends[list] = nil
  }

  /// Calls `body` for every fact of the list, in the order of appending, and gives each chunk back
  /// as soon as it is read; the list is then empty. `body` may append to arenas of the same pool.
  @inline(__always)
  func drain(_ list: Int, _ body: (CollectedFact) throws -> Void) rethrows {
    var remaining = count(list)
    let taken = chunks[list]
    chunks[list] = []
    cursors[list] = nil
    ends[list] = nil
    for chunk in taken {
      defer { pool.giveBack(chunk) }
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled { try body(chunk[index]) }
      remaining -= filled
    }
  }

  @inline(never)
  private func addChunk(_ list: Int) {
    let chunk = pool.take().bindMemory(to: CollectedFact.self, capacity: FactArena.chunkCapacity)
    chunks[list].append(chunk)
    cursors[list] = chunk
    ends[list] = chunk + FactArena.chunkCapacity
  }
}
