internal import EventInput

/// When people had events, to see how much of one source is in another, whatever it says of them:
/// a corrected export has the moments of the first one, another day's has not.
public struct SharedMoments {
  /// How many moments are kept; of more facts some are sampled, the same of every source.
  private static let capacity = 100_000

  /// Of a source's facts that were looked at: how many have their moment in the other source, and
  /// how many are dated before or after all of that.
  public struct Count: Sendable, Hashable {
    /// How many were looked at.
    public var all = 0
    /// How many of their moments are there.
    public var shared = 0
    /// How many are dated where the other source has nothing.
    public var outside = 0

    /// Of no facts.
    public init() {}

    /// Adds what was found elsewhere.
    public mutating func add(_ other: Count) {
      all += other.all
      shared += other.shared
      outside += other.outside
    }
  }

  private var moments: Set<UInt64> = []
  private let every: UInt64
  private let first: Int64
  private let last: Int64

  /// The moments of a source, in all its packs.
  ///
  /// - Throws: `StoredDamage` where the bytes make no sense.
  public init(_ packs: [StoredPack]) throws {
    let facts = packs.reduce(0) { $0 + $1.factCount }
    every = UInt64(max(1, facts / Self.capacity))
    first = packs.compactMap(\.milliseconds?.lowerBound).min() ?? .max
    last = packs.compactMap(\.milliseconds?.upperBound).max() ?? .min
    for segment in packs.flatMap(\.segments) {
      let bytes = unsafe segment.bytes.withUnsafeBytes { unsafe StoredBytes($0) }
      try bytes.forEachRun { user, device, facts in
        for stored in facts {
          let moment = Self.moment(user, device, stored.fact)
          if moment % every == 0 { moments.insert(moment) }
        }
      }
    }
  }

  /// Compares the facts that a source has in a segment.
  ///
  /// - Parameter source: its number in the pack.
  /// - Throws: `StoredDamage` where the bytes make no sense.
  public func count(in segment: StoredBytes, ofSource source: Int) throws -> Count {
    var count = Count()
    try segment.forEachRun { user, device, facts in
      for stored in facts where Int(stored.source) == source {
        let moment = Self.moment(user, device, stored.fact)
        if moment % every != 0 { continue }
        count.all += 1
        if moments.contains(moment) { count.shared += 1 }
        let time = stored.fact.timeMilliseconds
        if time < first || time > last { count.outside += 1 }
      }
    }
    return count
  }

  /// A number for a person and a time.
  private static func moment(
    _ user: IdentifierHash, _ device: IdentifierHash, _ fact: Fact
  ) -> UInt64 {
    var word = user.low ^ (device.low &* 0x9E37_79B9_7F4A_7C15)
    word ^= UInt64(bitPattern: fact.timeMilliseconds) &* 0xD6E8_FEB8_6659_FD93
    word ^= word >> 32
    return word &* 0xD6E8_FEB8_6659_FD93 >> 1
  }
}
