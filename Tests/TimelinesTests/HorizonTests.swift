import FlowDefinition
import ReferenceEvaluator
import Testing
import Timelines

/// The horizon, and which facts are misdated: in memory and on disk, gathered at once or when they
/// are visited, as the reference finds them by the text of the definitions.
struct HorizonTests {
  /// With all facts in memory, some spilled, and a spill for every batch.
  private static let memoryLimits = [nil, 60_000, 1]
  private static let start = 1_770_000_000

  private static func line(_ user: String, _ second: Int) -> String {
    "{\"event\":\"opened\",\"user_id\":\"\(user)\",\"timestamp\":\"\(second)\"}"
  }

  private typealias Seen = (second: Int, person: Int)

  /// Some persons a day, parts of the data with gaps between them, and wrong clocks.
  private static func facts(_ random: inout SeededGenerator) -> [Seen] {
    var facts: [Seen] = []
    var day = 0
    let persons = [1, 2, 4, 8, 700][Int.random(in: 0..<5, using: &random)]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let rate = max(1, persons / Int.random(in: 1...5, using: &random))
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        for _ in 0..<Int.random(in: 1...rate, using: &random) {
          let second = day * 86_400 + Int.random(in: 0..<86_400, using: &random)
          facts.append((second, Int.random(in: 0..<persons * 2, using: &random)))
        }
        day += Int.random(in: 1...3, using: &random)
      }
      day += [0, 8, 29, 30, 31, 60, 300, 367, 800][Int.random(in: 0..<9, using: &random)]
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let second = Int.random(in: -9_000...25_000, using: &random) * 86_400
      facts.append((second, Int.random(in: 0..<5, using: &random)))
    }
    return facts.shuffled(using: &random)
  }

  @Test(arguments: 0..<60)
  func isWhatTheDefinitionsSay(seed: Int) async throws {
    let flow = try SpillTests.flows()[0]
    var random = SeededGenerator(seed: UInt64(seed + 4700))
    let facts = Self.facts(&random)
    let times = Dictionary(grouping: facts, by: \.person).values.map { facts in
      facts.map { Int64(Self.start + $0.second) * 1000 }
    }
    let expected = try #require(ReferenceDates(Array(times)))
    let lines = facts.map { Self.line("u\($0.person)", Self.start + $0.second) }
    // Facts of one person and date in several files.
    let files = (0..<3).map { file in lines.indices.filter { $0 % 3 == file }.map { lines[$0] } }
    for threads in [1, 3] {
      let input = try LinesInFiles(threads == 1 ? [lines] : files)
      for memoryBytes in [nil, 1, 60_000] {
        let timelines = try await input.timelines(
          flow, threads: threads, memoryBytes: memoryBytes)
        let span = try #require(timelines.span)
        let what: Comment = "limit \(memoryBytes ?? 0), \(threads) threads"
        #expect(span.horizonMilliseconds == expected.horizon, what)
        #expect(span.datedMilliseconds == expected.first...expected.last, what)
      }
    }
  }

  /// A steady app, and a few people on some dates behind its last one.
  @Test(arguments: 0..<40)
  func `a few people behind the end are what the definitions say`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed + 8800))
    var facts: [Seen] = []
    let (days, persons) = (Int.random(in: 6...12, using: &random), [30, 90, 260][seed % 3])
    // Next to it, or some weeks away; and a date may be missing before.
    let furthest = [4, 20][seed / 3 % 2]
    let behind = Set((0..<4).map { _ in days + Int.random(in: 0...furthest, using: &random) })
    let missing = Int.random(in: 0...days + 4, using: &random)
    for day in Array(0..<days) + behind.sorted() where day != missing {
      let few = Int.random(in: 0...persons / 8, using: &random)
      for _ in 0..<(day < days ? persons : few) {
        let second = Int.random(in: 0..<86_400, using: &random)
        facts.append((day * 86_400 + second, Int.random(in: 0..<persons * 3, using: &random)))
      }
    }
    let times = Dictionary(grouping: facts, by: \.person).values.map { facts in
      facts.map { Int64(Self.start + $0.second) * 1000 }
    }
    let expected = try #require(ReferenceDates(Array(times)))
    let input = try LinesInFiles([facts.map { Self.line("u\($0.person)", Self.start + $0.second) }])
    let span = try #require(try await input.timelines(try SpillTests.flows()[0]).span)
    #expect(span.horizonMilliseconds == expected.horizon)
  }

  @Test func clocksThatAreDaysAheadDoNotMoveTheHorizon() async throws {
    let steady = Self.days(0..<30, persons: 500)
    func ahead(_ days: Range<Int>, hour: Int, persons: Int = 5) -> [String] {
      days.flatMap { day in
        (0..<persons).map { Self.line("w\($0)", Self.start + day * 86_400 + hour * 3600 + $0) }
      }
    }
    for days in 1...2 {
      #expect(try await Self.horizonDay(steady + ahead(30..<30 + days, hour: 20)) == 29)
    }
    // Three days of few people are an outage, or an app that fewer people use.
    #expect(try await Self.horizonDay(steady + ahead(30..<33, hour: 20)) == 32)
    #expect(try await Self.horizonDay(steady + ahead(30..<31, hour: 2)) == 29)
    #expect(try await Self.horizonDay(steady + ahead(30..<31, hour: 2, persons: 10)) == 30)
    #expect(try await Self.horizonDay(steady + ahead(30..<31, hour: 20, persons: 48)) == 30)
    // Clocks may be weeks ahead, and before that a date may be missing.
    for day in [33, 45, 58] {
      #expect(try await Self.horizonDay(steady + ahead(day..<day + 1, hour: 20)) == 29)
    }
    let torn = Self.days(0..<26, persons: 500) + Self.days(27..<30, persons: 500)
    for day in [30, 45] {
      #expect(try await Self.horizonDay(torn + ahead(day..<day + 1, hour: 20)) == 29)
    }
    // At any hour, on some dates, and on all dates from one on, but for a week of them.
    #expect(try await Self.horizonDay(steady + ahead(45..<46, hour: 0)) == 29)
    #expect(try await Self.horizonDay(steady + ahead(45..<51, hour: 20)) == 29)
    #expect(try await Self.horizonDay(steady + ahead(45..<52, hour: 20)) == 51)
    let apart = [44, 50, 56].flatMap { ahead($0..<$0 + 1, hour: 20) }
    #expect(try await Self.horizonDay(steady + apart) == 29)
    // In six days of data nobody knows what is usual.
    let short = Self.days(0..<6, persons: 500)
    #expect(try await Self.horizonDay(short + ahead(8..<9, hour: 20)) == 8)
  }

  @Test func nothingHasNoHorizon() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles([["{}"]])
    #expect(try await input.timelines(flow).span == nil)
  }

  /// Some persons a day for some days from a day on.
  private static func days(_ days: Range<Int>, persons: Int) -> [String] {
    days.flatMap { day in
      (0..<persons).map { line("u\(($0 * 7 + day) % (persons * 3))", start + day * 86_400 + $0) }
    }
  }

  private static func horizonDay(_ lines: [String]) async throws -> Int {
    let input = try LinesInFiles([lines])
    let timelines = try await input.timelines(try SpillTests.flows()[0])
    let horizon = try #require(timelines.span?.horizonMilliseconds)
    return (Int(horizon / 1000) - start) / 86_400
  }

  /// Many persons with clocks of their own, each alone on its day.
  @Test(
    arguments: [(0, 1), (14, 1), (3, 2), (50, 2), (3, 12), (300, 12), (700, 600)] as [(Int, Int)])
  func wrongClocksDoNotMoveTheHorizon(wrongClocks: Int, persons: Int) async throws {
    let clocks = (0..<wrongClocks).map {
      Self.line("w\($0)", 2_208_988_800 + $0 * 108_000)
    }
    #expect(try await Self.horizonDay(Self.days(0..<30, persons: persons) + clocks) == 29)
  }

  /// Three persons on one day decades ahead, and on as many days as the data have.
  @Test(arguments: [1, 3, 29])
  func threeClocksTogetherDoNotMoveTheHorizon(days: Int) async throws {
    let clocks = Self.days(26_000..<26_000 + days, persons: 3)
    #expect(try await Self.horizonDay(Self.days(0..<30, persons: 12) + clocks) == 29)
  }

  @Test func dataGoOnAfterAPause() async throws {
    let before = Self.days(0..<60, persons: 20)
    #expect(try await Self.horizonDay(before + Self.days(100..<102, persons: 20)) == 59)
    #expect(try await Self.horizonDay(before + Self.days(100..<107, persons: 20)) == 106)
    #expect(try await Self.horizonDay(before + Self.days(100..<140, persons: 4)) == 59)
    // A month without data is no gap.
    #expect(try await Self.horizonDay(before + Self.days(89..<90, persons: 20)) == 89)
  }

  /// A pause, then too few days to show that the data go on: with `--as-of` they do.
  @Test func theLatestMomentIgnoresWhatIsMisdatedForBeingLate() async throws {
    let lines = Self.days(0..<20, persons: 9) + Self.days(70..<73, persons: 9)
    let input = try LinesInFiles([lines])
    let span = try #require(try await input.timelines(try SpillTests.flows()[0]).span)
    #expect((span.latestMilliseconds - span.horizonMilliseconds) / 86_400_000 == 53)
  }

  @Test func daysOfFewPersonsAfterTheEndAreNone() async throws {
    let many = Self.days(0..<14, persons: 1000)
    #expect(try await Self.horizonDay(many + Self.days(14..<20, persons: 4)) == 13)
    // Fewer persons than there were are still people who come.
    #expect(try await Self.horizonDay(many + Self.days(14..<40, persons: 10)) == 39)
  }

  @Test func `dates of hardly anybody in the middle are named`() async throws {
    let flow = try SpillTests.flows()[0]
    func missing(_ lines: [String]) async throws -> [Int] {
      try await LinesInFiles([lines]).timelines(flow).span?.missingDays.map {
        Int($0.startMilliseconds / 86_400_000) - Self.start / 86_400
      } ?? []
    }
    func data(persons: Int, on odd: [Int: Int]) -> [String] {
      (0..<60).flatMap { Self.days($0..<$0 + 1, persons: odd[$0] ?? persons) }
    }
    #expect(try await missing(data(persons: 30, on: [:])) == [])
    #expect(try await missing(data(persons: 30, on: [40: 0, 41: 2, 50: 0])) == [40, 41, 50])
    #expect(try await missing(data(persons: 30, on: [40: 3, 27: 0, 59: 0])) == [27])
    // The horizon's own date is a neighbour.
    #expect(try await missing(data(persons: 30, on: [58: 0])) == [58])
    #expect(try await missing(data(persons: 30, on: [57: 0, 58: 1])) == [57, 58])
    // The first of all, and weekends that nobody works on.
    let quiet = Dictionary(uniqueKeysWithValues: (0..<60).filter { $0 % 7 > 4 }.map { ($0, 1) })
    #expect(try await missing(data(persons: 30, on: quiet.merging([0: 0]) { $1 })) == [])
    #expect(try await missing(data(persons: 30, on: quiet.merging([23: 0]) { $1 })) == [23])
    #expect(try await missing(data(persons: 9, on: [40: 0])) == [])
  }

  @Test func anUnevenEndIsSeen() async throws {
    let flow = try SpillTests.flows()[0]
    func shortDay(_ lines: [String]) async throws -> DataSpan.ShortDay? {
      try await LinesInFiles([lines]).timelines(flow).span?.shortDay
    }
    let even = Self.days(0..<40, persons: 20)
    #expect(try await shortDay(even) == nil)
    // The last day is seldom whole.
    #expect(try await shortDay(even + Self.days(40..<41, persons: 4)) == nil)
    let short = try await shortDay(even + Self.days(40..<42, persons: 4))
    #expect(short?.persons == 4)
    #expect(short?.leastPersons == 20)
    // Weekends that are as low as those before are none.
    let weeks = (0..<42).flatMap { Self.days($0..<$0 + 1, persons: $0 % 7 < 5 ? 20 : 5) }
    #expect(try await shortDay(weeks) == nil)
  }

  /// Dates that chance explains, and dates that it does not, on both sides of each bound. The
  /// chances are sums of binomial coefficients, computed with fractions.
  @Test(arguments: [
    // 1 of 8 people a day: 0.0034 beside all 28 dates, and 0.0195 beside the least.
    (8, 8, 1, false),
    // 0 of 8: 0.0004 and 0.0039.
    (8, 8, 0, true),
    // 5 people after dates of 60 with one of 12: 0.0717 beside the least.
    (60, 12, 5, false),
    // 4: 0.0384.
    (60, 12, 4, true),
    // Half as many are not fewer than half.
    (60, 40, 20, false), (60, 40, 19, true),
  ])
  func aLowDateThatChanceExplainsIsNoUnevenEnd(
    usual: Int, least: Int, persons: Int, isShort: Bool
  ) async throws {
    let lines =
      Self.days(0..<37, persons: usual) + Self.days(37..<38, persons: least)
      + Self.days(38..<39, persons: persons) + Self.days(39..<42, persons: usual)
    let span = try await LinesInFiles([lines]).timelines(try SpillTests.flows()[0]).span
    #expect((span?.shortDay != nil) == isShort)
  }
}
