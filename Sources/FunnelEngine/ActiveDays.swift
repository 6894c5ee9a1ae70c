/// The days, counted from entry, on which a person was active.
struct ActiveDays {
  /// The first 64 days, one bit each: most questions are about them.
  private var early: UInt64 = 0
  private var late: [Int] = []

  mutating func removeAll() {
    early = 0
    late.removeAll(keepingCapacity: true)
  }

  /// Days come in ascending order, and none is before that of entry.
  mutating func insert(_ day: Int) {
    if day < 64 {
      early |= 1 << UInt64(max(0, day))
    } else if late.last != day {
      late.append(day)
    }
  }

  /// Whether the person was active on one of the days `first` to `end` − 1.
  func isActive(from first: Int, to end: Int) -> Bool {
    let asked = (UInt64.max << max(0, first)) & ~(UInt64.max << max(0, end))
    if early & asked != 0 { return true }
    if end > 64 {
      for day in late where day >= first && day < end { return true }
    }
    return false
  }
}
