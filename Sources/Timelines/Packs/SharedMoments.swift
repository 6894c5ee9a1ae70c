internal import EventInput

/// When people had events, to see how much of one source is in another, whatever it says of them:
/// a corrected export has the moments of the first one, another day's has not.
public struct SharedMoments {
  /// How many moments are kept; of more facts some are sampled, the same of every source.
  static let capacity = 100_000

  /// When a person had an event, and whether a visit began with it.
  struct Moment {
    var milliseconds: Int64
    var isFirstOfVisit: Bool
  }

  let moments: [UInt64: Moment]
  let every: UInt64

  /// The moments of a source, in all its packs.
  ///
  /// - Throws: `StoredDamage` where the bytes make no sense.
  public init(_ packs: [StoredPack]) throws {
    let facts = packs.reduce(0) { $0 + $1.factCount }
    let every = UInt64(max(1, facts / Self.capacity))
    var moments: [UInt64: Moment] = [:]
    for segment in packs.flatMap(\.segments) {
      let bytes = unsafe segment.bytes.withUnsafeBytes { unsafe StoredBytes($0) }
      try bytes.forEachRun { user, device, facts in
        var visit = VisitCut()
        for stored in facts {
          let number = Self.number(user, device, stored.fact)
          if number % every != 0 { continue }
          let time = stored.fact.timeMilliseconds
          let isFirst = visit.begins(at: time)
          if moments[number] == nil {
            moments[number] = Moment(milliseconds: time, isFirstOfVisit: isFirst)
          }
        }
      }
    }
    self.moments = moments
    self.every = every
  }

  /// A number for a person and a time.
  static func number(
    _ user: IdentifierHash, _ device: IdentifierHash, _ fact: Fact
  ) -> UInt64 {
    var word = user.low ^ (device.low &* 0x9E37_79B9_7F4A_7C15)
    word ^= UInt64(bitPattern: fact.timeMilliseconds) &* 0xD6E8_FEB8_6659_FD93
    word ^= word >> 32
    return word &* 0xD6E8_FEB8_6659_FD93 >> 1
  }
}

/// Cuts a person's events into visits: events of one visit come and go together, so that they are
/// one piece of evidence.
struct VisitCut {
  private var last: Int64?

  /// Whether an event at a time is no part of the visit of the one before.
  mutating func begins(at milliseconds: Int64) -> Bool {
    defer { last = milliseconds }
    guard let last else { return true }
    let (pause, isFar) = milliseconds.subtractingReportingOverflow(last)
    return isFar || pause.magnitude > 3_600_000
  }
}
