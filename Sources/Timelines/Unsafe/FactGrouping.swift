internal import EventInput

/// One list of an arena, ordered by the key of its persons and by time; reused from list to list.
///
///     members of the list, by key      c     a     b
///     their runs in `facts`            ├──c──┼─a─┼────b────┤
///     facts of the list                each goes to its person's cursor, one behind the other
///
/// How many facts each person has is known to the arena, so that the list is read only once.
///
/// Invariants: `facts` has room for the list grouped last, whose runs follow each other from its
/// start; a person's cursor is that of the list they stand in, and each person stands in one list.
struct FactGrouping {
  private struct Member {
    var key: IdentifierHash
    var number: UInt32
  }

  private let keys: [IdentifierHash]
  private let factsOfPersons: [UInt32]
  private let members: PartitionMembers
  /// Where each person's next fact goes.
  private var cursors: [UInt32]
  private var facts: [CollectedFact] = []
  private var ends: [Int] = []
  // Of one list, by key; and what puts them in order.
  private var ordered: [Member] = []
  private var starts: [Int] = []

  /// - Parameters:
  ///   - arena: all of whose facts are still there; none is added from here on.
  ///   - keys: of its persons, by their number.
  init(_ arena: FactArena, keys: [IdentifierHash]) {
    self.keys = keys
    factsOfPersons = arena.factsOfPersons(keys.count)
    members = PartitionMembers(keys: keys, facts: factsOfPersons)
    cursors = Array(repeating: 0, count: keys.count)
  }

  /// Takes the facts of a list out of the arena.
  mutating func group(_ arena: FactArena, list: Int) {
    let total = arena.count(list)
    order(members.persons(list))
    ends.removeAll(keepingCapacity: true)
    var start = 0
    for member in ordered {
      cursors[Int(member.number)] = UInt32(truncatingIfNeeded: start)
      start += Int(factsOfPersons[Int(member.number)])
      ends.append(start)
    }
    if facts.count < total {
      let none = Fact(timeMilliseconds: 0, action: 0, context: 0, session: 0)
      facts = Array(
        repeating: CollectedFact(fact: none, person: 0, device: 0), count: total + total / 8)
    }
    facts.withUnsafeMutableBufferPointer { facts in
      cursors.withUnsafeMutableBufferPointer { cursors in
        arena.drain(list) { stored in
          let person = Int(stored.person)
          let cursor = Int(cursors[person])
          cursors[person] &+= 1
          // Before a person's first fact stands somebody else's, or nothing: it is not asked.
          facts[cursor] = stored.collected(after: facts[cursor - 1])
        }
      }
      FactSorting.sortEach(facts, ends: ends)
    }
  }

  /// Calls `body` for each person of the list grouped last, in the order of their keys.
  ///
  /// - Parameter ahead: is shown the first fact of a person whose turn comes soon, to have fetched
  ///   what that will need.
  @inline(__always)
  func forEachRun<Problem: Error>(
    ahead: (CollectedFact) -> Void = { _ in },
    _ body: (IdentifierHash, UnsafeBufferPointer<CollectedFact>) throws(Problem) -> Void
  ) throws(Problem) {
    let distance = 8
    try facts.withUnsafeBufferPointer { facts throws(Problem) in
      var start = 0
      for (index, end) in ends.enumerated() {
        if index + distance < ends.count { ahead(facts[ends[index + distance - 1]]) }
        try body(ordered[index].key, UnsafeBufferPointer(rebasing: facts[start..<end]))
        start = end
      }
    }
  }

  /// Puts persons in the order of their keys. Keys are hashes: spread over as many places as there
  /// are persons by their upper bits, hardly any stands in a wrong one.
  private mutating func order(_ numbers: ArraySlice<UInt32>) {
    let bits = min(20, Int.bitWidth - numbers.count.leadingZeroBitCount)
    func place(_ key: IdentifierHash) -> Int {
      // The uppermost bits are the list's number.
      let spread = key.high << UInt64(FactCollector.partitionBits)
      return Int(truncatingIfNeeded: (spread >> 1) >> UInt64(63 - bits))
    }
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: (1 << bits) + 1))
    for number in numbers { starts[place(keys[Int(number)]) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    ordered.removeAll(keepingCapacity: true)
    ordered.append(
      contentsOf: repeatElement(Member(key: .missing, number: 0), count: numbers.count))
    for number in numbers {
      let key = keys[Int(number)]
      ordered[starts[place(key)]] = Member(key: key, number: number)
      starts[place(key)] += 1
    }
    for index in ordered.indices.dropFirst() where ordered[index].key < ordered[index - 1].key {
      let member = ordered[index]
      var place = index
      while place > 0 && member.key < ordered[place - 1].key {
        ordered[place] = ordered[place - 1]
        place -= 1
      }
      ordered[place] = member
    }
  }
}
