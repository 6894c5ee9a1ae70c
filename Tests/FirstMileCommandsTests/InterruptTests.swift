import FlowDefinition
import Foundation
import FirstMileSimulation
import Testing

/// The built program under a memory limit: the same bytes, and nothing left behind.
struct InterruptTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("firstmile-interrupt-\(UUID().uuidString)")
  private var scratch: URL { root.appendingPathComponent("tmp") }
  private var dump: URL { root.appendingPathComponent("dump") }

  private static var program: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("firstmile")
  }

  /// A dump of a few hundred persons in plain files.
  private func prepare() throws {
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    var plan = SimulationPlan(flow: try FlowFile.load("dequeue"), persons: 400, seed: 3)
    plan.files = 3
    plan.compression = .none
    _ = try Simulator(plan).run(to: dump.path)
  }

  private func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": scratch.path]) {
      $1
    }
    return process
  }

  private func output(_ arguments: [String]) throws -> (text: Data, status: Int32) {
    let process = process(arguments)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }

  private var leftBehind: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path) }
  }

  @Test func theSameBytesAndNothingLeft() throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: root) }
    let arguments = ["report", dump.path, "--flow", "dequeue", "--json"]
    let whole = try output(arguments)
    #expect(whole.text.count > 1000)
    for limit in ["1K", "300K", "2M"] {
      let spilled = try output(arguments + ["--memory-limit", limit])
      #expect(spilled.text == whole.text, "\(limit)")
      #expect(spilled.status == whole.status)
      #expect(try leftBehind == [])
    }
    #expect(try output(arguments + ["--memory-limit", "much"]).status == 2)
  }

  @Test func failureLeavesNothing() throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: root) }
    let failed = try output(
      ["report", dump.path, "--flow", "dequeue", "--quiet", "--memory-limit", "1K"]
        + ["--out", "/dev/null/reports"])
    #expect(failed.status != 0)
    #expect(try leftBehind == [])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalLeavesNothing(number: Int32) throws {
    try prepare()
    defer { try? FileManager.default.removeItem(at: root) }
    let process = process(["report", "-", "--flow", "dequeue", "--memory-limit", "1K"])
    let pipe = Pipe()
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let names = try FileManager.default.contentsOfDirectory(atPath: dump.path)
    let file = try #require(names.first { $0.contains(".ndjson") })
    let lines = try Data(contentsOf: dump.appendingPathComponent(file))
    // The pipe stays open, so that the program waits for more after it has spilled.
    var bytesSent = 0
    while try leftBehind.isEmpty && bytesSent < 400_000_000 {
      try pipe.fileHandleForWriting.write(contentsOf: lines)
      bytesSent += lines.count
    }
    #expect(try leftBehind.count == 1)
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    try pipe.fileHandleForWriting.close()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 128 + number)
    #expect(try leftBehind == [])
  }
}
