internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics

/// Whom the figures of the first screen are of: everyone, or the people of the version that the
/// headline is about, so that one screen doesn't speak of two groups of people.
package struct LeadingPopulation: Sendable {
  package let slice: Slice

  /// Everyone, where a column of that version stands beside them already, or where people of other
  /// versions are in the variants' columns.
  package init(_ headline: Headline?, _ analysis: Analysis) {
    guard let population = headline?.population, population != .all else {
      slice = .all
      return
    }
    let compared = analysis.comparedSlices
    let isBeside = compared.contains(population)
    let experiments = compared.map(\.experiment)
    let isMixed = analysis.flow.experiments.indices.contains { index in
      experiments.contains(analysis.flow.experiments[index].id)
        && Self.hasVariants(outside: population.version, experiment: index, analysis)
    }
    slice = isBeside || isMixed ? .all : population
  }

  private static func hasVariants(
    outside version: String, experiment: Int, _ analysis: Analysis
  ) -> Bool {
    let persons = analysis.slices.layout[.persons]
    return analysis.tally.cells.contains { key, counts in
      key.breakdown == .all && key.group.version != version
        && key.group.variants[experiment] != .unassigned && counts[persons] > 0
    }
  }
}

extension Report {
  /// Whom the report speaks of first.
  package var leading: Slice {
    conclusions.value { LeadingPopulation(headline, analysis) }.slice
  }
}
