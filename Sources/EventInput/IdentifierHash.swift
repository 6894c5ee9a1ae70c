/// A user's or device's id as a keyed 128-bit hash: no raw id leaves the scanner.
public struct IdentifierHash: Sendable, Hashable {
  /// The first 64 bits; in order of hashes they come first.
  public var high: UInt64
  /// The last 64 bits.
  public var low: UInt64

  /// A hash of two halves; both 0 is ``missing``.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// What events without such an id have; no id hashes to it.
  public static let missing = IdentifierHash(high: 0, low: 0)

  /// Whether the event has no such id.
  public var isMissing: Bool { high == 0 && low == 0 }
}

extension IdentifierHash: Comparable {
  /// In the order of the hashes as unsigned numbers, which says nothing about the ids.
  public static func < (left: IdentifierHash, right: IdentifierHash) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}
