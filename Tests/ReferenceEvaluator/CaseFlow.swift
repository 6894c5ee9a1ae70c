import FlowDefinition
import Foundation

/// The flows of cases.
enum CaseFlow {
  /// A block of YAML; `flow: case` need not be said.
  static func parse(_ block: String, file: String) throws -> Flow {
    let indent = block.prefix { $0 == " " }
    return try FlowParser.parse("\(indent)flow: case\n" + block, file: file).flow
  }

  /// A built-in flow (`aiq`), or a file beside the cases (`adversarial.yaml`).
  static func named(_ name: String) throws -> Flow {
    if FlowFile.builtInNames.contains(name) { return try FlowFile.load(name) }
    let file = CaseFile.folder.appendingPathComponent(name)
    return try FlowParser.parse(String(contentsOf: file, encoding: .utf8), file: name).flow
  }
}
