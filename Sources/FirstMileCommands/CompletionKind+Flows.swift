import ArgumentParser
import FlowDefinition
import Foundation

extension CompletionKind {
  /// What a shell offers for a flow: the built-in ones, and the YAML files and folders beneath
  /// what is typed so far.
  static var flows: CompletionKind {
    .custom { _, _, typed in FlowFile.builtInNames + yamlFiles(beneath: typed) }
  }

  private static func yamlFiles(beneath typed: String) -> [String] {
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).sorted().compactMap { name in
      var isFolder: ObjCBool = false
      let path = folder + name
      guard !name.hasPrefix("."),
        unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      else { return nil }
      if isFolder.boolValue { return path + "/" }
      return name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? path : nil
    }
  }
}
