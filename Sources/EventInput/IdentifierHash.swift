/// A user's or device's id as a keyed 128-bit hash: no raw id leaves the scanner.
public struct IdentifierHash: Sendable, Hashable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Stands for "no such id on this event"; no id hashes to it.
  public static let missing = IdentifierHash(high: 0, low: 0)

  public var isMissing: Bool { high == 0 && low == 0 }
}

extension IdentifierHash: Comparable {
  public static func < (left: IdentifierHash, right: IdentifierHash) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}
