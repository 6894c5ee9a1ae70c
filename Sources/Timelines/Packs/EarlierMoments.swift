internal import EventInput

/// The facts of an earlier source, held against the moments of a later one from the same path.
public struct EarlierMoments {
  /// How many facts were looked at.
  public private(set) var count = 0
  /// How many of their moments are in the later source.
  public private(set) var shared = 0
  /// About how many facts have moments that the later source does not have; exact where all facts
  /// were looked at.
  public var missing: Int { (count - shared) * Int(clamping: every) }
  /// Whether all facts were looked at.
  public var isExact: Bool { every == 1 }

  /// How much of the earlier source may be missing at its beginning and at its end.
  private static let shareAtEnds = 0.01
  /// How many visits chance may take at the ends.
  private static let visitsByChance = 1

  private let later: SharedMoments
  private let every: UInt64
  private var found: Set<UInt64> = []
  /// When visits began that the later source doesn't have, and those that it has.
  private var missingVisits: [Int64] = []
  private var sharedVisits: [Int64] = []

  /// - Parameters:
  ///   - later: the moments of the later source.
  ///   - facts: how many the earlier source has.
  public init(against later: SharedMoments, facts: Int) {
    self.later = later
    let most = UInt64(SharedMoments.capacity) * later.every
    every = later.every * max(1, UInt64(clamping: facts) / most)
  }

  /// Adds the facts that the earlier source has in a segment.
  ///
  /// - Parameter source: its number in the pack.
  /// - Throws: `StoredDamage` where the bytes make no sense.
  public mutating func add(_ segment: StoredBytes, ofSource source: Int) throws {
    try segment.forEachRun { user, device, facts in
      var (missing, both) = (VisitCut(), VisitCut())
      for stored in facts where Int(stored.source) == source {
        let number = SharedMoments.number(user, device, stored.fact)
        if number % every != 0 { continue }
        count += 1
        let time = stored.fact.timeMilliseconds
        if later.moments[number] != nil {
          shared += 1
          found.insert(number)
          if both.begins(at: time) { sharedVisits.append(time) }
        } else if missing.begins(at: time) {
          missingVisits.append(time)
        }
      }
    }
  }

  /// Whether the later source is of other times, so that it lacks what is before or after it, and
  /// not what somebody took out of it.
  ///
  /// That is so where half of what it lacks is dated before three quarters of what both have, and
  /// half of what it adds after three quarters of that, or the other way round. It is also so where
  /// nearly nothing of it is dated as the beginning or the end of the earlier source is. A few late
  /// events or wrong clocks decide neither.
  public var isOfOtherTimes: Bool {
    if missingVisits.isEmpty { return false }
    let missing = missingVisits.sorted()
    let both = sharedVisits.sorted()
    let added = later.moments.filter {
      $0.value.isFirstOfVisit && $0.key % every == 0 && !found.contains($0.key)
    }.map(\.value.milliseconds).sorted()
    if Self.isBefore(missing, both) && Self.isAfter(added, both)
      || Self.isAfter(missing, both) && Self.isBefore(added, both)
    {
      return true
    }
    let excess = Self.excessAtEnds(missing, over: both + added)
    let all = Double(missing.count + both.count)
    return excess > Self.visitsByChance && Double(excess) > all * Self.shareAtEnds
  }

  /// Whether at least half of the first are before three quarters of the others; both are sorted.
  private static func isBefore(_ some: [Int64], _ others: [Int64]) -> Bool {
    if some.isEmpty || others.isEmpty { return false }
    let first = others[others.count / 4]
    return some.count(where: { $0 < first }) * 2 >= some.count
  }

  /// Whether at least half of the first are after three quarters of the others; both are sorted.
  private static func isAfter(_ some: [Int64], _ others: [Int64]) -> Bool {
    if some.isEmpty || others.isEmpty { return false }
    let last = others[others.count - 1 - others.count / 4]
    return some.count(where: { $0 > last }) * 2 >= some.count
  }

  /// By how much the first outnumber the others at the beginning, and at the end.
  private static func excessAtEnds(_ some: [Int64], over others: [Int64]) -> Int {
    var changes: [Int64: Int] = [:]
    for time in some { changes[time, default: 0] += 1 }
    for time in others { changes[time, default: 0] -= 1 }
    let inOrder = changes.sorted { $0.key < $1.key }.map(\.value)
    func most(_ changes: some Sequence<Int>) -> Int {
      var (sum, most) = (0, 0)
      for change in changes {
        sum += change
        most = max(most, sum)
      }
      return most
    }
    return most(inOrder) + most(inOrder.reversed())
  }
}
