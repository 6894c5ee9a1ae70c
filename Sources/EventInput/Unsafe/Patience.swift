/// Whether a way of reading that is only faster pays: hits add to it, misses take away, and without
/// any left it is given up for some texts.
struct Patience {
  private let most: Int
  private var left: Int
  /// Texts begun since it was last tried again.
  private var texts = 0
  private static let textsBetween = 16
  private static let afterwards = 64

  init(_ most: Int) {
    self.most = most
    left = most
  }

  var isOver: Bool { left <= 0 }

  @inline(__always)
  mutating func noteHit() { left = min(left &+ 1, most) }

  mutating func noteMiss(cost: Int) { left = max(left - cost, 0) }

  /// Tries again now and then where it is over; not at every text, which after a reject is short.
  @inline(__always)
  mutating func noteText() {
    if isOver { forgive() }
  }

  @inline(never)
  private mutating func forgive() {
    texts += 1
    if texts < Self.textsBetween { return }
    texts = 0
    left = Self.afterwards
  }
}
