import EventInput
import FlowDefinition
import Foundation
import FunnelMetrics
import ReferenceEvaluator
import Testing
import Timelines

/// A memory limit changes no fact and no row.
struct SpillTests {
  static func flows() throws -> [Flow] {
    let file = CaseFile.folder.appendingPathComponent("adversarial.yaml")
    let base = try FlowParser.parse(
      try String(contentsOf: file, encoding: .utf8), file: "adversarial.yaml"
    ).flow
    var users = base
    users.identity = .user
    var devices = base
    devices.identity = .device
    var handedOn = base
    handedOn.stitchWithinMilliseconds = 60_000
    return [base, users, devices, handedOn]
  }

  /// Random lines, some twice, cut into files.
  static func files(seed: UInt64, flow: Flow, persons: Int) -> [[String]] {
    var random = RandomTimelines(seed: seed, flow: flow)
    let lines = random.lines(persons: persons)
    let size = max(1, lines.count / 9)
    return stride(from: 0, to: lines.count, by: size).map {
      Array(lines[$0..<min($0 + size, lines.count)] + lines[$0..<min($0 + size / 4, lines.count)])
    }
  }

  @Test(arguments: try Array(flows().enumerated()))
  func factsAndCountsStay(number: Int, flow: Flow) async throws {
    var severalUsers = 0
    var sharedDevices = 0
    for seed in 0..<8 {
      let input = try LinesInFiles(
        Self.files(seed: UInt64(500 + seed * 10 + number), flow: flow, persons: 40))
      let whole = try await input.timelines(flow)
      let expected = try LinesInFiles.facts(whole)
      #expect(expected.count > 10)
      severalUsers += try whole.counts.devicesWithSeveralUsers
      sharedDevices += try whole.counts.sharedDevices
      // From a spill for every batch to one in the middle.
      for memoryBytes in [1, 60_000, 90_000] {
        let spilled = try await input.timelines(flow, memoryBytes: memoryBytes)
        #expect(try spilled.counts == whole.counts, "seed \(seed), limit \(memoryBytes)")
        #expect(
          try LinesInFiles.facts(spilled) == expected, "seed \(seed), limit \(memoryBytes)")
      }
    }
    if flow.identity == .stitched { #expect(severalUsers > 5 && sharedDevices > 0) }
  }

  @Test(arguments: try Array(flows().enumerated()))
  func rowsStay(number: Int, flow: Flow) async throws {
    for seed in 0..<4 {
      let input = try LinesInFiles(
        Self.files(seed: UInt64(900 + seed * 10 + number), flow: flow, persons: 40))
      let whole = try await input.timelines(flow)
      let expected = try await LinesInFiles.analysis(whole, flow, threads: 1)
      for threads in [1, 3] {
        let spilled = try await input.timelines(flow, threads: threads, memoryBytes: 1)
        let found = try await LinesInFiles.analysis(spilled, flow, threads: threads)
        #expect(found.rows == expected.rows, "seed \(seed), \(threads) threads")
        #expect(try spilled.counts == whole.counts)
      }
    }
  }

  /// What shows a few persons shows the same ones however the facts were read.
  @Test(arguments: [1, 3], [nil, 1])
  func theOrderByHashIsOneOrder(threads: Int, memoryBytes: Int?) async throws {
    let flow = try Self.flows()[0]
    // A partition has more than one person.
    let input = try LinesInFiles(Self.files(seed: 91, flow: flow, persons: 900))
    let timelines = try await input.timelines(flow, threads: threads, memoryBytes: memoryBytes)
    var order: [IdentifierHash] = []
    for number in 0..<timelines.partitionCount {
      let partition = try timelines.partition(number)
      order += partition.personsByHash.map { partition.keys[$0] }
    }
    #expect(order.count > timelines.partitionCount * 2)
    #expect(try order.count == timelines.counts.persons)
    #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func ownersOfAWatchedDeviceStay() async throws {
    let flow = try Self.flows()[0]
    let input = try LinesInFiles(Self.files(seed: 77, flow: flow, persons: 60))
    let whole = try await input.timelines(flow)
    #expect(try whole.counts.sharedDevices + whole.counts.devicesWithSeveralUsers > 0)
    var owned = 0
    for name in ["kiosk"] + (0..<12).map({ "d\($0)" }) {
      let device = IdentifierKey.fixed.hash(of: name, domain: .device)
      let expected = try await input.timelines(flow, watching: device).watchedPersons
      let found = try await input.timelines(flow, memoryBytes: 1, watching: device).watchedPersons
      #expect(found == expected, "\(name)")
      owned += expected.count
    }
    #expect(owned > 10)
  }

  /// Facts that belong to nobody but their device: no user, too many, or two at one moment.
  @Test func aWatchedDeviceMayOwnItsFacts() async throws {
    let flow = try Self.flows()[0]
    func line(_ device: String, _ second: Int, user: String? = nil) -> String {
      let user = user.map { "\"user_id\":\"\($0)\"," } ?? ""
      return """
        {"event":"tap",\(user)"device_id":"\(device)","timestamp":\(1_770_000_000 + second)}
        """
    }
    var lines = ["alone", "shared", "tied"].map { line($0, 0) }
    lines += (0..<6).map { line("shared", 10 + $0, user: "s\($0)") }
    lines += (0..<2).map { line("tied", 10, user: "t\($0)") }
    let input = try LinesInFiles([lines])
    for (name, users) in [("alone", 0), ("shared", 6), ("tied", 2)] {
      let device = IdentifierKey.fixed.hash(of: name, domain: .device)
      for memoryBytes in [nil, 1] {
        let found = try await input.timelines(flow, memoryBytes: memoryBytes, watching: device)
        #expect(found.watchedPersons.contains(device), "\(name), limit \(memoryBytes ?? 0)")
        #expect(found.watchedPersons.count == users + 1, "\(name), limit \(memoryBytes ?? 0)")
      }
    }
  }

  /// More facts of one person than a chunk or a short sort holds; no order at all.
  @Test func longTimelinesStay() async throws {
    let flow = try Self.flows()[0]
    var generator = SeededGenerator(seed: 5)
    let lines = (0..<30_000).map { index in
      let time = 1_767_571_200_000 + Int64.random(in: 0..<900_000_000, using: &generator)
      return """
        {"event":"tap","timestamp":\(time),\
        \(index % 3 == 0 ? "" : "\"user_id\":\"u\(index % 2)\",")"device_id":"d\(index % 5)"}
        """
    }
    let input = try LinesInFiles([lines])
    let whole = try await input.timelines(flow)
    #expect(try whole.counts.facts > 25_000)
    #expect(try whole.counts.devicesWithSeveralUsers == 5)
    for memoryBytes in [1, 500_000] {
      let spilled = try await input.timelines(flow, memoryBytes: memoryBytes)
      #expect(try spilled.counts == whole.counts)
      #expect(try LinesInFiles.facts(spilled) == LinesInFiles.facts(whole))
    }
  }

  @Test func nothingIsWrittenBelowTheLimit() async throws {
    let flow = try Self.flows()[0]
    let input = try LinesInFiles(Self.files(seed: 3, flow: flow, persons: 20))
    let folder = SpillFolder(parent: input.spillParent.path)
    let timelines = try await input.timelines(flow, memoryBytes: 1 << 30, folder: folder)
    #expect(try timelines.counts.facts > 0)
    #expect(folder.path == nil)
  }
}
