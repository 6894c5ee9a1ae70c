import EventInput
import FlowDefinition
import ReferenceEvaluator
import Testing
import Timelines

/// Users who are said to be one person are one, however it is said and read.
struct AliasTests {
  private static func flow() throws -> Flow {
    let text = "flow: app\nsteps: [welcome, plan]\n"
    return try FlowParser.parse(text, file: "app.yaml").flow
  }

  private static func line(
    _ user: String, _ second: Int, previous: String? = nil, device: String? = nil
  ) -> String {
    let more =
      (previous.map { ",\"previous_id\":\"\($0)\"" } ?? "")
      + (device.map { ",\"device_id\":\"\($0)\"" } ?? "")
    return
      "{\"event\":\"x\",\"user_id\":\"\(user)\",\"timestamp\":\(1_770_000_000 + second)\(more)}"
  }

  /// Persons of one to nine users in chains and rings, each with some facts on some devices.
  private static func lines(seed: UInt64) -> [String] {
    var generator = SeededGenerator(seed: seed)
    var lines: [String] = []
    for person in 0..<60 {
      let users = (0...Int.random(in: 0..<9, using: &generator)).map { "p\(person)u\($0)" }
      for (index, user) in users.enumerated() {
        for _ in 0...Int.random(in: 0..<3, using: &generator) {
          let device = Int.random(in: 0..<3, using: &generator)
          lines.append(
            line(
              user, Int.random(in: 0..<100_000, using: &generator),
              device: device == 2 ? nil : "d\((person + device) / 2)"))
        }
        if index > 0 {
          let other = users[
            Bool.random(using: &generator)
              ? index - 1 : Int.random(in: 0..<index, using: &generator)]
          lines.append(line(user, Int.random(in: 0..<100_000, using: &generator), previous: other))
        }
      }
      if users.count > 2 { lines.append(line(users[0], 5, previous: users[2])) }
      let second = 1_770_000_000 + Int.random(in: 0..<90_000, using: &generator)
      for device in [users[0], "d\(person / 2)"] {
        lines.append("{\"event\":\"y\",\"device_id\":\"\(device)\",\"timestamp\":\(second)}")
      }
    }
    return lines
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func nothingDependsOnOrderRepetitionThreadsOrMemory(seed: UInt64) async throws {
    let flow = try Self.flow()
    let lines = Self.lines(seed: seed)
    let whole = try await LinesInFiles([lines]).timelines(flow)
    let expected = try LinesInFiles.facts(whole)
    #expect(try expected.count == whole.counts.persons)
    #expect(try whole.counts.unitedPersons > 30)
    #expect(try whole.counts.unitedUsers > 2 * whole.counts.unitedPersons)
    #expect(try whole.counts.persons >= 60 && whole.counts.persons < 120)
    #expect(try whole.counts.devicesWithSeveralUsers > 10 && whole.counts.stitchedFacts > 20)
    var generator = SeededGenerator(seed: seed + 100)
    let shuffled = (lines + lines.prefix(100)).shuffled(using: &generator)
    let cut = shuffled.count / 3
    let files = [Array(shuffled[..<cut]), Array(shuffled[cut...]), Array(lines.prefix(50))]
    let ways: [(Int, Int?)] = [(1, nil), (3, nil), (1, 1), (3, 1), (2, 70_000)]
    for (threads, memoryBytes) in ways {
      let again = try await LinesInFiles(files).timelines(
        flow, threads: threads, memoryBytes: memoryBytes)
      // Actions are numbered as they come.
      let times = try LinesInFiles.facts(again).mapValues { $0.map(\.timeMilliseconds) }
      #expect(times == expected.mapValues { $0.map(\.timeMilliseconds) })
      #expect(try again.counts.unitedUsers == whole.counts.unitedUsers)
      #expect(try again.counts.stitchedFacts >= whole.counts.stitchedFacts)
      #expect(
        try again.counts.devicesWithSeveralUsers == whole.counts.devicesWithSeveralUsers)
    }
  }

  /// Three users, two of them one person, are not enough persons for a day to be complete.
  @Test func theHorizonKnowsPersonsAndNotTheirUsers() async throws {
    let tenDays = 864_000
    let lines =
      (0..<5).map { Self.line("u\($0)", $0) }
      + [
        Self.line("a", tenDays), Self.line("b", tenDays + 1, previous: "a"),
        Self.line("c", tenDays + 2),
      ]
    let input = try LinesInFiles([lines])
    for memoryBytes in [nil, 1] {
      let timelines = try await input.timelines(try Self.flow(), memoryBytes: memoryBytes)
      #expect(
        timelines.span?.horizonMilliseconds == 1_770_000_004_000, "limit \(memoryBytes ?? 0)")
    }
  }

  @Test(arguments: [(50, 1), (51, 51)])
  func tooManyUsersAreNotOne(users: Int, persons: Int) async throws {
    let lines =
      (1..<users).map { Self.line("u\($0)", $0, previous: "u\($0 / 2)") } + [
        Self.line("u0", 0)
      ]
    let input = try LinesInFiles([lines])
    for memoryBytes in [nil, 1] {
      let timelines = try await input.timelines(try Self.flow(), memoryBytes: memoryBytes)
      #expect(try timelines.counts.persons == persons)
      #expect(try timelines.counts.aliasGroupsTooLarge == (persons == 1 ? 0 : 1))
      #expect(try timelines.counts.unitedUsers == (persons == 1 ? users : 0))
    }
  }

  @Test func aDeviceThatIsWatchedLeadsToThePerson() async throws {
    let lines = [
      Self.line("old", 0), Self.line("new", 9, previous: "old"),
      "{\"event\":\"x\",\"user_id\":\"old\",\"device_id\":\"d\",\"timestamp\":1770000001}",
    ]
    for memoryBytes in [nil, 1] {
      let device = IdentifierKey.fixed.hash(of: "d", domain: .device)
      let timelines = try await LinesInFiles([lines]).timelines(
        try Self.flow(), memoryBytes: memoryBytes, watching: device)
      let keys = Set(try LinesInFiles.facts(timelines).keys)
      #expect(keys.count == 1)
      #expect(timelines.watchedPersons == keys)
      for id in ["old", "new"] {
        let user = IdentifierKey.fixed.hash(of: id, domain: .user)
        #expect(keys.contains(timelines.united.person(of: user)))
      }
    }
  }
}
