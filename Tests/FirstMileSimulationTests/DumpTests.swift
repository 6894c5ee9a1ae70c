import Foundation
import FirstMileSimulation
import Testing

private let apps = ["memoss", "unforgotten", "aiq", "trendy", "dequeue"]

@Suite struct DumpTests {
  @Test(arguments: apps)
  func `the same seed makes the same bytes on any number of threads`(app: String) throws {
    var plan = try SimulatedDump.plan(app, persons: 60)
    let two = try SimulatedDump(plan).files()
    plan.threads = 1
    #expect(try SimulatedDump(plan).files() == two)
    plan.threads = 5
    #expect(try SimulatedDump(plan).files() == two)
    plan.seed += 1
    #expect(try SimulatedDump(plan).files() != two)
  }

  @Test(arguments: apps)
  func `each good line is JSON with time, event and an id; the others are the broken ones`(
    app: String
  ) throws {
    var plan = try SimulatedDump.plan(app, persons: 120)
    plan.rates.broken = 0.05
    let dump = try SimulatedDump(plan)
    var good = 0
    var bad = 0
    for line in try dump.lines().joined() {
      let object = try? JSONSerialization.jsonObject(with: line)
      let event = object as? [String: Any]
      let hasId = [event?["user_id"], event?["device_id"]].contains { id in
        ((id as? String) ?? "").contains { $0 != "0" && $0 != "-" }
      }
      let hasName = !((event?["event"] as? String) ?? "").isEmpty
      if hasId, hasName, hasGoodTime(event?["timestamp"]) { good += 1 } else { bad += 1 }
    }
    #expect(good == dump.truth.lines.events)
    #expect(bad == dump.truth.lines.broken.values.reduce(0, +))
    #expect(good + bad == dump.truth.lines.written)
    #expect(dump.truth.lines.broken.count == 8)
    #expect(dump.truth.lines.broken.values.allSatisfy { $0 > 0 })
  }

  private func hasGoodTime(_ value: Any?) -> Bool {
    if let number = value as? NSNumber { return number.int64Value > 1_000_000_000_000 }
    let pattern = #/20\d\d-(0\d|1[0-2])-(\d\d)T\d\d:\d\d:\d\d\.\d+(Z|\+02:00)/#
    guard let text = value as? String, let match = text.wholeMatch(of: pattern) else {
      return false
    }
    return text < "2100" && match.output.2 != "30" || !text.hasPrefix("2026-02-30")
  }

  @Test func `duplicates are whole lines, and files are in the order of time`() throws {
    var plan = try SimulatedDump.plan("aiq", persons: 200)
    plan.rates.duplicates = 0.1
    plan.rates.broken = 0
    let dump = try SimulatedDump(plan)
    let lines = try dump.lines().flatMap { $0 }
    #expect(lines.count - Set(lines).count == dump.truth.lines.duplicates)
    #expect(dump.truth.lines.files == dump.truth.lines.files.sorted())
    #expect(dump.truth.lines.files.count == 6)
  }

  @Test func `a tidy dump is in order, and tells of the same persons`() throws {
    var plan = try SimulatedDump.plan("dequeue", persons: 200)
    let untidy = try SimulatedDump(plan).truth
    plan.rates = .tidy
    let tidy = try SimulatedDump(plan)
    #expect(tidy.truth.metrics == untidy.metrics)
    #expect(
      tidy.truth.lines.written == untidy.lines.events - untidy.lines.duplicates
        - untidy.lines.misdated)
  }

  @Test(arguments: SimulationPlan.FileSpan.allCases)
  func `files are named by the day or the hour that they begin with`(
    span: SimulationPlan.FileSpan
  ) throws {
    var plan = try SimulatedDump.plan("memoss", persons: 40)
    plan.files = nil
    plan.days = 3
    plan.fileSpan = span
    let names = try SimulatedDump(plan).truth.lines.files
    #expect(names.first?.hasPrefix(span == .day ? "2026-01-05.ndjson" : "2026-01-05T0") == true)
    #expect(names.count >= 3 && names.count <= (span == .day ? 3 : 72))
  }

  @Test func `a plan that can't be is refused in words`() throws {
    var plan = try SimulatedDump.plan("memoss", persons: 10)
    plan.rates.late = 2
    #expect(
      throws: SimulationError.invalidPlan(
        name: "the rate of late", value: "2.0", allowed: "0 to 0.5")
    ) { try Simulator(plan) }
    plan.rates.late = 0
    plan.persons = -1
    #expect(throws: SimulationError.self) { try Simulator(plan) }
  }
}
