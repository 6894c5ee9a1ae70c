import EventInput
import FlowDefinition
import Foundation
import RegressionGate

/// Reads the gate's files: the rules and the baseline.
enum GateInput {
  static func load(_ path: String?, for flow: Flow) throws -> Gate {
    guard let path else {
      if flow.targets.isEmpty { throw CommandError(lines: noRules(flow)) }
      return Gate(flow: flow)
    }
    let (gate, warnings) = try GateParser.parse(
      bytes: try gateBytes(path), file: path, for: flow)
    for warning in warnings { Console.message(warning.description) }
    return gate
  }

  /// Ending with 0, a gate without rules would look like a pass forever.
  private static func noRules(_ flow: Flow) -> String {
    """
    nothing was checked: flow '\(InputPath.shown(flow.id))' has no 'targets' and there is no \
    --gate file. Write rules into a file and name it with --gate, for example:
      rules:
        - {metric: completion_rate, at_least: 50%}
        - {metric: skip_rate, at_most: 20%}
    """
  }

  /// The baseline that the option or the gate file names.
  static func baseline(_ path: String?, _ gate: Gate, _ flow: Flow) throws -> Baseline? {
    guard let path = path ?? baselinePath(gate) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw unreadable(path, "baseline", hint: " yet; check with --accept writes one")
    }
    return try Baseline(json: [UInt8](data), name: path, flow: flow)
  }

  /// The gate's baseline, relative to the folder of its file.
  static func baselinePath(_ gate: Gate) -> String? {
    guard let path = gate.baseline else { return nil }
    if path.hasPrefix("/") { return path }
    let folder = FolderOfPath.of(gate.file)
    return folder.isEmpty ? path : "\(folder)/\(path)"
  }

  private static func gateBytes(_ path: String) throws -> [UInt8] {
    do { return try SmallFile.bytes(atPath: path) } catch {
      throw unreadable(path, "gate file", hint: "", reason: ": \(SystemReason.of(error))")
    }
  }

  private static func unreadable(
    _ path: String, _ what: String, hint: String, reason: String = ""
  ) -> CommandError {
    FileManager.default.fileExists(atPath: path)
      ? CommandError("\(what) '\(path)' can't be read\(reason)")
      : CommandError("there is no \(what) '\(path)'\(hint)")
  }
}
