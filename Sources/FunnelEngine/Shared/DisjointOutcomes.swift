internal import FlowDefinition

/// What became of people, such that each is counted once: every sum of counts is one of people.
struct DisjointOutcomes {
  /// In an order in which neighbours can be counted together.
  let names: [String]
  private let steps: Int

  init(_ flow: Flow) {
    steps = flow.steps.count
    names =
      ["finished", "finished_after_skipping", "skipped", "abandoned_at_entry"]
      + flow.steps.map { "abandoned_at_\($0.id)" } + ["too_recent"]
  }

  /// Nobody.
  var none: [Int] { Array(repeating: 0, count: names.count) }

  private func counts(_ cell: [Int], _ layout: CounterLayout) -> [Int] {
    [
      cell[layout[.finished]], cell[layout[.finishedAfterSkipping]], cell[layout[.skipped]],
      cell[layout[.leftAtEntryAbandoned]],
    ] + (0..<steps).map { cell[layout[.abandonedHere, $0]] }
      + [cell[layout[.entered]] - cell[layout[.persons]]]
  }

  /// By dimension and value. What follows from the outcome itself is no dimension here.
  func tables(of tally: Tally, _ flow: Flow) -> [String: [String: [Int]]] {
    var tables: [String: [String: [Int]]] = [:]
    func add(_ counts: [Int], _ dimension: String, _ value: String) {
      let known = tables[dimension]?[value] ?? none
      tables[dimension, default: [:]][value] = zip(known, counts).map { $0 + $1 }
    }
    for (key, cell) in tally.cells {
      let counts = counts(cell, tally.layout)
      let dimension = key.breakdown.dimension
      if dimension == BreakdownKey.usedSkip || dimension == BreakdownKey.outcome { continue }
      add(counts, dimension, key.breakdown.value)
      guard key.breakdown == .all else { continue }
      add(counts, "version", key.group.version)
      for (experiment, variant) in zip(flow.experiments, key.group.variants) {
        add(counts, "variant:\(experiment.id)", variant.label)
      }
    }
    return tables
  }
}
