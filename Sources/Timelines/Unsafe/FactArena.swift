#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

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
/// A list is a chain of chunks, so that growing never copies. Chunks come straight from the
/// system, which has them back at once while other lists are still read:
///
///     partition 0   [ chunk of 2730 ][ chunk of 2730 ][ 317 of 2730 ]
///     partition 1   [ chunk of 2730 ][ 12 of 2730 ]
///
/// Invariants: every chunk but a list's last is full; `cursors[p]` points at the next free place of
/// list p's last chunk and `ends[p]` behind its last place, both nil before the first append; all
/// places before the cursor are initialised. `Sendable` unchecked: an arena is filled by one worker
/// and then read, list by list, each list by one task.
final class FactArena: @unchecked Sendable {
  private static let chunkBytes = 65_536
  static let chunkCapacity = chunkBytes / MemoryLayout<CollectedFact>.stride
  private var chunks: [[UnsafeMutablePointer<CollectedFact>]]
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<CollectedFact>?>
  private let ends: UnsafeMutablePointer<UnsafeMutablePointer<CollectedFact>?>
  /// Chunks that the system refused and the allocator gave.
  private var heapChunks: Set<UnsafeMutablePointer<CollectedFact>> = []

  init(lists: Int) {
    chunks = Array(repeating: [], count: lists)
    cursors = .allocate(capacity: lists)
    cursors.initialize(repeating: nil, count: lists)
    ends = .allocate(capacity: lists)
    ends.initialize(repeating: nil, count: lists)
  }

  deinit {
    for list in chunks {
      for chunk in list { free(chunk) }
    }
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
  func forEach(_ list: Int, _ body: (CollectedFact) throws -> Void) rethrows {
    var remaining = count(list)
    for chunk in chunks[list] {
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled { try body(chunk[index]) }
      remaining -= filled
    }
  }

  /// Gives the memory of a list back; the list is then empty.
  func release(_ list: Int) {
    for chunk in chunks[list] { free(chunk) }
    chunks[list] = []
    cursors[list] = nil
    ends[list] = nil
  }

  /// Calls `body` for every fact of the list, in the order of appending, and gives each chunk back
  /// as soon as it is read; the list is then empty.
  func drain(_ list: Int, _ body: (CollectedFact) throws -> Void) rethrows {
    var remaining = count(list)
    let taken = chunks[list]
    chunks[list] = []
    cursors[list] = nil
    ends[list] = nil
    for chunk in taken {
      defer { free(chunk) }
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled { try body(chunk[index]) }
      remaining -= filled
    }
  }

  private func allocate() -> UnsafeMutablePointer<CollectedFact> {
    let bytes = FactArena.chunkBytes
    let pages = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let pages, pages != MAP_FAILED else {
      let chunk = UnsafeMutablePointer<CollectedFact>.allocate(capacity: FactArena.chunkCapacity)
      heapChunks.insert(chunk)
      return chunk
    }
    return pages.bindMemory(to: CollectedFact.self, capacity: FactArena.chunkCapacity)
  }

  private func free(_ chunk: UnsafeMutablePointer<CollectedFact>) {
    if heapChunks.isEmpty || heapChunks.remove(chunk) == nil {
      munmap(UnsafeMutableRawPointer(chunk), FactArena.chunkBytes)
    } else {
      chunk.deallocate()
    }
  }

  private func addChunk(_ list: Int) {
    let chunk = allocate()
    chunks[list].append(chunk)
    cursors[list] = chunk
    ends[list] = chunk + FactArena.chunkCapacity
  }
}
