/// A fact that still knows its worker's numbers for person and device.
struct CollectedFact {
  var fact: Fact
  /// The worker's number of the person; of the device, where the person is still to be found.
  var person: UInt32
  /// The worker's number of the device; `.max` where the event named none.
  var device: UInt32
}

/// Facts in lists, one a partition, that only grow and are read once. A fact takes 20 bytes.
///
/// A list is a chain of chunks, so that growing never copies:
///
///     partition 0   [ chunk of 1638 ][ chunk of 1638 ][ 317 of 1638 ]
///     partition 1   [ chunk of 1638 ][ 12 of 1638 ]
///
/// Nearly everybody has one device: it is kept once for the person, and a fact with another one has
/// a mark in its person's number and its device in a list of exceptions, in the order of the marks.
///
/// Invariants: every chunk but a list's last is full; `cursors[p]` points at the next free place of
/// list p's last chunk and `ends[p]` behind its last place, both nil before the first append; all
/// places before the cursor are initialised; list p has as many exceptions as marks. `Sendable`
/// unchecked: an arena is filled by one worker and then read, list by list, each list by one task.
final class FactArena: @unchecked Sendable {
  /// Words, so that 20 bytes follow each other without gaps.
  private struct StoredFact {
    var timeLow: UInt32
    var timeHigh: UInt32
    var context: UInt32
    var session: UInt32
    /// The topmost bit is the mark.
    var person: UInt32

    @inline(__always)
    init(_ fact: Fact, person: UInt32) {
      timeLow = UInt32(truncatingIfNeeded: fact.timeAndAction)
      timeHigh = UInt32(truncatingIfNeeded: fact.timeAndAction >> 32)
      context = fact.context
      session = fact.session
      self.person = person
    }

    @inline(__always)
    var fact: Fact {
      Fact(
        timeAndAction: UInt64(timeHigh) << 32 | UInt64(timeLow), context: context,
        session: session)
    }
  }

  /// What a fact takes.
  static let factBytes = MemoryLayout<StoredFact>.stride
  private static let chunkCapacity = ChunkPool.chunkBytes / factBytes
  private static let mark: UInt32 = 1 << 31
  private let pool: ChunkPool
  private var chunks: [[UnsafeMutablePointer<StoredFact>]]
  private let cursors: UnsafeMutablePointer<UnsafeMutablePointer<StoredFact>?>
  private let ends: UnsafeMutablePointer<UnsafeMutablePointer<StoredFact>?>
  /// The first device of each person, plus 2; 0 where there was no fact with a device to tell.
  ///
  /// Not checked for overlapping accesses at run time, as the two after it: the check would be made
  /// for every fact. No access overlaps: an arena is filled by one worker, `append` calls nobody,
  /// and no method that reads these hands them to a `body`.
  @exclusivity(unchecked) private var deviceOfPerson: [UInt32] = []
  @exclusivity(unchecked) private var exceptions: [[UInt32]]
  @exclusivity(unchecked) private var exceptionCount = 0

  /// - Parameter pool: where its chunks come from; arenas of one thread may share it.
  init(lists: Int, pool: ChunkPool) {
    self.pool = pool
    chunks = Array(repeating: [], count: lists)
    exceptions = Array(repeating: [], count: lists)
    cursors = .allocate(capacity: lists)
    cursors.initialize(repeating: nil, count: lists)
    ends = .allocate(capacity: lists)
    ends.initialize(repeating: nil, count: lists)
  }

  deinit {
    cursors.deallocate()
    ends.deallocate()
  }

  /// Keeps a fact whose device nobody will ask for: it reads as any.
  @inline(__always)
  func append(_ fact: Fact, person: UInt32, to list: Int) {
    if cursors[list] == ends[list] { addChunk(list) }
    guard let cursor = cursors[list] else { return }
    cursor.initialize(to: StoredFact(fact, person: person))
    cursors[list] = cursor + 1
  }

  /// Keeps a fact and its device, `.max` for none. A person's facts are all in one list.
  @inline(__always)
  func append(_ collected: CollectedFact, to list: Int) {
    let person = Int(collected.person)
    let own = collected.device &+ 2
    if person >= deviceOfPerson.count { makeRoom(for: person) }
    let known = deviceOfPerson[person]
    if known == own { return append(collected.fact, person: collected.person, to: list) }
    if known == 0 {
      deviceOfPerson[person] = own
      return append(collected.fact, person: collected.person, to: list)
    }
    exceptions[list].append(collected.device)
    exceptionCount += 1
    append(collected.fact, person: collected.person | FactArena.mark, to: list)
  }

  /// How many facts list `list` holds.
  func count(_ list: Int) -> Int {
    guard let last = chunks[list].last, let cursor = cursors[list] else { return 0 }
    return (chunks[list].count - 1) * FactArena.chunkCapacity + (cursor - last)
  }

  /// The memory that is taken beside the facts.
  var sideBytes: Int {
    (deviceOfPerson.capacity + exceptionCount) * MemoryLayout<UInt32>.stride
  }

  /// Calls `body` for every fact of the list and its person, in the order of appending.
  @inline(__always)
  func forEach(_ list: Int, _ body: (Fact, _ person: UInt32) throws -> Void) rethrows {
    var remaining = count(list)
    for chunk in chunks[list] {
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled {
        try body(chunk[index].fact, chunk[index].person & ~FactArena.mark)
      }
      remaining -= filled
    }
  }

  /// The same with the facts' devices.
  @inline(__always)
  func forEachWithDevice(_ list: Int, _ body: (CollectedFact) throws -> Void) rethrows {
    var exception = 0
    var remaining = count(list)
    for chunk in chunks[list] {
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled { try body(collected(chunk[index], list, &exception)) }
      remaining -= filled
    }
  }

  /// Gives the memory of a list to the system; the list is then empty for good.
  func release(_ list: Int) {
    for chunk in chunks[list] { pool.release(chunk) }
    _ = empty(list)
  }

  /// Calls `body` for every fact of the list and its person, in the order of appending, and gives
  /// each chunk back as soon as it is read; the list is then empty. `body` may append to arenas of
  /// the same pool.
  @inline(__always)
  func drain(_ list: Int, _ body: (Fact, _ person: UInt32) throws -> Void) rethrows {
    var remaining = count(list)
    for chunk in empty(list) {
      defer { pool.giveBack(chunk) }
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled {
        try body(chunk[index].fact, chunk[index].person & ~FactArena.mark)
      }
      remaining -= filled
    }
  }

  /// The same with the facts' devices.
  @inline(__always)
  func drainWithDevice(_ list: Int, _ body: (CollectedFact) throws -> Void) rethrows {
    var remaining = count(list)
    var exception = 0
    let own = exceptions[list]
    let taken = empty(list)
    exceptions[list] = own
    defer { exceptions[list] = [] }
    for chunk in taken {
      defer { pool.giveBack(chunk) }
      let filled = min(remaining, FactArena.chunkCapacity)
      for index in 0..<filled { try body(collected(chunk[index], list, &exception)) }
      remaining -= filled
    }
  }

  /// Numbers of persons and devices begin anew; all lists are empty.
  func forgetDevices() {
    deviceOfPerson = []
    exceptionCount = 0
  }

  @inline(__always)
  private func collected(
    _ stored: StoredFact, _ list: Int, _ exception: inout Int
  ) -> CollectedFact {
    let person = stored.person & ~FactArena.mark
    if stored.person != person {
      defer { exception += 1 }
      return CollectedFact(
        fact: stored.fact, person: person, device: exceptions[list][exception])
    }
    let known = Int(person) < deviceOfPerson.count ? deviceOfPerson[Int(person)] : 1
    return CollectedFact(fact: stored.fact, person: person, device: known &- 2)
  }

  /// Forgets a list and returns its chunks.
  private func empty(_ list: Int) -> [UnsafeMutablePointer<StoredFact>] {
    defer {
      chunks[list] = []
      exceptions[list] = []
      cursors[list] = nil
      ends[list] = nil
    }
    return chunks[list]
  }

  private func makeRoom(for person: Int) {
    deviceOfPerson += repeatElement(0, count: max(1024, person + 1 - deviceOfPerson.count))
  }

  @inline(never)
  private func addChunk(_ list: Int) {
    let chunk = pool.take().bindMemory(to: StoredFact.self, capacity: FactArena.chunkCapacity)
    chunks[list].append(chunk)
    cursors[list] = chunk
    ends[list] = chunk + FactArena.chunkCapacity
  }
}
