internal import FlowDefinition
public import FunnelEngine

/// A change from the first edition of the definitions (semantics 1) to the second (semantics 2).
public enum EditionChange: Sendable, Hashable {
  /// A rule of counting.
  case rule(ChangedRule)
  /// `contaminated` is `first` by default; in the first edition it was `exclude`.
  case firstVariantHolds

  /// The changes that can matter to a flow, in a fixed order.
  static func all(_ flow: Flow) -> [EditionChange] {
    let hasDefault = flow.experiments.contains { $0.contaminated == .first }
    return ChangedRule.allCases.map { .rule($0) } + (hasDefault ? [.firstVariantHolds] : [])
  }

  /// The name for programs.
  public var name: String {
    switch self {
    case .rule(let rule): rule.rawValue
    case .firstVariantHolds: "firstVariantHolds"
    }
  }

  /// The second edition's rule in words.
  public var words: String {
    switch self {
    case .rule(.variantsToWindowEnd):
      "variants are read to the end of the window, for everyone"
    case .rule(.returnsAfterVisit): "coming back begins after the visit of the attempt"
    case .rule(.laterAttempts): "a later start can begin a new attempt"
    case .rule(.existingByActivity):
      "only activity and decided attempts make an existing user"
    case .rule(.promptedAnswerFirst):
      "the answer to a prompt goes before a status that nobody was prompted for"
    case .rule(.dimensionsAtEntry): "dimensions are values at entry"
    case .rule(.finishedAfterSkipping): "finishing after a skip is an outcome of its own"
    case .firstVariantHolds: "of several variants the first one holds"
    }
  }

  /// The rule's number in docs/definitions.md.
  public var section: String {
    switch self {
    case .rule(.variantsToWindowEnd), .firstVariantHolds: "6.1"
    case .rule(.returnsAfterVisit): "11.2"
    case .rule(.laterAttempts): "5.1"
    case .rule(.existingByActivity): "5.2"
    case .rule(.promptedAnswerFirst): "8.1"
    case .rule(.dimensionsAtEntry): "5.10"
    case .rule(.finishedAfterSkipping): "5.4"
    }
  }

  /// The flow and the old rules with which everything but `changes` counts as the first edition
  /// did.
  static func undoing(
    allBut changes: Set<EditionChange>, in flow: Flow
  ) -> (flow: Flow, oldRules: Set<ChangedRule>) {
    var old = flow
    if !changes.contains(.firstVariantHolds) {
      for index in old.experiments.indices { old.experiments[index].contaminated = .exclude }
    }
    return (old, Set(ChangedRule.allCases.filter { !changes.contains(.rule($0)) }))
  }
}
