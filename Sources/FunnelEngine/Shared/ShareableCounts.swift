public import FlowDefinition

/// What became of people, by dimension, as it can be given to others: no count of a few people is
/// in it, and none can be worked out from it (`SuppressedRows`).
public struct ShareableCounts: Sendable, Hashable {
  /// The people with one value of a dimension.
  public struct Row: Sendable, Hashable {
    /// A dimension's id, `all`, `cohort`, `version`, or `variant:` and an experiment's id.
    public var dimension: String
    /// The dimension's value, empty for `all`, or ``ShareableCounts/hiddenValue``.
    public var value: String
    /// How many people have the value.
    public var people: Int
    /// By category; `nil` where some would be of a few people.
    public var counts: [Int]?

    /// A row; without counts it shows only how many people there are.
    public init(dimension: String, value: String, people: Int, counts: [Int]? = nil) {
      self.dimension = dimension
      self.value = value
      self.people = people
      self.counts = counts
    }
  }

  /// What became of people; where few people are in one, the first and last of several.
  public let categories: [String]
  /// Everybody first. Values with few people are one row, `(small values)`.
  public let rows: [Row]
  /// Dimensions in which people have several values, of which nothing is shown.
  public let overlapping: [String]
  /// How many values are in no row of their own.
  public let hiddenValues: Int

  /// The value of the row of those people whose own values are not shown.
  public static let hiddenValue = "(small values)"

  /// - Parameters:
  ///   - minimum: counts of fewer people are not given away.
  ///   - published: earlier tables of mostly the same people, which readers may subtract.
  /// - Throws: `PublishedTableError` where one of them is of another flow.
  public init(
    _ tally: Tally, flow: Flow, minimum: Int, published: [PublishedTable] = []
  ) throws(PublishedTableError) {
    let table = try ShareableTable(tally, flow: flow, minimum: minimum, published: published)
    categories = table.categories
    overlapping = table.overlapping
    guard table.isShareable else {
      (rows, hiddenValues) = ([], 0)
      return
    }
    let dimensions = table.dimensions.map { table.rows(of: $0) }
    rows = [table.everybody] + dimensions.flatMap(\.self)
    hiddenValues = table.dimensions.reduce(0) { sum, dimension in
      sum + dimension.suppressed.details.count { $0 == .nothing }
    }
  }
}
