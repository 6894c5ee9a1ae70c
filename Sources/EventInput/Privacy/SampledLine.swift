/// An event's line that was sampled, and what decides about its place in the sample.
struct SampledLine: Sendable {
  let rank: UInt64
  let hash: UInt64
  let format: EventFormat.Name
  /// Without the line feed; the beginning of a very long line.
  let bytes: [UInt8]

  func precedes(_ other: SampledLine) -> Bool { (rank, hash) < (other.rank, other.hash) }
}
