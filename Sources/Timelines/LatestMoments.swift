/// The latest of many moments, at most `count` of them.
///
/// Candidates gather until there are twice as many as are wanted, and are then sorted and halved:
/// the cost of a moment does not grow with `count`.
struct LatestMoments {
  private let count: Int
  private var candidates: [Int64] = []
  /// Moments at or before this can't be among the latest.
  private var floor: Int64?

  init(count: Int) { self.count = max(1, count) }

  mutating func add(_ moment: Int64) {
    if let floor, moment <= floor { return }
    candidates.append(moment)
    if candidates.count == count * 2 { halve() }
  }

  /// The latest moments, latest first.
  mutating func finish() -> [Int64] {
    halve()
    return candidates
  }

  private mutating func halve() {
    candidates.sort(by: >)
    guard candidates.count >= count else { return }
    candidates.removeLast(candidates.count - count)
    floor = candidates[count - 1]
  }
}
