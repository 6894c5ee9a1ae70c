internal import FunnelEngine

/// An attempt as stretches of time in which the person was there, with pauses between them.
struct AttemptRun {
  let attempt: AttemptOutline
  private var stretches: [ClosedRange<Int64>] { attempt.stretches }

  var startMilliseconds: Int64 { attempt.entryMilliseconds }

  /// The outcome instant, or the last event of an attempt that has none.
  var endMilliseconds: Int64 {
    let last = stretches.last?.upperBound ?? startMilliseconds
    return attempt.outcome == .abandoned || attempt.outcome == .open
      ? last : max(last, attempt.endMilliseconds)
  }

  var lengthMilliseconds: Int64 { endMilliseconds - startMilliseconds }

  /// Time with events, pauses left out.
  var activeMilliseconds: Int64 {
    stretches.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  var pauses: [Range<Int64>] {
    zip(stretches, stretches.dropFirst()).map { $0.upperBound..<$1.lowerBound }
  }

  var awayMilliseconds: Int64 { pauses.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

  /// Where a moment stands when pauses are cut out: milliseconds from the start.
  func active(_ time: Int64) -> Int64 {
    var before: Int64 = 0
    for stretch in stretches {
      if time <= stretch.upperBound { return before + max(0, time - stretch.lowerBound) }
      before += stretch.upperBound - stretch.lowerBound
    }
    return before
  }
}
