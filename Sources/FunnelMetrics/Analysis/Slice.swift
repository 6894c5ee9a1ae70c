public import FunnelEngine

/// Which persons a number is about.
///
/// The analysis computes, the renderers only write; nothing in this library reads files, clocks or
/// the terminal.
public struct Slice: Sendable, Hashable {
  /// A version's name, or `all`.
  public var version: String
  /// An experiment's id, or `all`.
  public var experiment: String
  /// A variant, `all`, or who is in none: `(unassigned)`, `(contaminated)`, `(not exposed)`,
  /// `(outside)`.
  public var variant: String
  /// The value of a dimension or the cohort that the persons have in common; `.all` where not cut.
  public var breakdown: BreakdownKey

  /// Names the persons with all that is given in common; what is left out is not cut.
  public init(
    version: String = "all", experiment: String = "all", variant: String = "all",
    breakdown: BreakdownKey = .all
  ) {
    self.version = version
    self.experiment = experiment
    self.variant = variant
    self.breakdown = breakdown
  }

  /// Everybody.
  public static let all = Slice()

  /// The `cohort` column.
  public var cohort: String {
    breakdown.dimension == BreakdownKey.cohort ? breakdown.value : "all"
  }

  /// The `breakdown` column: `dimension=value`, or `all`.
  public var breakdownText: String {
    switch breakdown.dimension {
    case "all", BreakdownKey.cohort: "all"
    default: "\(breakdown.dimension)=\(breakdown.value)"
    }
  }

  /// People who have no part in the experiment, so that no comparison has them.
  var isOutsideExperiment: Bool {
    [VariantState.unassigned, .outside].contains { $0.label == variant }
  }

  /// These persons, not cut by a dimension or cohort.
  public var uncut: Slice { Slice(version: version, experiment: experiment, variant: variant) }
}

extension BreakdownKey {
  /// Cut by what people did: how the attempt ended, or whether they used skip.
  package var isOfOutcome: Bool {
    dimension == BreakdownKey.outcome || dimension == BreakdownKey.usedSkip
  }

  /// Cut by whether people used skip, or of people who did.
  var isOfSkips: Bool {
    let outcomes = ["finished_after_skipping", "skipped"]
    return dimension == BreakdownKey.usedSkip
      || dimension == BreakdownKey.outcome && outcomes.contains(value)
  }
}
