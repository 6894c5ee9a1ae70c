import FlowDefinition

extension FlowFile {
  /// The flows of a command line, each with an id of its own: of two with one id only one could
  /// have reports.
  static func loadAll(_ given: [String]) throws -> [Flow] {
    let loaded = try given.map { try load($0) }
    for (index, flow) in loaded.enumerated()
    where loaded[..<index].contains(where: { $0.id == flow.id }) {
      throw CommandError("flow '\(flow.id)' is given twice")
    }
    return loaded
  }
}
