/// The dates on which starts are missing (definitions 16), as they read.
struct ReferenceMissingStarts {
  let dates: Set<String>

  /// - Parameters:
  ///   - entries: the t0 of everyone who entered.
  ///   - known: when the data begin.
  ///   - end: when they end.
  init(
    entries: [Int64], known: Int64, end: Int64, options: ReferenceOptions, timeZone: String
  ) {
    func date(_ time: Int64) -> String {
      ReferenceTime.cohort(time, unit: .day, timeZone: timeZone)
    }
    let begin = max(known, options.fromMilliseconds ?? known)
    let stop = min(end, options.toMilliseconds ?? end)
    let people = Dictionary(grouping: entries.map(date)) { $0 }.mapValues(\.count)
    // The dates that lie wholly within, from the first with a start on; noons are the same dates.
    var looked: [(date: String, people: Int)] = []
    var start = ReferenceTime.startOfDay(begin, plus: 0, timeZone: timeZone)
    while true {
      let next = ReferenceTime.startOfDay(start, plus: 1, timeZone: timeZone)
      if next > stop { break }
      let count = people[date(start)] ?? 0
      if start >= begin, count > 0 || !looked.isEmpty || entries.contains(where: { $0 < start }) {
        looked.append((date(start), count))
      }
      start = next
    }
    var found: Set<String> = []
    for first in looked.indices {
      for last in looked.indices where last >= first && last - first < 28 {
        let run = first...last
        let isRun =
          run.allSatisfy { Self.isQuiet($0, looked.map(\.people)) }
          && !(first > 0 && Self.isQuiet(first - 1, looked.map(\.people)))
          && !(last + 1 < looked.count && Self.isQuiet(last + 1, looked.map(\.people)))
        guard isRun, Self.isMissing(run, looked.map(\.people)) else { continue }
        for place in run where (Self.median(place, looked.map(\.people)) ?? 0) > 0 {
          found.insert(looked[place].date)
        }
      }
    }
    dates = found
  }

  /// The lower median of the same weekday, four weeks before and after.
  private static func median(_ place: Int, _ people: [Int]) -> Int? {
    let others = [-28, -21, -14, -7, 7, 14, 21, 28].map { place + $0 }
      .filter { $0 >= 0 && $0 < people.count }.map { people[$0] }.sorted()
    return others.isEmpty ? nil : others[(others.count + 1) / 2 - 1]
  }

  private static func isQuiet(_ place: Int, _ people: [Int]) -> Bool {
    median(place, people).map { 10 * people[place] <= $0 } ?? false
  }

  private static func isMissing(_ run: ClosedRange<Int>, _ people: [Int]) -> Bool {
    let sum = people[run].reduce(0, +)
    var windows: [Int] = []
    for week in [-4, -3, -2, -1, 1, 2, 3, 4] {
      let moved = run.lowerBound + 7 * week...run.upperBound + 7 * week
      if moved.overlaps(run) || moved.lowerBound < 0 || moved.upperBound >= people.count {
        continue
      }
      windows.append(people[moved].reduce(0, +))
    }
    guard windows.count >= 2, let least = windows.min() else { return false }
    let isAtEnd = run.upperBound == people.count - 1
    if (run.count == 1 || isAtEnd ? 100 : 10) * sum > least { return false }
    if chance(sum, least) >= 0.0001 { return false }
    let before = people[..<run.lowerBound].suffix(7)
    let after = people[(run.upperBound + 1)...].prefix(7)
    func isBelowTenth(_ days: ArraySlice<Int>) -> Bool {
      let mean = Double(days.reduce(0, +)) / Double(days.count)
      return Double(sum) / Double(run.count) < mean / 10 - 1e-12
    }
    if before.isEmpty || !isBelowTenth(before) { return false }
    return after.isEmpty || isBelowTenth(after)
  }

  /// That of `count` or fewer of the two counts' sum, of a fair coin.
  private static func chance(_ count: Int, _ other: Int) -> Double {
    var term = 1.0
    // Far beyond this it is 0.
    for _ in 0..<min(count + other, 1000) { term /= 2 }
    var sum = term
    for heads in 0..<count {
      term *= Double(count + other - heads) / Double(heads + 1)
      sum += term
    }
    return sum
  }
}
