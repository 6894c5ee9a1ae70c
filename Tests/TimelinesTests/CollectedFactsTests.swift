import FlowDefinition
import FunnelReport
import Testing
import Timelines

/// Gathering partitions when they are visited changes no fact, no count and no row, however often
/// they are visited.
struct CollectedFactsTests {
  /// With all facts in memory, some laid aside, and a spill for every batch.
  private static let memoryLimits = [nil, 60_000, 1]

  @Test(arguments: try Array(SpillTests.flows().enumerated()), [1, 3])
  func everyVisitGivesTheSame(numbered: (Int, Flow), threads: Int) async throws {
    let (number, flow) = numbered
    for seed in 0..<4 {
      let files = SpillTests.files(
        seed: UInt64(1700 + seed * 10 + number), flow: flow, persons: 40)
      let input = try LinesInFiles(files)
      let whole = try await input.timelines(flow, threads: threads)
      for memoryBytes in Self.memoryLimits {
        let once = try await input.timelines(
          flow, threads: threads, memoryBytes: memoryBytes, isVisitedOnce: true)
        let what: Comment = "seed \(seed), limit \(memoryBytes ?? 0)"
        try await expect(once, isAs: whole, flow, threads: threads, what)
      }
    }
  }

  private func expect(
    _ timelines: Timelines, isAs whole: Timelines, _ flow: Flow, threads: Int, _ what: Comment
  ) async throws {
    var once = timelines
    let expected = try LinesInFiles.facts(whole)
    // Before any visit, and without one.
    #expect(try Horizon.latestComplete(once) == Horizon.latestComplete(whole), what)
    let first = try LinesInFiles.facts(once)
    #expect(try LinesInFiles.facts(once) == first, what)
    #expect(first.mapValues(\.count) == expected.mapValues(\.count), what)
    // With several workers codes depend on who meets what first.
    if threads == 1 { #expect(first == expected, what) }
    #expect(try once.counts == whole.counts, what)
    let rows = try await LinesInFiles.analysis(once, flow, threads: threads).rows
    let expectedRows = try await LinesInFiles.analysis(whole, flow, threads: threads).rows
    #expect(rows == expectedRows, what)
    try once.letGo()
    #expect(try once.counts == whole.counts && once.partitionCount == 0, what)
  }

  @Test func countsNeedNoVisit() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles(SpillTests.files(seed: 1790, flow: flow, persons: 40))
    let whole = try await input.timelines(flow)
    for memoryBytes in Self.memoryLimits {
      let once = try await input.timelines(flow, memoryBytes: memoryBytes, isVisitedOnce: true)
      #expect(try whole.counts.facts > 0 && once.counts == whole.counts)
    }
  }

  private static func line(_ user: String, _ time: String) -> String {
    "{\"event\":\"opened\",\"user_id\":\"\(user)\",\"timestamp\":\"\(time)\"}"
  }

  /// The three persons of a day were last seen more than a day before the last ones looked at.
  @Test func aDayCountsThatIsLongGoneForTheLastPerson() async throws {
    let flow = try SpillTests.flows()[0]
    // 63 alone on their days, and then the 64th person that is looked at.
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

  /// More persons with clocks of their own than are looked at first, each alone on its day.
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
