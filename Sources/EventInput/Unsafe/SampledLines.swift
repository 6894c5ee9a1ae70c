/// Events of one scanner that are kept as whole lines, on their way to the run's sample.
///
/// Which events are sampled depends on their lines alone, so that threads, files and their order
/// make no difference: those whose time has the smallest hash, of equals those whose line has. The
/// time is at hand while an event is read, so one that is not sampled costs two multiplications.
struct SampledLines {
  /// A rank below this may be in the sample; 0 where nothing is sampled.
  private(set) var bound: UInt64
  /// Of lines whose rank is just below the bound, only those with a smaller hash may be.
  private var boundHash = UInt64.max
  private let sampling: PropertySampling?
  private let format: EventFormat.Name
  private let identifiers: RequiredIdentifiers
  private var lines: [SampledLine] = []
  /// The rows of the last lines, whose ids are not hashed yet.
  private var rows: [Int] = []

  /// How many wait to be handed over.
  private static let capacity = 128
  /// What is kept of a longer line.
  private static let maximumLineBytes = 1 << 14

  init(_ sampling: PropertySampling?, format: EventFormat.Name) {
    self.sampling = sampling
    self.format = format
    identifiers = sampling?.identifiers ?? .any
    bound = sampling == nil ? 0 : .max
  }

  /// A hash of a time that is cheap and spreads neighbours.
  @inline(__always)
  static func rank(ofTime time: Int64) -> UInt64 {
    var word = UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15
    word ^= word &>> 32
    return word &* 0xD6E8_FEB8_6659_FD93
  }

  /// Keeps a line that ends before the line feed at `next - 1`.
  ///
  /// - Parameter row: of its event.
  @inline(never)
  mutating func take(
    _ start: UnsafePointer<UInt8>, to next: UnsafePointer<UInt8>, rank: UInt64, row: Int
  ) {
    let whole = unsafe UnsafeRawBufferPointer(start: start, count: max(0, next - start - 1))
    let hash = unsafe PropertySampling.hash.hash(whole).low
    if rank == bound - 1 && hash >= boundHash { return }
    let kept = unsafe UnsafeRawBufferPointer(rebasing: whole.prefix(Self.maximumLineBytes))
    unsafe lines.append(SampledLine(rank: rank, hash: hash, format: format, bytes: Array(kept)))
    if identifiers != .any {
      rows.append(row)
    } else if lines.count >= Self.capacity {
      handOver()
    }
  }

  /// Drops lines whose event lacks the id that the sampled events must have, once ids are hashed.
  mutating func dropUnidentified(_ columns: EventColumns) {
    if rows.isEmpty { return }
    let ids = unsafe identifiers == .user ? columns.users : columns.devices
    let last = zip(lines.suffix(rows.count), rows).filter { unsafe !ids[$1].isMissing }.map(\.0)
    lines.removeLast(rows.count)
    lines += last
    rows.removeAll(keepingCapacity: true)
    if lines.count >= Self.capacity { handOver() }
  }

  /// Gives what was kept to the run's sample, which says what may still get into it.
  mutating func handOver() {
    guard let sampling, !lines.isEmpty else { return }
    if let last = sampling.add(lines) {
      bound = last.rank == .max ? .max : last.rank + 1
      boundHash = last.hash
    }
    lines.removeAll(keepingCapacity: true)
  }
}
