internal import FlowDefinition

/// The attempt at hand in names, for rows and drawings of single people.
extension AttemptEvaluator {
  /// The furthest viewed step of the person's own list, an index into the flow's; `nil` for none.
  var furthestStep: Int? {
    attempt.furthestPlace < 0
      ? nil : compiled.lists.all[attempt.list].steps[attempt.furthestPlace]
  }

  /// For each experiment the variant, `(contaminated)` or `(unassigned)`.
  var variantLabels: [String] {
    attempt.variants.enumerated().map { experiment, codes in
      compiled.variantState(codes, attempt.standings[experiment], in: experiment).label
    }
  }

  /// For each dimension the value, or `(none)`.
  var dimensionNames: [String] {
    attempt.dimensions.enumerated().map { dimension, code in
      compiled.dimensionName(dimension, code)
    }
  }
}
