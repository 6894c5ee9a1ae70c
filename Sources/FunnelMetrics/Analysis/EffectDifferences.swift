internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Looks for the people whom a variant serves better or worse than others (definitions 6.13).
struct EffectDifferences {
  let table: SliceTable
  let tally: Tally
  let experiment: Int
  /// The metrics that are tested over everybody.
  let metrics: [RateDefinition]
  /// Of an experiment that is looked at every day.
  let tuning: SequentialTuning?

  /// By what an effect may differ: a dimension, or another experiment.
  private struct Cut {
    var dimension: String
    var otherExperiment: String?
    var values: [(name: String, cells: ExperimentCells)]
  }

  private struct Candidate {
    var cut: Cut
    var metric: RateDefinition
    var variant: String
    var values: [(name: String, comparison: StratifiedComparison)]
    var p: Double
  }

  /// What is shown, in the order of dimensions, variants and metrics. Empty for the most part.
  func found() -> [EffectDifference] {
    let candidates = candidates()
    let adjusted = MultipleTesting.benjaminiHochberg.adjust(candidates.map(\.p))
    let alpha = table.flow.statistics.alpha
    return zip(candidates, adjusted).compactMap { candidate, adjusted in
      adjusted < alpha ? difference(candidate, adjusted) : nil
    }
  }

  private func candidates() -> [Candidate] {
    let declared = table.flow.experiments[experiment]
    let variants = declared.variants.map(\.id).filter { $0 != declared.controlID }
    return (dimensions + otherExperiments).filter { $0.values.count > 1 }.flatMap { cut in
      variants.flatMap { variant in metrics.compactMap { candidate(cut, $0, variant) } }
    }
  }

  private var dimensions: [Cut] {
    table.flow.dimensionsAtEntry.map { index in
      let dimension = table.flow.dimensions[index].id
      return Cut(
        dimension: dimension,
        values: ExperimentCells.values(of: dimension, tally, experiment: experiment))
    }
  }

  /// Those whose variants people were given one by one.
  private var otherExperiments: [Cut] {
    table.flow.experiments.indices.compactMap { other in
      let declared = table.flow.experiments[other]
      guard other != experiment, declared.clusterPath == nil else { return nil }
      return Cut(
        dimension: "experiment \(declared.id)", otherExperiment: declared.id,
        values: ExperimentCells.values(ofExperiment: other, tally, experiment: experiment))
    }
  }

  private func candidate(
    _ cut: Cut, _ metric: RateDefinition, _ variant: String
  ) -> Candidate? {
    let declared = table.flow.experiments[experiment]
    let compared = cut.values.map { value in
      (
        name: value.name,
        comparison: value.cells.comparison(of: metric, variant, declared.controlID, in: declared)
      )
    }.filter { EffectHeterogeneity.isLargeEnough($0.comparison) }
    let test = EffectHeterogeneity(compared.map(\.comparison)).test(tuning: tuning)
    return test.value.map {
      Candidate(
        cut: cut, metric: metric, variant: variant, values: compared, p: $0.pValue)
    }
  }

  private func difference(_ candidate: Candidate, _ adjusted: Double) -> EffectDifference {
    let declared = table.flow.experiments[experiment]
    let parts = candidate.values.map { value -> EffectDifference.Part in
      let comparison = value.comparison
      return EffectDifference.Part(
        value: value.name, treatment: comparison.total.treatment,
        control: comparison.total.control,
        difference: tuning.map { ConfidenceSequence.difference(comparison, tuning: $0) }
          ?? comparison.difference(),
        lift: tuning.map { ConfidenceSequence.relativeLift(comparison, tuning: $0) }
          ?? comparison.relativeLift())
    }
    return EffectDifference(
      experiment: declared.id, variant: candidate.variant, control: declared.controlID,
      dimension: candidate.cut.dimension, otherExperiment: candidate.cut.otherExperiment,
      metric: candidate.metric.metric,
      step: candidate.metric.step, p: candidate.p, pAdjusted: adjusted,
      isSequential: tuning != nil, parts: parts)
  }
}
