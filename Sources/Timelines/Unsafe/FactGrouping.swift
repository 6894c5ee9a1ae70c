internal import EventInput

/// One list of an arena, ordered by the key of its persons and by time; reused from list to list.
///
/// Invariant: between calls every element of `places` is `.max`, or of a person of another list,
/// who is never asked for again: each person's facts stand in one list.
struct FactGrouping {
  /// The facts of the list grouped last.
  private(set) var facts: [CollectedFact] = []
  /// Where each person's facts stand in `facts`.
  private(set) var runs: [Range<Int>] = []
  private var places: [UInt32]

  init(keyCount: Int) {
    places = Array(repeating: .max, count: keyCount)
  }

  /// Takes the facts of a list out of an arena.
  mutating func group(_ arena: FactArena, list: Int, keys: [IdentifierHash]) {
    let total = arena.count(list)
    var members: [UInt32] = []
    var counts: [Int] = []
    places.withUnsafeMutableBufferPointer { places in
      arena.forEach(list) { stored in
        let number = stored.person
        let person = Int(number)
        if places[person] == .max {
          places[person] = UInt32(truncatingIfNeeded: members.count)
          members.append(number)
          counts.append(0)
        }
        counts[Int(places[person])] += 1
      }
    }
    let order = members.indices.sorted { keys[Int(members[$0])] < keys[Int(members[$1])] }
    var cursors = counts
    var start = 0
    runs.removeAll(keepingCapacity: true)
    for place in order {
      cursors[place] = start
      runs.append(start..<(start + counts[place]))
      start += counts[place]
    }
    facts = [CollectedFact](unsafeUninitializedCapacity: total) { buffer, initialized in
      places.withUnsafeBufferPointer { places in
        arena.drain(list) { stored in
          let place = Int(places[Int(stored.person)])
          let cursor = cursors[place]
          // Before a person's first fact stands somebody else's, or nothing: it is not asked.
          buffer.initializeElement(
            at: cursor, to: stored.collected(after: buffer[cursor - 1]))
          cursors[place] = cursor + 1
        }
      }
      initialized = total
    }
    FactSorting.sortEach(&facts, runs: runs)
  }
}
