/// The horizon and the dates that belong to the data (definitions 1.4 and 1.5), as they read.
package struct ReferenceDates {
  /// The time of the last fact on the last date with enough persons.
  package let horizon: Int64
  /// The first and the last millisecond that is not misdated.
  package let first: Int64
  package let last: Int64
  /// When the first of these dates with enough persons begins.
  package let known: Int64
  /// The dates that are missing (definitions 16), each by its first millisecond.
  package let missing: [Int64]

  private typealias Day = (date: Int64, persons: Int)

  /// - Parameter timesOfPersons: of each person's facts; `nil` where there is none.
  package init?(_ timesOfPersons: [[Int64]]) {
    let times = timesOfPersons.joined()
    let dates = Set(times.map { $0 / ReferenceTime.day }).sorted()
    if dates.isEmpty { return nil }
    let days: [Day] = dates.map { date in
      (date, timesOfPersons.count { $0.contains { $0 / ReferenceTime.day == date } })
    }
    let sum = days.reduce(0) { $0 + $1.persons }
    let usual = (1...timesOfPersons.count).last { number in
      2 * days.filter { $0.persons >= number }.reduce(0) { $0 + $1.persons } >= sum
    }
    guard let usual else { return nil }
    let enough = max(Self.ceiling(usual, 200), min(3, Self.ceiling(usual, 2)))
    let data = Self.data(days, enough: enough, usual: usual)
    guard let first = data.first, let last = data.last else { return nil }
    self.first = first.date * ReferenceTime.day
    self.last = (last.date + 1) * ReferenceTime.day - 1
    let known = data.first { $0.persons >= enough } ?? first
    self.known = known.date * ReferenceTime.day
    func latest(_ date: Int64) -> Int64 {
      times.filter { $0 / ReferenceTime.day == date }.max() ?? date * ReferenceTime.day
    }
    var ends = data.filter { $0.persons >= enough }
    // A few dates of hardly anybody don't end the data.
    for count in [6, 5, 4, 3, 2, 1] where ends.count > count {
      let tail = ends.suffix(count)
      let before = ends.dropLast(count).map(\.persons)
      let least = before.count < 7 ? 0 : before.suffix(7).min()
      let last = ends[ends.count - count - 1].date
      if count > 2 && ends[ends.count - count].date == last + 1 { continue }
      let isThin = tail.allSatisfy { day in
        let isNext = ends.contains { $0.date == day.date - 1 }
        let seconds =
          isNext ? (latest(day.date) - day.date * ReferenceTime.day) / 1000 : 86_400
        return Double(day.persons) * 864_000 < Double(least ?? 0) * Double(seconds)
      }
      if isThin {
        ends.removeLast(count)
        break
      }
    }
    horizon = latest((ends.last ?? last).date)
    missing = Self.missing(data, end: (ends.last ?? last).date).map { $0 * ReferenceTime.day }
  }

  private static func missing(_ data: [Day], end: Int64) -> [Int64] {
    guard let first = data.first?.date, first < end else { return [] }
    func persons(_ date: Int64) -> Int { data.first { $0.date == date }?.persons ?? 0 }
    func usual(_ date: Int64) -> Int {
      let weeks = (-4...4).filter { $0 != 0 }.map { date + 7 * Int64($0) }
      let counts = weeks.filter { $0 >= first && $0 < end }.map(persons).sorted()
      if !counts.isEmpty { return counts[(counts.count - 1) / 2] }
      return date == first ? 0 : min(persons(date - 1), persons(date + 1))
    }
    let few = (first..<end).filter { usual($0) >= 10 && 10 * persons($0) < usual($0) }
    return few.filter { date in
      let before = (first..<date).last { !few.contains($0) }
      let after = (date + 1...end).first { !few.contains($0) }
      guard let before, let after else { return false }
      return 10 * persons(date) < min(persons(before), persons(after))
    }
  }

  private static func ceiling(_ number: Int, _ divisor: Int) -> Int {
    (number + divisor - 1) / divisor
  }

  /// The dates from the first to the last that belongs to the data.
  private static func data(_ days: [Day], enough: Int, usual: Int) -> [Day] {
    var parts: [[Day]] = []
    for (index, day) in days.enumerated() {
      if index == 0 || hasGap(before: index, days) { parts.append([]) }
      parts[parts.count - 1].append(day)
    }
    let sums = parts.map { part in part.reduce(0) { $0 + $1.persons } }
    let main = sums.firstIndex(of: sums.max() ?? 0) ?? 0
    var data = parts[main]
    func belongs(_ part: [Day], _ gap: Int64) -> Bool {
      let good = part.filter { $0.persons >= enough && $0.persons >= ceiling(usual, 4) }
      return good.count >= max(7, ceiling(Int(gap), 30))
    }
    for part in parts[(main + 1)...] {
      if belongs(part, part[0].date - data[data.count - 1].date) { data += part }
    }
    for part in parts[..<main].reversed() {
      let gap = data[0].date - part[part.count - 1].date
      if gap <= 366 || belongs(part, gap) { data = part + data }
    }
    return data
  }

  private static func hasGap(before index: Int, _ days: [Day]) -> Bool {
    func distance(_ index: Int) -> Int64 { days[index].date - days[index - 1].date }
    let others = days.indices.dropFirst().filter { $0 != index }.map(distance).sorted()
    let own = distance(index)
    if own > 366 { return true }
    guard !others.isEmpty else { return own > 30 }
    return own > 30 && own > 10 * others[(others.count - 1) / 2]
  }
}
