internal import EventInput

/// Finds facts of one event that was sent again with its clock corrected anew, or with its time cut
/// to seconds: they agree in everything but the moment, their own id included, and lie within less
/// than ten seconds (definitions 1.2).
///
/// An id that a person's facts have with other contents or at other times is not an event's own.
/// Which ids are is only looked up once two facts are alike, which is rare: then for all of the
/// person's facts at once.
struct RetriedFacts {
  private static let limitMilliseconds = MessageSample.retryMilliseconds
  private static let mostCompared = 64

  /// Where an id was used.
  private struct Use {
    let fact: Fact
    var isOneEvent = true
  }

  private let start: Int
  private let end: Int
  /// The first fact that may still lie less than ten seconds back.
  private var window: Int
  private var uses: [UInt16: Use]?

  /// - Parameter range: where the person's facts are, in the order of time.
  init(_ range: Range<Int>, keptFrom start: Int) {
    self.start = start
    end = range.upperBound
    window = start
  }

  /// Whether a fact is a retry of one that was kept.
  ///
  /// - Parameters:
  ///   - index: where the fact is.
  ///   - kept: where the person's facts that were kept end.
  @inline(__always)
  mutating func isRetry(
    at index: Int, in facts: UnsafeMutableBufferPointer<Fact>, keptTo kept: Int
  ) -> Bool {
    let fact = unsafe facts[index]
    if uses == nil, unsafe !mayBeRetry(fact, facts, kept) { return false }
    return unsafe isLaterUse(fact, index, facts, kept)
  }

  @inline(__always)
  private mutating func mayBeRetry(
    _ fact: Fact, _ facts: UnsafeMutableBufferPointer<Fact>, _ kept: Int
  ) -> Bool {
    let earliest = fact.timeMilliseconds - Self.limitMilliseconds
    while unsafe window < kept && facts[window].timeMilliseconds <= earliest { window += 1 }
    // Looking through the facts of a busy moment once for each of them would be quadratic.
    if kept - window > Self.mostCompared { return true }
    for other in window..<kept where unsafe facts[other].isAlike(fact) { return true }
    return false
  }

  private mutating func isLaterUse(
    _ fact: Fact, _ index: Int, _ facts: UnsafeMutableBufferPointer<Fact>, _ kept: Int
  ) -> Bool {
    var uses = self.uses ?? [:]
    if self.uses == nil {
      for range in [start..<kept, index..<end] {
        for place in range where unsafe facts[place].message != 0 {
          unsafe note(facts[place], &uses)
        }
      }
      self.uses = uses
    }
    guard let use = uses[fact.message], use.isOneEvent else { return false }
    return fact.timeMilliseconds > use.fact.timeMilliseconds
  }

  /// Takes in the facts in the order of time.
  private func note(_ fact: Fact, _ uses: inout [UInt16: Use]) {
    let time = fact.timeMilliseconds
    guard var use = uses[fact.message] else {
      uses[fact.message] = Use(fact: fact)
      return
    }
    if !use.fact.isAlike(fact)
      || time - use.fact.timeMilliseconds >= Self.limitMilliseconds
    {
      use.isOneEvent = false
      uses[fact.message] = use
    }
  }
}
