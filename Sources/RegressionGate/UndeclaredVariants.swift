internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// Variants that people have and the flow file does not declare: no rule goes over them.
struct UndeclaredVariants {
  /// One for each experiment in which a hundredth of the people or more have one.
  let sentences: [String]

  private static let leastShare = 0.01

  init(_ analysis: Analysis) {
    let people = analysis.row(.entered)?.numerator ?? 0
    sentences = analysis.flow.experiments.compactMap { experiment in
      let declared = Set(experiment.variants.map(\.id))
      let others = analysis.slices.slices.filter { slice in
        slice.experiment == experiment.id && slice.version == "all" && slice.breakdown == .all
          && slice.variant != "all" && !slice.variant.hasPrefix("(")
          && !declared.contains(slice.variant)
      }
      let count = others.reduce(0) { $0 + (analysis.row(.entered, in: $1)?.numerator ?? 0) }
      guard people > 0, Double(count) >= Double(people) * Self.leastShare else { return nil }
      let shown = others.prefix(3).map { "'\(SafeText.name($0.variant, limit: 40))'" }
      let names = shown.joined(separator: ", ") + (others.count > 3 ? ", …" : "")
      return "\(RateText.percent(Double(count) / Double(people))) of the people have a variant of "
        + "'\(SafeText.name(experiment.id))' that the flow does not declare "
        + "(\(names)): no rule is about them."
    }
  }
}
