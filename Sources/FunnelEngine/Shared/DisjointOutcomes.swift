internal import FlowDefinition

/// What became of people, such that each is counted once: every sum of counts is one of people.
struct DisjointOutcomes {
  /// In an order in which neighbours can be counted together.
  let names: [String]
  private let steps: Int
  private let beforeSteps = [
    "finished", "finished_after_skipping", "skipped", "abandoned_at_entry",
  ]

  init(_ flow: Flow) {
    steps = flow.steps.count
    names = beforeSteps + flow.steps.map { "abandoned_at_\($0.id)" } + ["too_recent"]
  }

  /// The finest categories in which somebody of every version and variant with people can be: that
  /// all who left at a step are of one version can be read from the flow, and shows what became of
  /// its others.
  ///
  /// - Parameter tables: of the tally.
  func groups(_ flow: Flow, _ tables: [String: [String: [Int]]]) -> [Range<Int>] {
    let lists = lists(flow, tables)
    let first = beforeSteps.count
    var ends = Array(1...first)
    var open = Set(lists.indices)
    for step in 0..<steps {
      let owners = lists.indices.filter { lists[$0].contains(step) }
      // Nobody has it, so nobody leaves there.
      if owners.isEmpty && open.count == lists.count {
        ends.append(first + step + 1)
        continue
      }
      open.subtract(owners)
      guard open.isEmpty else { continue }
      ends.append(first + step + 1)
      open = Set(lists.indices)
    }
    // The last ones go with those before them.
    if ends.last != first + steps { ends[ends.count - 1] = first + steps }
    ends.append(names.count)
    return zip([0] + ends, ends).map { $0..<$1 }
  }

  /// The steps of each list that somebody may have.
  private func lists(_ flow: Flow, _ tables: [String: [String: [Int]]]) -> [[Int]] {
    func hasPeople(_ dimension: String, _ value: String) -> Bool {
      tables[dimension]?[value]?.contains { $0 > 0 } ?? false
    }
    let older = flow.versions.filter { hasPeople("version", $0.name) }
    let isNewestSeen = tables["version"].map { versions in
      versions.keys.contains { name in !flow.versions.contains { $0.name == name } }
    }
    let variants = flow.experiments.flatMap { experiment in
      experiment.variants.filter { hasPeople("variant:\(experiment.id)", $0.id) }
    }
    return (isNewestSeen ?? true ? [flow.defaultList] : []) + older.map(\.steps)
      + variants.compactMap(\.steps)
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
