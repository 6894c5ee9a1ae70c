internal import Timelines

/// Who is in none of the flow's numbers (definitions 3.7).
extension AttemptEvaluator {
  /// Whether the flow leaves a person out, by any of the facts that count, whenever they happened.
  mutating func isLeftOut(
    _ partition: TimelinePartition, _ person: Int, _ facts: Range<Int>
  ) -> Bool {
    if facts.isEmpty { return false }
    let hasID =
      !options.leftOutPersons.isEmpty && options.leftOutPersons.contains(partition.keys[person])
    var (met, asked) = (UInt64(0), UInt64(0))
    if let marks = compiled.leavingMarks {
      for index in facts {
        let action = Int(partition.facts[index].action)
        met |= marks.met[action]
        asked |= marks.asked[action]
      }
    }
    for mark in quality.leftOutByMark.indices {
      quality.leftOutByMark[mark] += Int(met >> UInt64(mark) & 1)
      quality.askedByMark[mark] += Int(asked >> UInt64(mark) & 1)
    }
    if hasID { quality.leftOutByID += 1 }
    if met == 0 && !hasID { return false }
    quality.leftOut += 1
    return true
  }

  /// The facts of a person who is left out, to show them.
  mutating func loadLeftOut(_ partition: TimelinePartition, _ person: Int) {
    var facts = partition.starts[person]..<partition.starts[person + 1]
    let last = min(options.horizonMilliseconds, options.datedMilliseconds.upperBound)
    let first = options.datedMilliseconds.lowerBound
    facts = facts.prefix { partition.facts[$0].timeMilliseconds <= last }
    facts = facts.drop { partition.facts[$0].timeMilliseconds < first }
    load(partition, facts)
  }
}
