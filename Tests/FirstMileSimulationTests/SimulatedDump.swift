import CFirstMileZlib
import FlowDefinition
import Foundation
import FirstMileSimulation

/// A dump in a fresh directory that goes away with the value.
final class SimulatedDump {
  let directory: String
  let truth: SimulationTruth

  init(_ plan: SimulationPlan) throws {
    directory =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-simulation-\(UUID().uuidString)").path
    truth = try Simulator(plan).run(to: directory)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  static func plan(_ app: String, persons: Int, seed: UInt64 = 7) throws -> SimulationPlan {
    var plan = SimulationPlan(flow: try FlowFile.load(app), persons: persons, seed: seed)
    plan.files = 6
    return plan
  }

  /// The bytes of every file by name.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))
    }
    return files
  }

  /// All lines, without compression, file by file.
  func lines() throws -> [[Data]] {
    try truth.lines.files.map { name in
      let text = try inflated("\(directory)/\(name)")
      return text.split(separator: 10).map { Data($0) }
    }
  }

  private func inflated(_ path: String) throws -> Data {
    guard let file = gzopen(path, "rb") else { throw CocoaError(.fileReadUnknown) }
    defer { gzclose(file) }
    var text = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = gzread(file, &chunk, UInt32(chunk.count))
      guard count >= 0 else { throw CocoaError(.fileReadCorruptFile) }
      if count == 0 { return text }
      text.append(contentsOf: chunk[..<Int(count)])
    }
  }
}
