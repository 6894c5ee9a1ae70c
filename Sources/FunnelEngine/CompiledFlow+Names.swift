internal import FlowDefinition
internal import Timelines

// What the codes of an attempt are called in every table.
extension CompiledFlow {
  /// - Parameter code: 0 for a person whose events name no version.
  func versionName(_ code: UInt32) -> String {
    code == 0 ? flow.newestVersion ?? "(none)" : tables.name(ofContextValue: code, at: 1)
  }

  func dimensionName(_ dimension: Int, _ code: UInt32) -> String {
    tables.name(ofContextValue: code, at: dimensionPlaces[dimension])
  }

  /// Where a person with these variants stands in an experiment (definitions 6).
  func variantState(
    _ codes: [UInt32], _ standing: ExperimentStanding, in experiment: Int
  ) -> VariantState {
    if standing.isOutside { return .outside }
    let place = variantPlaces[experiment]
    let names = codes.map { tables.name(ofContextValue: $0, at: place) }
    let state: VariantState =
      switch names.count {
      case 0: .unassigned
      case 1: .assigned(names[0])
      default: mixedState(names, in: experiment)
      }
    if standing.isExposed { return state }
    return switch state {
    case .assigned(let name), .first(let name, of: _): .notExposed(name)
    case .contaminated: .notExposed(nil)
    default: state
    }
  }

  private func mixedState(_ names: [String], in experiment: Int) -> VariantState {
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return switch flow.experiments[experiment].contaminated {
    case .exclude: .contaminated(sorted)
    case .first: .first(names[0], of: sorted)
    }
  }

  /// The variant that a person with these variants is counted for; `nil` for none.
  func variant(_ codes: [UInt32], in experiment: Int) -> UInt32? {
    codes.count == 1 || flow.experiments[experiment].contaminated == .first ? codes.first : nil
  }
}
