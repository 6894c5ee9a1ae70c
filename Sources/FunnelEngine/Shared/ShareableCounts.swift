public import FlowDefinition

/// What became of people, by dimension, as it can be given to others: no count of a few people is
/// in it, and none can be worked out from it (`SmallCellRule`).
public struct ShareableCounts: Sendable, Hashable {
  public struct Row: Sendable, Hashable {
    /// A dimension's id, `all`, `cohort`, `version`, or `variant:` and an experiment's id.
    public var dimension: String
    public var value: String
    public var people: Int
    /// By category; `nil` where some would be of a few people.
    public var counts: [Int]?
  }

  /// What became of people; where few people are in one, the first and last of several.
  public let categories: [String]
  /// Everybody first. Values with few people are one row, `(small values)`.
  public let rows: [Row]
  /// Dimensions in which people have several values, of which nothing is shown.
  public let overlapping: [String]
  /// How many values are in no row of their own.
  public let hiddenValues: Int

  public static let hiddenValue = "(small values)"

  /// - Parameter minimum: counts of fewer people are not given away.
  public init(_ tally: Tally, flow: Flow, minimum: Int) {
    let rule = SmallCellRule(minimum: minimum)
    let outcomes = DisjointOutcomes(flow)
    let tables = outcomes.tables(of: tally, flow)
    let total = tables[BreakdownKey.all.dimension]?[""] ?? outcomes.none
    let groups = rule.groups(of: total)
    func grouped(_ counts: [Int]) -> [Int] { groups.map { counts[$0].reduce(0, +) } }
    categories = groups.map { group in
      let (first, last) = (outcomes.names[group.lowerBound], outcomes.names[group.upperBound - 1])
      return group.count == 1 ? first : "\(first)..\(last)"
    }
    var rows: [Row] = []
    var overlapping: [String] = []
    var hidden = 0
    if !groups.isEmpty {
      rows.append(
        Row(
          dimension: BreakdownKey.all.dimension, value: "", people: total.reduce(0, +),
          counts: grouped(total)))
      for (dimension, table) in ShareableCounts.ordered(tables)
      where dimension != BreakdownKey.all.dimension {
        let values = ShareableCounts.ordered(table).map { ($0.key, grouped($0.value)) }
        guard let details = rule.details(of: values.map(\.1), total: grouped(total)) else {
          overlapping.append(dimension)
          continue
        }
        var left = total.reduce(0, +)
        for ((value, counts), detail) in zip(values, details) {
          if detail == .nothing {
            hidden += 1
          } else {
            let people = counts.reduce(0, +)
            left -= people
            rows.append(
              Row(
                dimension: dimension, value: value, people: people,
                counts: detail == .counts ? counts : nil))
          }
        }
        if left > 0 {
          rows.append(
            Row(dimension: dimension, value: ShareableCounts.hiddenValue, people: left))
        }
      }
    }
    self.rows = rows
    self.overlapping = overlapping
    hiddenValues = hidden
  }

  private static func ordered<Value>(
    _ table: [String: Value]
  ) -> [(key: String, value: Value)] {
    table.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
