internal import EventInput

/// A fact with the device it was sent from, where facts of one key are written device by device.
struct FactOnDevice: Hashable {
  var fact: Fact
  var device: IdentifierHash
}

/// One list of a log, ordered by key and by time; reused from list to list.
///
///     keys of the list, in order       c     a     b
///     their runs in `facts`            ├──c──┼─a─┼────b────┤
///     facts of the list                each goes to its key's cursor, one behind the other
///
/// Invariant: `facts` has room for the list grouped last, whose runs follow each other from its
/// start.
struct FactGrouping {
  /// What a slot of the log remembers.
  private struct Memory {
    var base = RecordBase()
    var number = 0
  }

  private var keys = IdentifierTable()
  /// By number of the key: how many facts it has, then where its next one goes.
  private var cursors: [Int] = []
  /// Numbers in the order of keys, and where the run of each ends.
  private var ordered: [UInt32] = []
  private var ends: [Int] = []
  private var facts: [FactOnDevice] = []

  /// Takes in the facts of a list.
  mutating func group(_ log: FactLog, list: Int) throws(SpillError) {
    keys.removeAll()
    cursors.removeAll(keepingCapacity: true)
    let own = try log.read(list)
    count(own)
    layOut()
    let total = log.count(list)
    if facts.count < total {
      let none = Fact(timeMilliseconds: 0, action: 0, context: 0, session: 0)
      facts = Array(
        repeating: FactOnDevice(fact: none, device: .missing), count: total + total / 8)
    }
    unsafe facts.withUnsafeMutableBufferPointer { facts in
      unsafe cursors.withUnsafeMutableBufferPointer { cursors in
        own.forEach(remembering: Memory()) { memory, record in
          memory.base.take(record)
          if record.tellsKey { memory.number = Int(keys.find(memory.base.key) ?? 0) }
          unsafe facts[cursors[memory.number]] = FactOnDevice(
            fact: memory.base.fact(record), device: memory.base.device)
          unsafe cursors[memory.number] += 1
        }
      }
      unsafe FactSorting.sortEach(facts, ends: ends)
    }
  }

  /// Calls `body` for each key of the list grouped last, in the order of keys.
  func forEachRun<Problem: Error>(
    _ body: (IdentifierHash, UnsafeBufferPointer<FactOnDevice>) throws(Problem) -> Void
  ) throws(Problem) {
    try unsafe facts.withUnsafeBufferPointer { facts throws(Problem) in
      var start = 0
      for (number, end) in zip(ordered, ends) {
        try unsafe body(keys.keys[Int(number)], UnsafeBufferPointer(rebasing: facts[start..<end]))
        start = end
      }
    }
  }

  private mutating func count(_ list: FactList) {
    list.forEach(remembering: 0) { number, record in
      if record.tellsKey {
        number = Int(keys.intern(record.key))
        if number == cursors.count { cursors.append(0) }
      }
      cursors[number] += 1
    }
  }

  /// Puts the keys in order, and turns counts into cursors.
  private mutating func layOut() {
    let all = keys.keys
    ordered.removeAll(keepingCapacity: true)
    ordered.append(contentsOf: (0..<all.count).map { UInt32(truncatingIfNeeded: $0) })
    ordered.sort { all[Int($0)] < all[Int($1)] }
    ends.removeAll(keepingCapacity: true)
    var start = 0
    for number in ordered {
      let count = cursors[Int(number)]
      cursors[Int(number)] = start
      start += count
      ends.append(start)
    }
  }
}
