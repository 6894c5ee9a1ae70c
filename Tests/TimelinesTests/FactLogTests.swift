import EventInput
import ReferenceEvaluator
import Testing

@testable import Timelines

/// A log gives back what was put in, against plain arrays as its twin.
struct FactLogTests {
  private static let listCount = 5

  /// A fact and what a log knows of it.
  private struct Entry: Hashable {
    var fact: Fact
    var key: IdentifierHash
    var device: IdentifierHash

    init(fact: Fact, key: IdentifierHash, device: IdentifierHash) {
      (self.fact, self.key, self.device) = (fact, key, device)
    }

    init(_ base: RecordBase, _ record: FactRecord) {
      self.init(fact: base.fact(record), key: base.key, device: base.device)
    }
  }

  /// A log with a plain array for each list beside it.
  private struct Twin {
    let log: FactLog
    var lists = [[Entry]](repeating: [], count: listCount)

    init(_ pool: ChunkPool) { log = FactLog(lists: listCount, pool: pool) }

    mutating func append(_ entry: Entry) {
      let list = Int(entry.key.high % UInt64(listCount))
      log.append(entry.fact, key: entry.key, device: entry.device, to: list)
      lists[list].append(entry)
    }

    func expectSame(_ comment: Comment) throws {
      for (list, expected) in lists.enumerated() {
        var found: [Entry] = []
        try log.read(list).forEach(remembering: RecordBase()) { base, record in
          base.take(record)
          found.append(Entry(base, record))
          #expect(record.timeMilliseconds == base.fact(record).timeMilliseconds)
          #expect(record.action == base.fact(record).action)
        }
        #expect(found == expected && log.count(list) == expected.count, comment)
      }
    }
  }

  /// Facts of some keys whose circumstances change now and then, in runs or one by one.
  private struct Facts {
    var generator: SeededGenerator
    let changePercent: Int
    /// More than there are slots, with some that share one.
    let keys: [IdentifierHash]
    private var last: [IdentifierHash: Entry] = [:]

    init(seed: UInt64, changePercent: Int, keys: Int = 160) {
      generator = SeededGenerator(seed: seed)
      self.changePercent = changePercent
      self.keys = (0..<UInt64(keys)).map { IdentifierHash(high: $0 &* 37, low: $0 / 2 + 1) }
    }

    mutating func next() -> Entry {
      let key = keys.randomElement(using: &generator) ?? keys[0]
      let time = Int64.random(in: 0..<1 << 42, using: &generator)
      let action = UInt32.random(in: 0..<1 << 22, using: &generator)
      var entry =
        last[key]
        ?? Entry(
          fact: Fact(timeMilliseconds: 0, action: 0, context: 0, session: 0), key: key,
          device: .missing)
      func changes() -> Bool { Int.random(in: 0..<100, using: &generator) < changePercent }
      let codes: [UInt32] = [0, 1, 2, 0xFF_FFFE, 0xFF_FFFF, UInt32(time & 0xFF_FFFF)]
      let devices = [.missing, key] + keys.prefix(2)
      var (context, session) = (entry.fact.context, entry.fact.session)
      if changes() { context = codes.randomElement(using: &generator) ?? 0 }
      if changes() { session = codes.randomElement(using: &generator) ?? 0 }
      if changes() { entry.device = devices.randomElement(using: &generator) ?? .missing }
      entry.fact = Fact(
        timeMilliseconds: time, action: action, context: context, session: session,
        message: UInt16(truncatingIfNeeded: action))
      last[key] = entry
      return entry
    }
  }

  @Test(arguments: [0, 3, 20, 60, 100], [1, 2] as [UInt64])
  func everyFactComesBack(changePercent: Int, seed: UInt64) throws {
    // So few keys that each keeps its slot, and many more.
    for keys in [8, 160] {
      var facts = Facts(seed: seed, changePercent: changePercent, keys: keys)
      var twin = Twin(ChunkPool())
      try twin.expectSame("empty")
      for round in 0..<4 {
        // Lists of several chunks; they are read, and then grow on.
        for _ in 0..<6_000 { twin.append(facts.next()) }
        try twin.expectSame("round \(round), \(keys) keys")
      }
      let count = twin.lists.reduce(0) { $0 + $1.count }
      #expect(twin.log.byteCount >= count * FactRecord.minimumBytes)
      #expect(twin.log.byteCount <= count * FactRecord.maximumBytes)
    }
  }

  /// Wherever in a list spills happen, and while other lists of the pool go on; one that is given
  /// up is empty, and its memory serves another log.
  @Test(arguments: [2, 40], [1, 300, 10_000])
  func spilledFactsComeBack(changePercent: Int, perSpill: Int) throws {
    let folder = SpillFolder()
    defer { folder.remove() }
    let file = try folder.makeFile("facts")
    let pool = ChunkPool()
    var facts = Facts(seed: 11, changePercent: changePercent)
    var spilled = Twin(pool)
    var kept = Twin(pool)
    for round in 0..<6 {
      for _ in 0..<perSpill {
        spilled.append(facts.next())
        kept.append(facts.next())
      }
      let described = try spilled.log.spill(to: file)
      #expect(described > 0 && spilled.log.byteCount == 0 && spilled.log.file != nil)
      for _ in 0..<(round % 2 * 50) { spilled.append(facts.next()) }
      try spilled.expectSame("spilled, round \(round)")
      try kept.expectSame("kept, round \(round)")
    }
    try #expect(spilled.log.spill(to: file) > 0)
    try #expect(spilled.log.spill(to: file) == 0, "nothing is left")
    for list in 0..<Self.listCount { spilled.log.giveUp(list, to: kept.log) }
    spilled.lists = spilled.lists.map { _ in [] }
    try spilled.expectSame("given up")
    // Of another pool, which goes before the memory does.
    do {
      var other = Twin(ChunkPool())
      for _ in 0..<20_000 { other.append(facts.next()) }
      for list in 0..<Self.listCount { other.log.giveUp(list, to: kept.log) }
    }
    for _ in 0..<20_000 { kept.append(facts.next()) }
    try kept.expectSame("kept")
  }

  /// Facts of a key that has its slot take 12 bytes, the first one 20, its key and its device.
  @Test func whatFactsTake() {
    let log = FactLog(lists: 1, pool: ChunkPool())
    let keys = (1...3).map { IdentifierHash(high: 7, low: UInt64($0)) }
    func append(
      _ key: Int = 0, session: UInt32 = 1, device: Int? = 1, context: UInt32 = 7
    ) -> Int {
      let before = log.byteCount
      let fact = Fact(timeMilliseconds: 5, action: 6, context: context, session: session)
      log.append(fact, key: keys[key], device: device.map { keys[$0] }, to: 0)
      return log.byteCount - before
    }
    #expect(append() == 52)
    for _ in 0..<10_000 { #expect(append() == 12) }
    #expect(append(session: 2) == 16)
    #expect(append(session: 2, device: 2) == 28)
    #expect(append(session: 3, device: 2, context: 8) == 20)
    // Another key has another slot.
    #expect(append(1, device: nil) == 36)
    #expect(append(session: 3, device: 2, context: 8) == 12)
    // Where nobody asks for the device it stays what it was.
    #expect(append(session: 3, device: nil, context: 8) == 12)
    #expect(append(session: 3, device: 2, context: 8) == 12)
  }

  /// Ordered by key and time, device by device or not.
  @Test(arguments: [0, 10, 50])
  func groupsHoldEveryFact(changePercent: Int) throws {
    var facts = Facts(seed: 15, changePercent: changePercent)
    var twin = Twin(ChunkPool())
    for _ in 0..<20_000 { twin.append(facts.next()) }
    var grouping = FactGrouping()
    for list in 0..<Self.listCount {
      try grouping.group(twin.log, list: list)
      var found: [Entry] = []
      var last: IdentifierHash?
      grouping.forEachRun { key, run in
        found += run.map { Entry(fact: $0.fact, key: key, device: $0.device) }
        #expect(!run.isEmpty)
        #expect(
          zip(run, run.dropFirst()).allSatisfy {
            $0.fact.timeMilliseconds <= $1.fact.timeMilliseconds
          })
        if let last { #expect(last < key) }
        last = key
      }
      #expect(Set(found) == Set(twin.lists[list]))
      #expect(found.count == twin.lists[list].count)
    }
  }
}
