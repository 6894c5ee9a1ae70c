import FlowDefinition
import ReferenceEvaluator
import Testing
import Timelines

/// The horizon of facts in memory and on disk, gathered at once or when they are visited.
struct HorizonTests {
  /// With all facts in memory, some laid aside, and a spill for every batch.
  private static let memoryLimits = [nil, 60_000, 1]

  /// By looking at every fact's day.
  private static func naiveHorizon(_ facts: [(second: Int, person: Int)]) -> Int? {
    let complete = facts.map(\.second).filter { last in
      let seen = facts.filter { $0.second <= last && $0.second > last - 86_400 }
      return Set(seen.map(\.person)).count >= 3
    }
    return complete.max() ?? facts.map(\.second).max()
  }

  /// Many facts, and after them ever fewer of few persons, whose days reach back to the many.
  private static func facts(
    _ random: inout SeededGenerator, many: Int, few: Int
  ) -> [(second: Int, person: Int)] {
    // Days that differ by no more than a moment are frequent.
    let quarter = 86_400 / 4
    var facts = (0..<many).map { _ in
      (
        second: Int.random(in: 0..<80, using: &random) * quarter,
        person: Int.random(in: 0..<12, using: &random)
      )
    }
    for _ in 0..<few {
      facts.append(
        (
          second: (76 + Int.random(in: 0..<24, using: &random)) * quarter,
          person: Int.random(in: 10..<14, using: &random)
        ))
    }
    return facts.shuffled(using: &random)
  }

  @Test(arguments: [(0, 6), (30, 6), (300, 20), (300, 4), (1500, 12), (4000, 2)])
  func isWhatLookingAtEveryDayFinds(many: Int, few: Int) async throws {
    let flow = try SpillTests.flows()[0]
    var random = SeededGenerator(seed: UInt64(many * 100 + few))
    for round in 0..<(many > 1000 ? 3 : 12) {
      let facts = Self.facts(&random, many: many, few: few)
      let lines = facts.map { Self.line("u\($0.person)", "\(1_770_000_000 + $0.second)") }
      let input = try LinesInFiles([lines])
      let expected = Self.naiveHorizon(facts).map { Int64(1_770_000_000 + $0) * 1000 }
      for (memoryBytes, isVisitedOnce) in [(nil, false), (nil, true), (1, false), (60_000, true)] {
        let timelines = try await input.timelines(
          flow, memoryBytes: memoryBytes, isVisitedOnce: isVisitedOnce)
        #expect(
          try Horizon.latestComplete(timelines) == expected,
          "round \(round), limit \(memoryBytes ?? 0), once \(isVisitedOnce)")
      }
    }
  }

  @Test func nothingHasNoHorizon() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles([["{}"]])
    for isVisitedOnce in [false, true] {
      let timelines = try await input.timelines(flow, isVisitedOnce: isVisitedOnce)
      #expect(try Horizon.latestComplete(timelines) == nil)
    }
  }

  private static func line(_ user: String, _ time: String) -> String {
    "{\"event\":\"opened\",\"user_id\":\"\(user)\",\"timestamp\":\"\(time)\"}"
  }

  /// The three persons of a day were last seen long before many with clocks of their own.
  @Test func aDayCountsThatIsLongGoneForTheLastPerson() async throws {
    let flow = try SpillTests.flows()[0]
    // 63 alone on their days, and then a person alone on the day that follows the three's.
    var lines = (0..<63).map { Self.line("w\($0)", "\(2_208_988_800 + $0 * 108_000)") }
    lines += [
      Self.line("e", "2026-03-18T20:00:00Z"), Self.line("c", "2026-03-18T08:00:00Z"),
      Self.line("b", "2026-03-17T19:00:00Z"), Self.line("a", "2026-03-17T09:00:00Z"),
      Self.line("a", "2026-03-01T09:00:00Z"), Self.line("d", "2026-03-02T09:00:00Z"),
    ]
    let input = try LinesInFiles([lines])
    for isVisitedOnce in [false, true] {
      for memoryBytes in Self.memoryLimits {
        let timelines = try await input.timelines(
          flow, memoryBytes: memoryBytes, isVisitedOnce: isVisitedOnce)
        // 2026-03-18T08:00:00Z
        #expect(try Horizon.latestComplete(timelines) == 1_773_820_800_000)
      }
    }
  }

  /// Many persons with clocks of their own, each alone on its day.
  @Test(arguments: [0, 2, 3, 63, 64, 65, 70, 2100], [1, 3])
  func wrongClocksDoNotMoveTheHorizon(wrongClocks: Int, threads: Int) async throws {
    let flow = try SpillTests.flows()[0]
    var lines = (0..<40).flatMap { person in
      (0..<3).map {
        Self.line("u\(person)", "2026-03-\(10 + $0 + person % 7)T10:00:0\(person % 10)Z")
      }
    }
    // Whole seconds: from 2040 on, 30 hours apart.
    let first = 2_208_988_800
    lines += (0..<wrongClocks).map { Self.line("w\($0)", "\(first + $0 * 108_000)") }
    // Each file has some of each.
    let files = (0..<5).map { file in lines.indices.filter { $0 % 5 == file }.map { lines[$0] } }
    let input = try LinesInFiles(files)
    let whole = try await input.timelines(flow, threads: threads)
    // 2026-03-18T10:00:07Z: five persons have their last fact on that day.
    let expected: Int64 = 1_773_828_007_000
    #expect(try Horizon.latestComplete(whole) == expected)
    for memoryBytes in Self.memoryLimits {
      let once = try await input.timelines(
        flow, threads: threads, memoryBytes: memoryBytes, isVisitedOnce: true)
      #expect(try Horizon.latestComplete(once) == expected)
    }
  }
}
