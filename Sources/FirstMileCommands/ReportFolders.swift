import FlowDefinition

/// The folders of several flows within `--out`.
enum ReportFolders {
  /// One folder a flow, in their order.
  ///
  /// - Throws: `CommandError` for two flows whose folders are one where file names ignore case.
  static func within(_ out: String, _ flows: [Flow]) throws(CommandError) -> [String] {
    for (index, flow) in flows.enumerated() {
      let name = flow.folderName.lowercased()
      if let other = flows[..<index].first(where: { $0.folderName.lowercased() == name }) {
        throw CommandError(
          "the reports of flow '\(other.id)' and of flow '\(flow.id)' would go to one folder where "
            + "file names ignore case; report on them one after the other, each with its own --out")
      }
    }
    let parent = trimmed(out)
    return flows.map { "\(parent == "/" ? "" : parent)/\($0.folderName)" }
  }

  /// A path without slashes at its end.
  static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
