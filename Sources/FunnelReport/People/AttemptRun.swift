internal import FunnelEngine

/// An attempt as stretches of time in which the person was there, with pauses between them.
struct AttemptRun {
  /// Longer without an event, and the person was away (definitions 5.7).
  static let pauseMilliseconds: Int64 = 1_800_000

  let attempt: AttemptOutline
  /// From the first to the last event of each stretch.
  let stretches: [ClosedRange<Int64>]

  init(_ attempt: AttemptOutline, _ explanation: PersonExplanation) {
    self.attempt = attempt
    var stretches: [ClosedRange<Int64>] = []
    var current = attempt.entryMilliseconds...attempt.entryMilliseconds
    for index in attempt.lines {
      let line = explanation.lines[index]
      guard line.isActivity, line.timeMilliseconds >= current.lowerBound else { continue }
      if line.timeMilliseconds - current.upperBound > Self.pauseMilliseconds {
        stretches.append(current)
        current = line.timeMilliseconds...line.timeMilliseconds
      } else {
        current = current.lowerBound...max(current.upperBound, line.timeMilliseconds)
      }
    }
    self.stretches = stretches + [current]
  }

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
