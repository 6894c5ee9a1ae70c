package import FlowDefinition
internal import FunnelEngine

extension Slice {
  /// The slice that a target or a rule of a gate names, with the only experiment filled in.
  ///
  /// - Parameter ofVariants: whether a rule goes over variants: of the experiment that it names, or
  ///   of all, which leaves `all` in place.
  package init(named names: [NameMapping], in flow: Flow, ofVariants: Bool = false) {
    self = .all
    for name in names {
      switch name.from {
      case "version": version = name.to
      case "experiment": experiment = name.to
      case "variant": variant = name.to
      case "breakdown":
        let parts = name.to.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
          breakdown = BreakdownKey(dimension: String(parts[0]), value: String(parts[1]))
        }
      default: break
      }
    }
    // Numbers are of variants, or of everybody; none is of an experiment.
    if variant == "all" && !ofVariants {
      experiment = "all"
    } else if experiment == "all", flow.experiments.count == 1, let only = flow.experiments.first {
      experiment = only.id
    }
  }
}
