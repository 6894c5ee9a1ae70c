internal import CScanKernel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The surroundings of each person's last fact, for writers of an arena and readers of its lists.
///
/// It grows without being copied where the system can move pages, and only what persons need of it
/// is touched.
///
/// Invariants: `elements` has room for `capacity` elements, of which `count` are initialised, never
/// more than `ArenaFact.maximumPersons`. One thread at a time.
final class LastFacts {
  // Not checked for overlapping accesses at run time, which would be done for every fact: no
  // method here calls anybody.
  @exclusivity(unchecked) private var elements: UnsafeMutablePointer<Surroundings>?
  /// Persons below this number have an element.
  @exclusivity(unchecked) private(set) var count: UInt32 = 0
  private var capacity = 0
  /// The most elements there have been: what they take is kept when they are forgotten.
  private var written = 0

  deinit { free(elements) }

  /// The memory it takes.
  var byteCount: Int { written * MemoryLayout<Surroundings>.stride }

  /// The element of a person; `nil` where the number is too large for one.
  @inline(__always)
  func element(of person: UInt32) -> UnsafeMutablePointer<Surroundings>? {
    if person >= count { makeRoom(for: person) }
    guard person < count, let elements else { return nil }
    return elements + Int(person)
  }

  /// Has the elements of persons brought into the caches; numbers may be no one's.
  func fetch(_ persons: [UInt32], count: Int) {
    guard self.count > 0, let elements else { return }
    let last = self.count - 1
    persons.withUnsafeBufferPointer { persons in
      for index in 0..<count { scan_fetch(elements + Int(min(persons[index], last))) }
    }
  }

  /// The devices of some persons' last facts, `.max` for none.
  ///
  /// Elements lie outside the caches; here their loads do not wait for each other, and overlap.
  func devices(
    of persons: UnsafeBufferPointer<UInt32>, into devices: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard count > 0, let elements else { return devices.update(repeating: .max) }
    for (index, person) in persons.enumerated() {
      let device = elements[person < count ? Int(person) : 0].device
      devices[index] = person < count ? device : .max
    }
  }

  /// A fact that is read, with what its person's earlier facts carried.
  @inline(__always)
  func collected(_ stored: ArenaFact) -> CollectedFact {
    let element = element(of: stored.person)
    let last = element?.pointee ?? .unknown
    let own = Surroundings(
      context: stored.context ?? last.context, session: stored.session ?? last.session,
      device: stored.device ?? last.device, facts: last.facts)
    element?.pointee = own
    return CollectedFact(
      fact: stored.fact(action: stored.action, context: own.context, session: own.session),
      person: stored.person, device: own.device)
  }

  /// The next fact of each person is as a first one.
  @inline(__always)
  func forget() { count = 0 }

  /// Forgets all, and gives the memory back.
  func letGo() {
    free(elements)
    elements = nil
    capacity = 0
    written = 0
    count = 0
  }

  @inline(never)
  private func makeRoom(for person: UInt32) {
    guard person < ArenaFact.maximumPersons else { return }
    let needed = min(Int(person) | 1023 + 1, Int(ArenaFact.maximumPersons))
    if needed > capacity { grow(to: max(needed, capacity * 2)) }
    guard let elements, needed <= capacity else { return }
    (elements + Int(count)).initialize(repeating: .unknown, count: needed - Int(count))
    count = UInt32(truncatingIfNeeded: needed)
    written = max(written, needed)
  }

  private func grow(to capacity: Int) {
    let size = capacity * MemoryLayout<Surroundings>.stride
    // Where the system refuses, persons have no elements, and their facts are written whole.
    guard let moved = realloc(elements, size) else { return }
    elements = moved.bindMemory(to: Surroundings.self, capacity: capacity)
    self.capacity = capacity
  }
}
