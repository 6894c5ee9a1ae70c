/// Where the facts of each pattern stand in one person's walk: a goal finds its first fact by
/// halving, however many facts and goals there are. Reused from person to person.
struct PatternOccurrences {
  private let sets: PatternSets
  /// For each set its facts' places in `facts`, in the walk's order.
  private var spans: [Range<Int32>]
  /// The sets that the person's facts have.
  private var seen: [UInt32] = []
  private var facts: [Int32] = []

  init(_ sets: PatternSets) {
    self.sets = sets
    spans = Array(repeating: 0..<0, count: sets.count)
  }

  /// Takes the facts of a person, in the place of the last one's.
  mutating func collect(_ walk: [WalkFact]) {
    for set in seen { spans[Int(set)] = 0..<0 }
    seen.removeAll(keepingCapacity: true)
    var marked: Int32 = 0
    for fact in walk where fact.patternSet != 0 {
      let span = spans[Int(fact.patternSet)]
      if span.isEmpty { seen.append(fact.patternSet) }
      spans[Int(fact.patternSet)] = 0..<(span.upperBound + 1)
      marked += 1
    }
    if marked == 0 { return }
    var next: Int32 = 0
    for set in seen {
      let count = spans[Int(set)].upperBound
      spans[Int(set)] = next..<next
      next += count
    }
    if facts.count < Int(marked) {
      facts.append(contentsOf: repeatElement(0, count: Int(marked) - facts.count))
    }
    for index in walk.indices where walk[index].patternSet != 0 {
      let span = spans[Int(walk[index].patternSet)]
      facts[Int(span.upperBound)] = Int32(truncatingIfNeeded: index)
      spans[Int(walk[index].patternSet)] = span.lowerBound..<(span.upperBound + 1)
    }
  }

  /// The first place in the walk, from `start` on, of a fact that satisfies a pattern.
  func first(of pattern: Int, from start: Int) -> Int? {
    if seen.isEmpty { return nil }
    var found: Int32?
    for set in sets.sets(with: pattern) {
      let span = spans[Int(set)]
      if span.isEmpty { continue }
      var (low, high) = (Int(span.lowerBound), Int(span.upperBound))
      while low < high {
        let middle = (low + high) / 2
        if Int(facts[middle]) < start { low = middle + 1 } else { high = middle }
      }
      guard low < Int(span.upperBound) else { continue }
      found = min(found ?? .max, facts[low])
    }
    return found.map(Int.init)
  }
}
