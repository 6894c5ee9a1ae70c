/// When the users of a device were first and last seen there.
struct SeenSpan: Sendable {
  /// The wrong way round as long as nobody was seen.
  private var first = Int64.max
  private var last = Int64.min

  mutating func add(_ time: Int64) {
    first = min(first, time)
    last = max(last, time)
  }

  mutating func formUnion(_ other: SeenSpan) {
    first = min(first, other.first)
    last = max(last, other.last)
  }

  /// The first and the last moment, once if they are one; none if nobody was seen.
  var ends: [Int64] { first > last ? [] : first == last ? [first] : [first, last] }

  /// The moments that are near enough to a device's only user: between two sightings, or no
  /// further than `limit` from one.
  func near(_ limit: Int64) -> ClosedRange<Int64> {
    first > last ? .min ... .max : first - limit...last + limit
  }
}
