import FlowDefinition

/// The slices of the truth: all, each version, each variant, and one cut of all by `used_skip`, by
/// outcome and by each dimension.
struct SlicePlan: Sendable {
  struct Slice: Sendable {
    var version = "all"
    var experiment = "all"
    var variant = "all"
    var breakdown = "all"
    /// An immature person has no value in this cut.
    var isOfMatureOnly = false
    /// Times are kept of all, of versions and variants, and by use of skip.
    var hasTimes: Bool { breakdown == "all" || breakdown.hasPrefix("used_skip=") }
  }

  private(set) var slices = [Slice()]
  /// Indices of the first slice of each group; `nil` where a flow has no such group.
  private var versions: Int?
  private var variants: [Int] = []
  private var usedSkip = 0
  private var outcomes = 0
  private var dimensions: [Int?] = []

  init(_ world: World) {
    if world.versions.count > 1 {
      versions = slices.count
      for version in world.versions { slices.append(Slice(version: version.label)) }
    }
    for experiment in world.flow.experiments {
      variants.append(slices.count)
      for variant in experiment.variants {
        slices.append(Slice(experiment: experiment.id, variant: variant.id))
      }
    }
    usedSkip = slices.count
    for value in ["yes", "no"] {
      slices.append(Slice(breakdown: "used_skip=\(value)", isOfMatureOnly: true))
    }
    outcomes = slices.count
    for outcome in Outcome.allCases.map(\.name) + ["finished_after_skipping"] {
      slices.append(Slice(breakdown: "outcome=\(outcome)", isOfMatureOnly: true))
    }
    for (dimension, source) in zip(world.flow.dimensions, world.dimensions) {
      guard let values = source.values(world.context) else {
        dimensions.append(nil)
        continue
      }
      dimensions.append(slices.count)
      for value in values + ["(none)"] {
        slices.append(Slice(breakdown: "\(dimension.id)=\(value)"))
      }
    }
  }

  /// The slices that an evaluated person is in.
  func members(_ fate: Fate, _ world: World, isMature: Bool, into found: inout [Int]) {
    found.removeAll(keepingCapacity: true)
    found.append(0)
    if let versions { found.append(versions + world.arms[fate.arm].version) }
    if !fate.isLeftOut, let combination = fate.combination {
      for (first, variant) in zip(variants, world.combinations[combination]) {
        found.append(first + variant)
      }
    }
    if isMature {
      found.append(usedSkip + (fate.usedSkip ? 0 : 1))
      let isAfterSkip = fate.isFinishedAfterSkipping(world.flow)
      found.append(outcomes + (isAfterSkip ? Outcome.allCases.count : Int(fate.outcome.rawValue)))
    }
    // What comes after the dump's end is not known of the immature.
    let whole = fate.attempt(world.flow)
    let attempt = whole.lowerBound...max(whole.lowerBound, min(whole.upperBound, world.horizon))
    for (first, source) in zip(dimensions, world.dimensions) {
      guard let first, let values = source.values(world.context) else { continue }
      let place = source.place(fate, attempt, world.context, horizon: world.horizon)
      found.append(first + (place ?? values.count))
    }
  }
}
