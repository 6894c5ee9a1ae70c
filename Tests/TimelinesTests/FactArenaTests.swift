import EventInput
import ReferenceEvaluator
import Testing

@testable import Timelines

/// An arena gives back what was put in, against plain arrays as its twin.
struct FactArenaTests {
  private static let listCount = 5

  /// An arena with a plain array for each list beside it.
  private struct Twin {
    let arena: FactArena
    var lists = [[CollectedFact]](repeating: [], count: listCount)

    init(_ pool: ChunkPool) { arena = FactArena(lists: listCount, pool: pool) }

    mutating func append(_ collected: CollectedFact) {
      let list = Int(collected.person % UInt32(listCount))
      arena.append(collected, to: list)
      lists[list].append(collected)
    }

    func expectSame(_ comment: Comment) {
      for (list, expected) in lists.enumerated() {
        let last = LastFacts()
        var found: [CollectedFact] = []
        arena.forEach(list) { found.append(last.collected($0)) }
        #expect(found == expected && arena.count(list) == expected.count, comment)
      }
    }
  }

  /// Facts of some persons whose surroundings change now and then, all together or one by one.
  private struct Facts {
    var generator: SeededGenerator
    let changePercent: Int
    let persons: [UInt32]
    private var last: [UInt32: CollectedFact] = [:]

    init(seed: UInt64, changePercent: Int) {
      generator = SeededGenerator(seed: seed)
      self.changePercent = changePercent
      // Among them those whose numbers are too large for their place, the first and the last one.
      let large: [UInt32] = [0, 1, 77, UInt32.max - 1 - ArenaFact.maximumPersons, 0xe000_0000]
      persons = (0..<60).map { $0 * 37 } + large.map { ArenaFact.maximumPersons + $0 } + [.max]
    }

    mutating func next() -> CollectedFact {
      let person = persons.randomElement(using: &generator) ?? 0
      let time = Int64.random(in: 0..<1 << 42, using: &generator)
      let action = UInt32.random(in: 0..<1 << 22, using: &generator)
      var fact =
        last[person]
        ?? CollectedFact(
          fact: Fact(timeMilliseconds: 0, action: 0, context: 0, session: 0), person: person,
          device: .max)
      func changes() -> Bool { Int.random(in: 0..<100, using: &generator) < changePercent }
      let codes: [UInt32] = [0, 1, 2, 0xFF_FFFE, 0xFF_FFFF, UInt32(time & 0xFF_FFFF)]
      let devices: [UInt32] = [0, 1, 2, .max - 1, .max, UInt32(truncatingIfNeeded: time)]
      var (context, session) = (fact.fact.context, fact.fact.session)
      if changes() { context = codes.randomElement(using: &generator) ?? 0 }
      if changes() { session = codes.randomElement(using: &generator) ?? 0 }
      if changes() { fact.device = devices.randomElement(using: &generator) ?? 0 }
      fact.fact = Fact(
        timeMilliseconds: time, action: action, context: context, session: session,
        message: UInt16(truncatingIfNeeded: action))
      last[person] = fact
      return fact
    }
  }

  @Test(arguments: [0, 3, 20, 60, 100], [1, 2] as [UInt64])
  func everyFactComesBack(changePercent: Int, seed: UInt64) {
    var facts = Facts(seed: seed, changePercent: changePercent)
    var twin = Twin(ChunkPool())
    twin.expectSame("empty")
    for round in 0..<4 {
      // Lists of several chunks; they are read, and then grow on.
      for _ in 0..<6_000 { twin.append(facts.next()) }
      twin.expectSame("round \(round)")
    }
    let count = twin.lists.reduce(0) { $0 + $1.count }
    #expect(twin.arena.byteCount >= count * ArenaFact.minimumBytes)
    #expect(twin.arena.byteCount <= count * ArenaFact.maximumBytes + (60 * 37 + 1024) * 16)
  }

  /// Chunks go from hand to hand between two arenas, and lists that were emptied fill again.
  @Test(arguments: [2, 40])
  func drainedListsBeginAnew(changePercent: Int) {
    let pool = ChunkPool()
    var facts = Facts(seed: 11, changePercent: changePercent)
    var first = Twin(pool)
    var second = Twin(pool)
    for round in 0..<6 {
      for _ in 0..<10_000 { first.append(facts.next()) }
      for list in 0..<Self.listCount where (list + round) % 3 != 0 {
        let last = LastFacts()
        var found: [CollectedFact] = []
        let (source, expected) = (first.arena, first.lists[list])
        first.lists[list] = []
        source.drain(list) { stored in
          let collected = last.collected(stored)
          found.append(collected)
          // Every other one goes over, some into a list of the arena that is being drained.
          if found.count % 2 == 0 { second.append(collected) }
        }
        #expect(found == expected && source.count(list) == 0, "round \(round), list \(list)")
      }
      first.expectSame("first, round \(round)")
      second.expectSame("second, round \(round)")
      #expect(first.arena.byteCount >= 0)
    }
    for list in 0..<Self.listCount {
      first.arena.drain(list) { _ in }
      second.arena.release(list)
    }
    #expect(first.arena.isEmpty && second.arena.count(0) == 0)
    // What is known of persons keeps its place until it is given up.
    #expect(first.arena.byteCount > 0)
    first.arena.forgetPersons()
    #expect(first.arena.byteCount == 0)
  }

  /// Numbers that are given anew mean other persons: nothing is known of them.
  @Test func numbersBeginAnew() {
    let arena = FactArena(lists: 1, pool: ChunkPool())
    let fact = Fact(timeMilliseconds: 1, action: 2, context: 3, session: 4)
    arena.append(CollectedFact(fact: fact, person: 0, device: 5), to: 0)
    var devices: [UInt32] = []
    arena.lastDevices(of: [0], count: 1, into: &devices)
    #expect(devices == [5])
    arena.beginAnew()
    arena.lastDevices(of: [0], count: 1, into: &devices)
    #expect(devices == [.max] && arena.factsOfPersons(1) == [1])
  }

  @Test func factsMayGoToTheArenaThatIsDrained() {
    var facts = Facts(seed: 12, changePercent: 10)
    var twin = Twin(ChunkPool())
    for _ in 0..<20_000 { twin.append(facts.next()) }
    for list in 0..<Self.listCount {
      let last = LastFacts()
      let taken = twin.lists[list]
      twin.lists[list] = []
      twin.arena.drain(list) { stored in
        var collected = last.collected(stored)
        // To the list after it, and at the end to the first.
        if collected.person < 5_000 { collected.person += 1 }
        twin.append(collected)
      }
      #expect(taken.count > 1_000)
      twin.expectSame("list \(list)")
    }
  }

  @Test func afterForgettingFactsTellAllAgain() {
    var facts = Facts(seed: 13, changePercent: 5)
    var twin = Twin(ChunkPool())
    for round in 0..<5 {
      for _ in 0..<2_000 { twin.append(facts.next()) }
      twin.expectSame("round \(round)")
      twin.arena.forgetPersons()
    }
  }

  /// Facts of a person with the same surroundings take 14 bytes, the first one 26.
  @Test func whatFactsTake() {
    let arena = FactArena(lists: 1, pool: ChunkPool())
    func append(session: UInt32, device: UInt32, context: UInt32 = 7) {
      let fact = Fact(timeMilliseconds: 5, action: 6, context: context, session: session)
      arena.append(CollectedFact(fact: fact, person: 3, device: device), to: 0)
    }
    append(session: 1, device: 2)
    let first = arena.byteCount
    for _ in 0..<100_000 { append(session: 1, device: 2) }
    #expect(arena.byteCount - first == 1_400_000)
    append(session: 2, device: 2)
    append(session: 2, device: 3)
    append(session: 2, device: 3, context: 8)
    #expect(arena.byteCount - first == 1_400_000 + 3 * 18)
    append(session: 3, device: .max, context: 9)
    #expect(arena.byteCount - first == 1_400_000 + 3 * 18 + 26)
    arena.forgetPersons()
    #expect(arena.byteCount == 26 + 1_400_000 + 3 * 18 + 26)
    #expect(arena.count(0) == 100_005)
  }

  /// Also after facts were taken out, when they have to be counted one by one.
  @Test(arguments: [4, 70])
  func personsFactsAreCounted(changePercent: Int) {
    var facts = Facts(seed: 16, changePercent: changePercent)
    var twin = Twin(ChunkPool())
    for round in 0..<4 {
      for _ in 0..<5_000 {
        let fact = facts.next()
        if fact.person < 2_500 { twin.append(fact) }
      }
      var expected = [UInt32](repeating: 0, count: 2_500)
      for fact in twin.lists.joined() { expected[Int(fact.person)] += 1 }
      #expect(twin.arena.factsOfPersons(2_500) == expected, "round \(round)")
      if round == 1 {
        twin.arena.drain(2) { _ in }
        twin.lists[2] = []
      }
      if round == 2 { twin.arena.forgetPersons() }
    }
  }

  /// Only then need somebody look whose device it is.
  @Test func otherDevicesAreTold() {
    let arena = FactArena(lists: 1, pool: ChunkPool())
    func append(_ person: UInt32, _ device: UInt32) -> Bool {
      let fact = Fact(timeMilliseconds: 5, action: 6, context: 1, session: 2)
      return arena.append(CollectedFact(fact: fact, person: person, device: device), to: 0)
    }
    #expect(append(1, 5) && append(2, 5) && append(3, .max) && append(.max, 5))
    #expect(!append(1, 5) && !append(2, 5) && !append(3, .max))
    #expect(append(1, 6) && append(1, 5) && append(3, 0) && append(.max, 5))
    arena.drain(0) { _ in }
    #expect(append(1, 5) && !append(1, 5))
  }

  @Test func factsWithoutADeviceComeBack() {
    var facts = Facts(seed: 14, changePercent: 15)
    let arena = FactArena(lists: 1, pool: ChunkPool())
    var expected: [CollectedFact] = []
    for index in 0..<9_000 {
      let fact = facts.next()
      expected.append(fact)
      // The same person with a device, and then again without.
      if index % 7 == 0 {
        arena.append(fact, to: 0)
      } else {
        arena.append(fact.fact, person: fact.person, to: 0)
      }
    }
    let last = LastFacts()
    var index = 0
    arena.forEach(0) { stored in
      let found = last.collected(stored)
      #expect(found.fact == expected[index].fact && found.person == expected[index].person)
      #expect(stored.timeMilliseconds == found.fact.timeMilliseconds)
      #expect(stored.action == found.fact.action && stored.person == found.person)
      if index % 7 == 0 { #expect(found.device == expected[index].device) }
      index += 1
    }
    #expect(index == expected.count)
  }

  /// Ordered by key and time, whatever the numbers; what is told is found in the fact before.
  @Test(arguments: [0, 10, 50])
  func groupsHoldEveryFact(changePercent: Int) {
    var facts = Facts(seed: 15, changePercent: changePercent)
    let lists = FactCollector.partitionCount
    let arena = FactArena(lists: lists, pool: ChunkPool())
    let keys = (0..<3_000).map {
      IdentifierKey.fixed.hash(of: "person \($0)", domain: .user)
    }
    var expected = [[CollectedFact]](repeating: [], count: lists)
    for _ in 0..<20_000 {
      let fact = facts.next()
      guard fact.person < keys.count else { continue }
      let list = FactCollector.partition(of: keys[Int(fact.person)])
      arena.append(fact, to: list)
      expected[list].append(fact)
    }
    var grouping = FactGrouping(arena, keys: keys)
    for list in 0..<lists {
      grouping.group(arena, list: list)
      var found: [CollectedFact] = []
      var last: IdentifierHash?
      grouping.forEachRun { key, run in
        found += run
        #expect(!run.isEmpty && run.allSatisfy { keys[Int($0.person)] == key })
        #expect(
          zip(run, run.dropFirst()).allSatisfy {
            $0.fact.timeMilliseconds <= $1.fact.timeMilliseconds
          })
        if let last { #expect(last < key) }
        last = key
      }
      #expect(Set(found) == Set(expected[list]))
      #expect(found.count == expected[list].count && arena.count(list) == 0)
    }
  }
}
