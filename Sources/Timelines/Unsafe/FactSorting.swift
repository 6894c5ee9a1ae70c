/// Sorting many short runs: insertion for the usual dozen facts, the library's sort for long ones.
enum FactSorting {
  /// Sorts every person's facts and moves them together without repetitions and retries.
  ///
  /// Person i's facts are `facts[starts[i]..<starts[i + 1]]`, before and after.
  /// - Returns: how many facts are left; those behind are of no meaning.
  static func sortEachAndDropRepetitions(_ facts: inout [Fact], starts: inout [Int]) -> Int {
    var write = 0
    unsafe facts.withUnsafeMutableBufferPointer { buffer in
      for person in 0..<(starts.count - 1) {
        let range = starts[person]..<starts[person + 1]
        starts[person] = write
        unsafe sort(UnsafeMutableBufferPointer(rebasing: buffer[range]))
        var retries = RetriedFacts(range, keptFrom: write)
        for index in range {
          let fact = unsafe buffer[index]
          if unsafe index > range.lowerBound && fact == buffer[write - 1] { continue }
          if unsafe fact.message != 0 && retries.isRetry(at: index, in: buffer, keptTo: write) {
            continue
          }
          unsafe buffer[write] = fact
          write += 1
        }
      }
    }
    starts[starts.count - 1] = write
    return write
  }

  /// How many facts have the moment and the own id of an earlier fact of their person.
  ///
  /// - Parameter facts: sorted person by person, without repetitions.
  static func countSameIds(_ facts: [Fact], starts: [Int]) -> Int {
    var count = 0
    for person in 0..<(starts.count - 1) {
      var moment = starts[person]
      for index in starts[person]..<starts[person + 1] {
        let next = index + 1
        let isLast = next == starts[person + 1]
        if !isLast && facts[next].timeMilliseconds == facts[moment].timeMilliseconds { continue }
        if next - moment > 1 { count += countSameIds(facts[moment..<next]) }
        moment = next
      }
    }
    return count
  }

  /// The facts of one moment: those with an id, less one for each id.
  private static func countSameIds(_ facts: ArraySlice<Fact>) -> Int {
    if facts.count == 2 {
      let first = facts[facts.startIndex].message
      return first != 0 && first == facts[facts.startIndex + 1].message ? 1 : 0
    }
    let messages = facts.lazy.map(\.message).filter { $0 != 0 }
    return messages.count - Set(messages).count
  }

  /// Sorts facts that still know their device by time, each run for itself: one begins where the
  /// one before ends.
  static func sortEach(_ facts: UnsafeMutableBufferPointer<FactOnDevice>, ends: [Int]) {
    var start = 0
    for end in ends {
      let run = start..<end
      start = end
      if run.count > 48 {
        unsafe facts[run].sort { $0.fact.timeAndAction < $1.fact.timeAndAction }
        continue
      }
      for index in run.dropFirst() {
        let fact = unsafe facts[index]
        var place = index
        while unsafe place > run.lowerBound
          && fact.fact.timeAndAction < facts[place - 1].fact.timeAndAction
        {
          unsafe facts[place] = facts[place - 1]
          place -= 1
        }
        unsafe facts[place] = fact
      }
    }
  }

  private static func sort(_ run: UnsafeMutableBufferPointer<Fact>) {
    if run.count > 48 {
      var run = unsafe run
      unsafe run.sort(by: Fact.isBefore)
      return
    }
    for index in 1..<max(1, run.count) {
      let fact = unsafe run[index]
      var place = index
      while unsafe place > 0 && Fact.isBefore(fact, run[place - 1]) {
        unsafe run[place] = run[place - 1]
        place -= 1
      }
      unsafe run[place] = fact
    }
  }
}

extension FactSorting {
  /// Sorts one run of stored facts: repetitions stand together, the earliest source first.
  static func sort(_ facts: inout [StoredFact]) {
    func isBefore(_ left: StoredFact, _ right: StoredFact) -> Bool {
      if left.fact != right.fact { return Fact.isBefore(left.fact, right.fact) }
      return left.source < right.source
    }
    if facts.count > 48 { return facts.sort(by: isBefore) }
    unsafe facts.withUnsafeMutableBufferPointer { run in
      for index in 1..<max(1, run.count) {
        let fact = unsafe run[index]
        var place = index
        while unsafe place > 0 && isBefore(fact, run[place - 1]) {
          unsafe run[place] = run[place - 1]
          place -= 1
        }
        unsafe run[place] = fact
      }
    }
  }
}
