package import FlowDefinition
package import FunnelEngine

/// A rule by which two tools count one funnel differently.
public enum FunnelRuleChange: String, Sendable, Hashable, CaseIterable {
  /// Whether only people in the flow's metrics count, or everyone with an entry.
  case people
  /// Whether entries count whose window is still open.
  case windows
  /// Whether the order of steps, optional steps and windows per step are as asked, or a plain
  /// sequence in one window.
  case structure
  /// Which of a person's entries counts.
  case entry
  /// Which order events of one moment, or of nearly one, stand in.
  case ties
  /// Whether one event may be several steps.
  case sharing
  /// What an exclusion does.
  case exclusions
  /// Whether each entry is followed by itself, or for each step the latest that got there.
  case runs

  /// The rules that differ where one funnel is counted, in a fixed order: who, when, what.
  static func all(
    from first: FunnelRules, to second: FunnelRules, for funnel: CustomFunnel
  ) -> [FunnelRuleChange] {
    let (one, other) = (first.reading(funnel), second.reading(funnel))
    let isOrdered = funnel.steps.count > 1 && (one.order != .any || other.order != .any)
    return allCases.filter { change in
      switch change {
      case .people: first.onlyFlowPersons != second.onlyFlowPersons
      case .windows: first.onlyMature != second.onlyMature
      case .structure:
        one.order != other.order || one.windowScope != other.windowScope
          || one.steps != other.steps
      case .entry: one.entry != other.entry
      case .ties: isOrdered && first.ties != second.ties
      case .sharing: isOrdered && first.sharesFacts != second.sharesFacts
      case .exclusions: one.exclusions != other.exclusions
      case .runs: isOrdered && first.keepsRunPerStep != second.keepsRunPerStep
      }
    }
  }

  /// The first tool's rules with some of them as the second has them.
  static func making(
    _ changes: Set<FunnelRuleChange>, from first: FunnelRules, to second: FunnelRules
  ) -> FunnelRules {
    var rules = first
    for change in changes {
      switch change {
      case .people: rules.onlyFlowPersons = second.onlyFlowPersons
      case .windows: rules.onlyMature = second.onlyMature
      case .structure: rules.isPlainSequence = second.isPlainSequence
      case .entry: rules.entry = second.entry
      case .ties: rules.ties = second.ties
      case .sharing: rules.sharesFacts = second.sharesFacts
      case .exclusions: rules.exclusions = second.exclusions
      case .runs: rules.keepsRunPerStep = second.keepsRunPerStep
      }
    }
    return rules
  }

  /// What the rule is by a tool.
  package func words(_ rules: FunnelRules, for funnel: CustomFunnel) -> String {
    let read = rules.reading(funnel)
    return switch self {
    case .people:
      rules.onlyFlowPersons
        ? "people in the flow's metrics"
        : "everyone with the first step, also existing users and orphans"
    case .windows:
      rules.onlyMature
        ? "only entries whose window is over" : "also entries whose window is still open"
    case .structure:
      rules.isPlainSequence ? "all steps in order, none optional, one window" : "as asked"
    case .entry: read.entry == .first ? "the first" : "the one that gets farthest"
    case .ties: Self.words(rules.ties)
    case .sharing: rules.sharesFacts ? "one event may be several steps" : "one event is one step"
    case .exclusions: Self.words(rules.exclusions)
    case .runs:
      rules.keepsRunPerStep
        ? "for each step the latest that got there" : "each entry followed by itself"
    }
  }

  private static func words(_ ties: FunnelRules.Ties) -> String {
    switch ties {
    case .flow: "the flow's order of events"
    case .interchangeable(within: 0): "either order at one millisecond"
    case .interchangeable(let tolerance):
      "either order within \(DurationText.format(tolerance))"
    }
  }

  private static func words(_ exclusions: FunnelRules.Exclusions) -> String {
    switch exclusions {
    case .own: "as asked"
    case .remove: "take the entry out"
    case .drop: "end the walk at the step before"
    case .ignored: "have no effect"
    }
  }
}
