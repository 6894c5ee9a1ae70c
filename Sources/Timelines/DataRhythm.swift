/// What is usual in some facts, and by that the dates that belong to them (definitions 1.5).
struct DataRhythm {
  /// The largest number of persons such that half of all persons, counted once a date, have their
  /// facts on dates with at least so many.
  let usualPersons: Int
  /// A two-hundredth of the usual number, but half of it where that is less than three, else three
  /// at least.
  let enoughPersons: Int
  /// The places of the dates that are not misdated.
  let datedDays: Range<Int>

  private static let leastGap = 30
  private static let greatestGap = 366
  private static let gapFactor = 10
  private static let leastProof = 7

  /// `nil` without dates.
  ///
  /// - Parameter days: the dates with facts, in order.
  init?(_ days: [DayCensus.Day]) {
    guard !days.isEmpty else { return nil }
    let usual = DataRhythm.usual(days.map(\.persons))
    let enough = max((usual + 199) / 200, min(3, (usual + 1) / 2))
    usualPersons = usual
    enoughPersons = enough
    let parts = DataRhythm.parts(days)
    // The first of the largest.
    var main = 0
    var largest = 0
    for (index, part) in parts.enumerated() {
      let sum = days[part].reduce(0) { $0 + $1.persons }
      if sum > largest { (main, largest) = (index, sum) }
    }
    let persons = max(enough, (usual + 3) / 4)
    func isProven(_ part: Range<Int>, gap: Int) -> Bool {
      let dates = max(DataRhythm.leastProof, (gap + 29) / 30)
      return days[part].count { $0.persons >= persons } >= dates
    }
    var dated = parts[main]
    for part in parts[(main + 1)...] {
      let gap = days[part.lowerBound].number - days[dated.upperBound - 1].number
      if isProven(part, gap: gap) { dated = dated.lowerBound..<part.upperBound }
    }
    for part in parts[..<main].reversed() {
      let gap = days[dated.lowerBound].number - days[part.upperBound - 1].number
      if gap <= DataRhythm.greatestGap || isProven(part, gap: gap) {
        dated = part.lowerBound..<dated.upperBound
      }
    }
    datedDays = dated
  }

  private static func usual(_ persons: [Int]) -> Int {
    let total = persons.reduce(0, +)
    var sum = 0
    for count in persons.sorted(by: >) {
      sum += count
      if sum * 2 >= total { return count }
    }
    return 0
  }

  /// Dates with facts between which there is no gap.
  private static func parts(_ days: [DayCensus.Day]) -> [Range<Int>] {
    let distances = zip(days.dropFirst(), days).map { $0.number - $1.number }
    let sorted = distances.sorted()
    var parts: [Range<Int>] = []
    var start = 0
    for (index, distance) in distances.enumerated()
    where distance > longestDistance(sorted, without: distance) {
      parts.append(start..<index + 1)
      start = index + 1
    }
    return parts + [start..<days.count]
  }

  /// How far apart two neighbouring dates may be: ten times the median of the other distances, the
  /// lower one of two, within bounds.
  private static func longestDistance(_ sorted: [Int], without own: Int) -> Int {
    guard sorted.count > 1 else { return leastGap }
    let middle = (sorted.count - 2) / 2
    // Without one that is not above the middle, what is there moves down by one.
    let median = own <= sorted[middle] ? sorted[middle + 1] : sorted[middle]
    return min(max(median * gapFactor, leastGap), greatestGap)
  }
}
