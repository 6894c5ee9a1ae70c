import FlowDefinition
import FunnelEngine

extension FunnelStudy.Breakdown {
  /// What people are to be cut by, of a flow.
  ///
  /// - Throws: `CommandError` with what there is.
  static func named(_ names: [String], in flow: Flow) throws -> [FunnelStudy.Breakdown] {
    try names.map { name in
      if name == "version" { return .version }
      if let index = flow.dimensions.firstIndex(where: { $0.id == name }) {
        return .dimension(index)
      }
      if let index = flow.experiments.firstIndex(where: { $0.id == name }) {
        return .experiment(index)
      }
      let known = ["version"] + flow.dimensions.map(\.id) + flow.experiments.map(\.id)
      throw CommandError(
        "nothing to cut by is called '\(name)'; there are \(known.joined(separator: ", "))")
    }
  }
}
