import FlowDefinition

/// All dimensions of a tally, made coarser together: they have their categories in common.
struct ShareableTable {
  struct Dimension {
    let name: String
    let values: [String]
    /// People by outcome, of each value.
    let counts: [[Int]]
    var suppressed: SuppressedRows
  }

  private let outcomes: DisjointOutcomes
  private let minimum: Int
  private var joined: JoinedCategories
  /// How many more people there are than in each earlier table.
  private let newPeople: [Int]
  private(set) var dimensions: [Dimension] = []
  /// Dimensions in which people have several values.
  private(set) var overlapping: [String] = []

  /// - Parameter published: tables that readers may have.
  /// - Throws: `PublishedTableError` where one is of another flow.
  init(
    _ tally: Tally, flow: Flow, minimum: Int, published: [PublishedTable] = []
  ) throws(PublishedTableError) {
    outcomes = DisjointOutcomes(flow)
    self.minimum = minimum
    var tables = outcomes.tables(of: tally, flow)
    let total = tables.removeValue(forKey: BreakdownKey.all.dimension)?[""] ?? outcomes.none
    let seed = TallyDigest(tally).value
    let earlier = try EarlierTables(
      published, outcomes.names, own: outcomes.groups(flow, tables))
    let everybody = earlier.grouped(total)
    newPeople = earlier.newPeople(everybody)
    joined = JoinedCategories(
      total, groups: earlier.groups, changes: earlier.unsettled(everybody),
      choices: UnforeseenChoices(seed: seed, name: "categories"))
    for (name, table) in ShareableTable.ordered(tables) {
      let values = ShareableTable.ordered(table)
      let counts = values.map(\.value)
      let choices = UnforeseenChoices(seed: seed, name: "dimension \(name)")
      let grouped = counts.map(earlier.grouped)
      let rows = SuppressedRows(
        rows: grouped, total: everybody,
        changes: earlier.changes(name, values.map(\.key), grouped, everybody), choices: choices)
      if let rows {
        dimensions.append(
          Dimension(name: name, values: values.map(\.key), counts: counts, suppressed: rows))
      } else {
        overlapping.append(name)
      }
    }
    suppress()
  }

  private static func ordered<Value>(
    _ table: [String: Value]
  ) -> [(key: String, value: Value)] {
    table.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// Joins categories and hides rows where the fewest people show, whichever are fewer. So what is
  /// shown for a larger minimum can be worked out from what is shown for a smaller one.
  private mutating func suppress() {
    while let fewest = joined.fewest {
      for place in dimensions.indices {
        dimensions[place].suppressed.suppress(below: min(fewest, minimum))
      }
      guard fewest < minimum, let columns = joined.joinSmallest() else { return }
      for place in dimensions.indices { dimensions[place].suppressed.join(columns) }
    }
  }

  /// Whether there are enough people for anything to be shown.
  var isShareable: Bool {
    joined.fewest.map { $0 >= minimum } ?? true && newPeople.allSatisfy { $0 == 0 || $0 >= minimum }
  }

  /// What became of people; where too few are in one, the first and last of several.
  var categories: [String] {
    guard isShareable else { return [] }
    return joined.groups.map { group in
      let (first, last) = (outcomes.names[group.lowerBound], outcomes.names[group.upperBound - 1])
      return group.count == 1 ? first : "\(first)..\(last)"
    }
  }

  var everybody: ShareableCounts.Row {
    ShareableCounts.Row(
      dimension: BreakdownKey.all.dimension, value: "", people: joined.totals.reduce(0, +),
      counts: joined.totals)
  }

  /// What is shown of a dimension; those without a row of their own are together in the last.
  func rows(of dimension: Dimension) -> [ShareableCounts.Row] {
    var left = joined.totals.reduce(0, +)
    var rows: [ShareableCounts.Row] = []
    for (place, detail) in dimension.suppressed.details.enumerated() where detail != .nothing {
      let counts = dimension.counts[place]
      let people = counts.reduce(0, +)
      left -= people
      let grouped = joined.groups.map { counts[$0].reduce(0, +) }
      rows.append(
        ShareableCounts.Row(
          dimension: dimension.name, value: dimension.values[place], people: people,
          counts: detail == .counts ? grouped : nil))
    }
    if left > 0 {
      rows.append(
        ShareableCounts.Row(
          dimension: dimension.name, value: ShareableCounts.hiddenValue, people: left))
    }
    return rows
  }
}
