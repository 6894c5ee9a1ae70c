#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Memory for the lists of some arenas, in chunks of one size that go from hand to hand.
///
/// Chunks are cut from slabs that come straight from the system. A chunk that is given back is
/// taken again before a new one is cut, so that its pages are not fetched and cleared twice.
///
///     slab of 2 MB   [ chunk | chunk | chunk | … ]   [ chunk | not cut yet          ]
///
/// Invariants: every chunk lies in one of `slabs`, or in one of the `donors`'; those in `free` are
/// held by nobody. All is called by one thread at a time, which need not be a donor's.
@safe final class ChunkPool: @unchecked Sendable {
  /// Each of some hundred lists has one that is not full: small ones waste little.
  static let chunkBytes = 1 << 13
  private static let slabBytes = 1 << 21
  /// From so many slabs on, 128 MB, large pages are asked for. Taking one from the system and
  /// clearing it is dearer than 512 small ones that were in use shortly before; but beyond that
  /// hardly any were.
  private static let slabsOfSmallPages = 64

  @safe private struct Slab {
    var start: UnsafeMutableRawPointer
    var byteCount: Int
    /// Not from the system but from the allocator, where the system refused.
    var isAllocated: Bool
  }

  private var slabs: [Slab] = []
  private var hasAllocatedSlabs = false
  private var next: UnsafeMutableRawPointer?
  private var chunksLeft = 0
  private var free: [UnsafeMutableRawPointer] = unsafe []
  /// Pools that gave chunks away; they live as long as this one.
  private var donors: [ChunkPool] = []

  deinit {
    for slab in slabs {
      if slab.isAllocated {
        unsafe slab.start.deallocate()
      } else {
        unsafe munmap(slab.start, slab.byteCount)
      }
    }
  }

  /// A chunk of `chunkBytes`, with anything in it.
  func take() -> UnsafeMutableRawPointer {
    if let chunk = unsafe free.popLast() { return unsafe chunk }
    if chunksLeft == 0 { unsafe next = addSlab() }
    // `addSlab` gives memory or does not return: there is always a next one here.
    guard let chunk = unsafe next else {
      return .allocate(byteCount: Self.chunkBytes, alignment: 64)
    }
    unsafe next = chunk + Self.chunkBytes
    chunksLeft -= 1
    return unsafe chunk
  }

  /// Keeps a chunk for the next that is asked for.
  func giveBack(_ chunk: UnsafeMutableRawPointer) {
    unsafe free.append(chunk)
  }

  /// Keeps chunks of another pool for those that are asked for next. Cheaper than giving them to
  /// the system, where other threads are interrupted for it, and taking new ones.
  func adopt(_ chunks: [UnsafeMutableRawPointer], of donor: ChunkPool) {
    unsafe free += chunks
    if !donors.contains(where: { $0 === donor }) { donors.append(donor) }
  }

  /// Gives the memory of all chunks that nobody holds to the system; they can still be taken.
  func trim() {
    if hasAllocatedSlabs || donors.contains(where: \.hasAllocatedSlabs) { return }
    unsafe free.forEach { unsafe madvise($0, Self.chunkBytes, MADV_DONTNEED) }
  }

  private func addSlab() -> UnsafeMutableRawPointer {
    chunksLeft = Self.slabBytes / Self.chunkBytes
    // Twice the size, of which the half that begins at a multiple of it is kept: a large page.
    let size = Self.slabBytes
    let pages = unsafe mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let pages = unsafe pages, unsafe pages != MAP_FAILED else {
      hasAllocatedSlabs = true
      let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
      unsafe slabs.append(Slab(start: start, byteCount: size, isAllocated: true))
      return unsafe start
    }
    let before = (size - Int(bitPattern: pages) & (size - 1)) & (size - 1)
    if before > 0 { unsafe munmap(pages, before) }
    if before < size { unsafe munmap(pages + before + size, size - before) }
    let start = unsafe pages + before
    #if os(Linux)
      if slabs.count >= Self.slabsOfSmallPages { unsafe madvise(start, size, Int32(MADV_HUGEPAGE)) }
    #endif
    unsafe slabs.append(Slab(start: start, byteCount: size, isAllocated: false))
    return unsafe start
  }
}
