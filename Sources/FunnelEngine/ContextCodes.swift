internal import FlowDefinition
internal import Timelines

/// The values of a run's contexts as one flow reads them: where a text means a version or a variant
/// of the flow, or the flow itself, its code is that name's (definitions 1.8).
struct ContextCodes: Sendable {
  /// One context after the other, `width` values each.
  private var values: [UInt32]
  private let width: Int

  init(_ flow: Flow, _ tables: FactTables) {
    width = tables.schema.contextWidth
    values = (0..<tables.contextCount).flatMap { tables.context($0) }
    let versions = flow.versions.map(\.name) + [flow.newestVersion].compactMap { $0 }
    unify([flow.id], at: 0, tables)
    unify(versions, at: 1, tables)
    for experiment in flow.experiments {
      guard let place = tables.schema.contextIndex(ofExperiment: experiment.id) else { continue }
      unify(experiment.variants.map(\.id), at: place, tables)
    }
  }

  @inline(__always)
  func value(_ context: Int, at place: Int) -> UInt32 { values[context * width + place] }

  private mutating func unify(_ declared: [String], at place: Int, _ tables: FactTables) {
    let names = DeclaredNames(declared)
    let codes = declared.map { tables.code(ofContextName: $0, at: place) }
    for index in stride(from: place, to: values.count, by: max(1, width)) where values[index] != 0 {
      let name = tables.name(ofContextValue: values[index], at: place)
      if let code = names[name].flatMap({ codes[$0] }) { values[index] = code }
    }
  }
}
