internal import FlowDefinition

/// Where the row of a metric in a slice stands among all rows.
///
/// Most slices have the same metrics in the same order. So slices and metrics are numbered each for
/// itself, and a number is guessed from the row before: few rows have to be hashed.
struct RowIndex: Sendable {
  private struct Name: Hashable {
    var metric: MetricName
    var step: String
  }

  private var numberOfSlice: [Slice: Int] = [:]
  private var numberOfName: [Name: Int] = [:]
  /// For each slice the row of each name; −1 where there is none.
  private var places: [[Int32]] = []

  /// Of several rows that say the same the first counts.
  init(_ rows: [MetricRow]) {
    var names: [Name] = []
    /// For each name the one that came after it last.
    var following: [Int] = []
    var slice = -1
    var previous = 0
    for index in rows.indices {
      if index == 0 || rows[index].slice != rows[index - 1].slice {
        slice = number(of: rows[index].slice)
      }
      let guess = previous < following.count ? following[previous] : 0
      if guess >= names.count || names[guess].metric != rows[index].metric
        || names[guess].step != rows[index].step
      {
        let name = Name(metric: rows[index].metric, step: rows[index].step)
        let number = numberOfName[name] ?? names.count
        if number == names.count {
          numberOfName[name] = number
          names.append(name)
          following.append(number + 1)
        }
        if previous < following.count { following[previous] = number }
        previous = number
      } else {
        previous = guess
      }
      put(Int32(truncatingIfNeeded: index), slice, previous)
    }
  }

  /// The row's place; `nil` where there is none.
  func place(_ metric: MetricName, step: String, in slice: Slice) -> Int? {
    guard let number = numberOfSlice[slice],
      let name = numberOfName[Name(metric: metric, step: step)], name < places[number].count
    else { return nil }
    let place = places[number][name]
    return place < 0 ? nil : Int(place)
  }

  private mutating func number(of slice: Slice) -> Int {
    if let known = numberOfSlice[slice] { return known }
    numberOfSlice[slice] = places.count
    places.append([])
    return places.count - 1
  }

  private mutating func put(_ row: Int32, _ slice: Int, _ name: Int) {
    let missing = name + 1 - places[slice].count
    if missing > 0 { places[slice].append(contentsOf: repeatElement(-1, count: missing)) }
    if places[slice][name] < 0 { places[slice][name] = row }
  }
}
