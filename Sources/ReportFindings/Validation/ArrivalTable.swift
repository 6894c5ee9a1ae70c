/// How late events arrive, and until when the data can so be called complete.
struct ArrivalTable {
  private let byHour: [Int: Int]
  let total: Int

  init(_ byHour: [Int: Int]) {
    self.byHour = byHour
    total = byHour.values.reduce(0, +)
  }

  /// Events that arrived before they happened.
  var early: Int { byHour[-1] ?? 0 }

  /// Events that took at least so many hours.
  func later(thanHours hours: Int) -> Int {
    byHour.reduce(0) { $0 + ($1.key >= hours ? $1.value : 0) }
  }

  /// The fewest whole hours within which this share of the events arrives.
  func hours(forShare share: Double) -> Int? {
    guard total > 0 else { return nil }
    let wanted = Int((share * Double(total)).rounded(.up))
    var sum = 0
    for hour in byHour.keys.sorted() {
      sum += byHour[hour] ?? 0
      if sum >= wanted { return max(0, hour) + 1 }
    }
    return nil
  }

  /// Delays estimated from files that hold a span of time each: what happened before the time that
  /// nineteen of twenty of a file's events lie after has come late, by so many hours at least.
  ///
  /// - Parameter files: events by hour, one table a file.
  static func estimated(fromFiles files: [[Int: Int]]) -> [Int: Int] {
    let filled = files.filter { !$0.isEmpty }
    guard filled.count > 1 else { return [:] }
    var delays: [Int: Int] = [:]
    for file in filled {
      let total = file.values.reduce(0, +)
      let hours = file.keys.sorted()
      var sum = 0
      let first = hours.first { hour in
        sum += file[hour] ?? 0
        return sum * 20 > total
      }
      for hour in hours { delays[max(0, (first ?? hour) - hour), default: 0] += file[hour] ?? 0 }
    }
    return delays
  }
}
