/// Facts in lists, one a partition, that only grow and are read once. Most facts take 14 bytes.
///
/// A list is a chain of chunks, so that growing never copies:
///
///     partition 0   [ chunk of 32 KB ][ chunk of 32 KB ][ 4 of 32 KB ]
///     partition 1   [ chunk of 32 KB ][ 1 of 32 KB ]
///
/// A person's facts mostly have the context, session and device of the one before, so these are
/// written only where they change (`ArenaFact`): a writer knows each person's last ones
/// (`LastFacts`), and a reader that starts at a list's beginning meets them.
///
/// Invariants: facts stand one behind the other from a chunk's `start` to its `end`, of the last
/// chunk to the list's `cursor`; as long as that is not behind `limit` there is room for the
/// largest fact; without chunks it is behind. A person's facts are all in one list; when a list is
/// emptied that may be appended to again, all persons' last facts are forgotten. `Sendable`
/// unchecked: an arena is filled by one worker and then read, by any number of tasks, or given back
/// list by list, each by one task.
final class FactArena: @unchecked Sendable {
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
  private let listCount: Int
  private let last = LastFacts()
  /// What the facts take. Not checked for overlapping accesses, which would be done for every fact:
  /// it is handed to nobody.
  @exclusivity(unchecked) private var factBytes = 0
  /// Whether `last` does not know of all facts: some were forgotten, or taken out.
  @exclusivity(unchecked) private var isPersonUncounted = false

  /// - Parameter pool: where its chunks come from; arenas of one thread may share it.
  init(lists count: Int, pool: ChunkPool) {
    self.pool = pool
    listCount = count
    lists = .allocate(capacity: count)
    // No place of a list: only that the cursor is behind the limit counts.
    let limit = UnsafeMutableRawPointer(lists)
    lists.initialize(repeating: List(cursor: limit + 1, limit: limit), count: count)
  }

  deinit {
    lists.deinitialize(count: listCount)
    lists.deallocate()
  }

  /// Keeps a fact whose device nobody will ask for: it reads as any.
  @inline(__always)
  func append(_ fact: Fact, person: UInt32, to list: Int) {
    let element = last.element(of: person)
    let device = element?.pointee.device ?? .max
    _ = append(
      CollectedFact(fact: fact, person: person, device: device), after: element, to: list)
  }

  /// Keeps a fact and its device, `.max` for none.
  ///
  /// - Returns: `false` if the person's fact before had the same device.
  @inline(__always)
  @discardableResult
  func append(_ collected: CollectedFact, to list: Int) -> Bool {
    append(collected, after: last.element(of: collected.person), to: list)
  }

  @inline(__always)
  private func append(
    _ collected: CollectedFact, after element: UnsafeMutablePointer<Surroundings>?, to list: Int
  ) -> Bool {
    let list = lists + list
    if list.pointee.cursor > list.pointee.limit { addChunk(list) }
    let place = list.pointee.cursor
    var written: (end: UnsafeMutableRawPointer, tellsDevice: Bool)
    if let element {
      let last = element.pointee
      written = ArenaFact.write(collected, after: last, at: place)
      element.pointee = Surroundings(
        context: collected.fact.context, session: collected.fact.session,
        device: collected.device, facts: last.facts &+ 1)
    } else {
      written = (ArenaFact.writeWhole(collected, at: place), true)
      isPersonUncounted = true
    }
    list.pointee.cursor = written.end
    list.pointee.count += 1
    factBytes += written.end - place
    return written.tellsDevice
  }

  /// Has what is known of some persons' last facts brought into the caches.
  func fetchLast(of persons: [UInt32], count: Int) { last.fetch(persons, count: count) }

  /// The devices of some persons' last facts, `.max` for none, in the same order.
  func lastDevices(of persons: [UInt32], count: Int, into devices: inout [UInt32]) {
    if devices.count < count {
      devices.append(contentsOf: repeatElement(.max, count: count - devices.count))
    }
    devices.withUnsafeMutableBufferPointer { devices in
      persons.withUnsafeBufferPointer { persons in
        last.devices(
          of: UnsafeBufferPointer(rebasing: persons[..<count]),
          into: UnsafeMutableBufferPointer(rebasing: devices[..<count]))
      }
    }
  }

  /// How many facts of each person it holds.
  func factsOfPersons(_ personCount: Int) -> [UInt32] {
    if !isPersonUncounted {
      return (0..<UInt32(truncatingIfNeeded: personCount)).map { person in
        person < last.count ? last.element(of: person)?.pointee.facts ?? 0 : 0
      }
    }
    var counts = [UInt32](repeating: 0, count: personCount)
    for list in 0..<listCount { forEach(list) { counts[Int($0.person)] += 1 } }
    return counts
  }

  /// How many facts list `list` holds.
  func count(_ list: Int) -> Int { lists[list].count }

  var isEmpty: Bool { factBytes == 0 }

  /// The memory that facts take, and what is known of their persons.
  var byteCount: Int { factBytes + last.byteCount }

  /// Calls `body` for every fact of the list, in the order of appending.
  @inline(__always)
  func forEach(_ list: Int, _ body: (ArenaFact) -> Void) {
    for chunk in chunks(list) { forEach(in: chunk, body) }
  }

  /// Visits all facts of a list and gives each chunk back as soon as it is read; the list is then
  /// empty. `body` may append to any list of the pool's arenas.
  @inline(__always)
  func drain(_ list: Int, _ body: (ArenaFact) -> Void) {
    let taken = chunks(list)
    empty(list)
    last.forget()
    isPersonUncounted = true
    for chunk in taken {
      forEach(in: chunk, body)
      factBytes -= chunk.end - chunk.start
      pool.giveBack(chunk.start)
    }
  }

  /// Gives the memory of a list to the system; the list is then empty for good.
  func release(_ list: Int) {
    for chunk in lists[list].chunks { pool.release(chunk.start) }
    empty(list)
  }

  /// Numbers of persons and devices begin anew, and what is known of persons stands where it did.
  func beginAnew() {
    last.forget()
    isPersonUncounted = !isEmpty
  }

  /// Forgets the persons and releases the memory, for a caller that adds few facts or none.
  func forgetPersons() {
    last.letGo()
    isPersonUncounted = !isEmpty
  }

  @inline(__always)
  private func forEach(in chunk: Chunk, _ body: (ArenaFact) -> Void) {
    var place = UnsafeRawPointer(chunk.start)
    while place < UnsafeRawPointer(chunk.end) {
      let stored = ArenaFact(at: place)
      place = stored.end
      body(stored)
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
  }

  @inline(never)
  private func addChunk(_ list: UnsafeMutablePointer<List>) {
    let chunk = pool.take()
    if let last = list.pointee.chunks.indices.last {
      list.pointee.chunks[last].end = list.pointee.cursor
    }
    list.pointee.chunks.append(Chunk(start: chunk, end: chunk))
    list.pointee.cursor = chunk
    list.pointee.limit = chunk + (ChunkPool.chunkBytes - ArenaFact.maximumBytes)
  }
}
