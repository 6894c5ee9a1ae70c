internal import FlowDefinition
internal import Timelines

/// A table for others that was given away earlier (`ShareableCounts`), as it was read back.
public struct PublishedTable: Sendable {
  let categories: [String]
  /// What became of everybody in it.
  let everybody: [Int]
  /// People and, where they are shown, counts, by dimension and value.
  private let rows: [String: [String: (people: Int, counts: [Int]?)]]
  /// How a table writes a value.
  private let spelling: @Sendable (String) -> String

  /// - Parameters:
  ///   - categories: of the table's head.
  ///   - rows: in the table's order.
  ///   - spelling: how a table writes a value; two values may be written in one way.
  /// - Throws: `PublishedTableError` where it is no such table.
  public init(
    categories: [String], rows: [ShareableCounts.Row],
    spelling: @escaping @Sendable (String) -> String
  ) throws(PublishedTableError) {
    self.categories = categories
    self.spelling = spelling
    var known: [String: [String: (people: Int, counts: [Int]?)]] = [:]
    for row in rows {
      let counts = row.counts ?? []
      guard WrittenNumbers.areSound([row.people] + counts),
        row.counts == nil || counts.count == categories.count && counts.reduce(0, +) == row.people
      else { throw .damaged("the counts of '\(row.value)' don't add up to its people") }
      if known[row.dimension, default: [:]].updateValue((row.people, row.counts), forKey: row.value)
        != nil
      {
        throw .damaged("'\(row.value)' is there twice")
      }
    }
    guard let everybody = known.removeValue(forKey: BreakdownKey.all.dimension)?[""]?.counts else {
      throw .damaged("there is no row of everybody ('all')")
    }
    self.everybody = everybody
    self.rows = known
    // Everybody is in one row of each dimension.
    for (dimension, rows) in known.sorted(by: { $0.key < $1.key })
    where rows.values.reduce(0, { $0 + $1.people }) != everybody.reduce(0, +) {
      throw .damaged("the rows of '\(dimension)' don't add up to everybody: some are missing")
    }
  }

  /// Of these dimensions those of which the table has no row, though it is of somebody: a table of
  /// the flow before they were there, or one that is cut off.
  public func missing(of dimensions: [String]) -> [String] {
    everybody.contains { $0 > 0 } ? dimensions.filter { rows[$0] == nil } : []
  }

  /// Which outcomes each category joins.
  ///
  /// - Throws: `PublishedTableError` where they are those of another flow.
  func groups(_ outcomes: [String]) throws(PublishedTableError) -> [Range<Int>] {
    let places = Dictionary(uniqueKeysWithValues: outcomes.enumerated().map { ($1, $0) })
    var groups: [Range<Int>] = []
    for category in categories {
      let start = groups.last?.upperBound ?? 0
      // A step's id may hold two dots.
      guard let first = outcomes.indices.contains(start) ? outcomes[start] : nil,
        let last = category == first
          ? start
          : category.hasPrefix("\(first)..")
            ? places[String(category.dropFirst(first.count + 2))] : nil, last >= start
      else { throw .foreign }
      groups.append(start..<last + 1)
    }
    guard groups.last?.upperBound == outcomes.count else { throw .foreign }
    return groups
  }

  /// What is known of a dimension's values, in their order; `nil` where no value of it is shown, so
  /// that nothing is known but what is known of everybody.
  func earlier(_ dimension: String, _ values: [String]) -> [EarlierRow]? {
    guard let known = rows[dimension],
      known.keys.contains(where: { $0 != ShareableCounts.hiddenValue })
    else { return nil }
    let spellings = values.map(spelling)
    let counts = Dictionary(spellings.map { ($0, 1) }, uniquingKeysWith: +)
    let hidesNobody = known[ShareableCounts.hiddenValue] == nil
    return spellings.map { value in
      guard counts[value] == 1, value != ShareableCounts.hiddenValue else { return .unknown }
      guard let row = known[value] else { return hidesNobody ? .nobody : .unknown }
      return row.counts.map { .counts($0) } ?? .people(row.people)
    }
  }
}

/// What an earlier table shows of a value.
enum EarlierRow: Sendable {
  /// The value was in no row, and may have been among the hidden ones.
  case unknown
  /// Nobody had it.
  case nobody
  case people(Int)
  /// By the table's categories.
  case counts([Int])

  /// How much a later table may show: otherwise it would show what the earlier one hides.
  var most: SuppressedRows.Detail {
    switch self {
    case .unknown: .nothing
    case .people: .people
    case .nobody, .counts: .counts
    }
  }
}

/// Why a table can't be what `share` gave away of the same flow.
public enum PublishedTableError: Error, Hashable, CustomStringConvertible {
  case damaged(String)
  case foreign

  /// The reason as a clause, to be put behind the table's name.
  public var description: String {
    switch self {
    case .damaged(let reason): "it is no table of `firstmile share`: \(reason)"
    case .foreign: "its columns are those of another flow, or of this one before its steps changed"
    }
  }
}
