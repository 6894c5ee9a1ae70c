internal import EventInput

/// A stored segment in memory, ready to be read run by run.
///
/// Invariants: `start` points at `count` bytes and `padding` zeros behind them, so that reading one
/// value too far is harmless and is found at the end of the run. `Sendable` unchecked: nothing
/// changes after `init`.
@safe public final class StoredBytes: @unchecked Sendable {
  private static let padding = 64
  private let start: UnsafeMutableRawPointer
  private let count: Int

  /// Copies the bytes.
  public init(_ bytes: UnsafeRawBufferPointer) {
    count = bytes.count
    unsafe start = .allocate(byteCount: count + StoredBytes.padding, alignment: 8)
    if let base = bytes.baseAddress { unsafe start.copyMemory(from: base, byteCount: count) }
    unsafe start.advanced(by: count).initializeMemory(
      as: UInt8.self, repeating: 0, count: StoredBytes.padding)
  }

  deinit { unsafe start.deallocate() }

  /// The checksum of the bytes as they are.
  public var checksum: UInt64 {
    unsafe SegmentFile.checksum(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Of bytes that are no segment: tables, a row.
  public static func checksum(of bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe SegmentFile.checksum($0) }
  }

  /// Calls `body` for every run that has facts of sources that count, with those.
  ///
  /// - Parameter wanted: by the number of a source in the pack, whether it does.
  func forEachRun(
    of wanted: [Bool],
    _ body: (_ user: IdentifierHash, _ device: IdentifierHash, [StoredFact]) throws -> Void
  ) throws {
    guard wanted.contains(false) else { return try forEachRun(body) }
    try forEachRun { user, device, facts in
      let own = facts.filter { Int($0.source) < wanted.count && wanted[Int($0.source)] }
      if !own.isEmpty { try body(user, device, own) }
    }
  }

  /// Calls `body` for every run, with its facts in order of time; repetitions follow each other.
  @inline(__always)
  func forEachRun(
    _ body: (_ user: IdentifierHash, _ device: IdentifierHash, [StoredFact]) throws -> Void
  ) throws {
    var reader = unsafe ByteReader(at: start, end: start + count)
    var (user, device) = (IdentifierHash.missing, IdentifierHash.missing)
    var facts: [StoredFact] = []
    while !reader.isAtEnd {
      let what = reader.word(UInt8.self)
      if what & 1 != 0 {
        user = IdentifierHash(high: reader.word(UInt64.self), low: reader.word(UInt64.self))
      }
      if what & 2 != 0 {
        device = IdentifierHash(high: reader.word(UInt64.self), low: reader.word(UInt64.self))
      }
      let factCount = reader.varint()
      let length = Int(reader.word(UInt32.self))
      // Every fact takes a byte at least.
      guard what < 4, reader.remaining >= length, factCount <= UInt64(length) else {
        throw StoredDamage()
      }
      let first = unsafe reader.next
      facts.removeAll(keepingCapacity: true)
      StoredCoding.read(Int(factCount), from: &reader, into: &facts)
      guard unsafe reader.next == first + length else { throw StoredDamage() }
      try body(user, device, facts)
    }
  }
}
