internal import FlowDefinition

/// Persons by everything at once: dimension values, start week, outcome and group, with the binary
/// outcomes. Stratified lifts and mix-and-rate analysis read it.
///
/// It is bounded: of all combinations of values those with the smallest stable hash are kept, as
/// long as they have `limit` rows together; all others fall together into one stratum `(other)` for
/// each outcome and group. A combination is kept with all its groups and outcomes or not at all, so
/// that what is kept is a sample of strata within which people can be compared; the people of
/// `(other)` are alike in nothing. Which are kept depends only on the set of rows, so tables merge
/// and order does not matter.
public struct StrataTable: Sendable, Hashable {
  /// A combination of values.
  public struct Key: Sendable, Hashable {
    /// The people's version and variants.
    public let group: GroupKey
    /// How their attempts ended.
    public let outcome: Outcome
    /// The person's values of the dimensions known at entry, in the flow's order, and the ISO week
    /// of entry; a single `(other)` for what was not kept.
    public let values: [String]
    /// Of the values alone; worked out once: it decides who stays.
    let stableHash: UInt64

    /// Whether its people are those whose values were not kept.
    public var isOther: Bool { values == StrataTable.otherValues }

    init(group: GroupKey, outcome: Outcome, values: [String]) {
      self.group = group
      self.outcome = outcome
      self.values = values
      var hash = StableHash()
      for value in values { hash.feed(value) }
      stableHash = hash.value
    }

    /// Compares the values themselves; the hash follows from them.
    public static func == (left: Key, right: Key) -> Bool {
      left.outcome == right.outcome && left.values == right.values && left.group == right.group
    }

    /// Groups are few: they need not be hashed.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(outcome)
      hasher.combine(values)
    }
  }

  static let defaultLimit = 16_384
  let limit: Int
  /// Counters: persons, then eligible and met of each goal, then of each retention measure.
  public private(set) var rows: [Key: [Int]] = [:]
  /// How many rows are of combinations and not of `(other)`.
  private var combinations = 0
  /// Combinations with a larger hash have no place for certain.
  private var bound = UInt64.max

  init(limit: Int = StrataTable.defaultLimit) { self.limit = limit }

  /// Adds counts to a combination. Call `prune()` after the last.
  mutating func add(_ key: Key, _ counts: [Int]) {
    let isOther = key.isOther
    if !isOther && key.stableHash > bound {
      accumulate(StrataTable.other(key), counts)
    } else if accumulate(key, counts), !isOther {
      combinations += 1
      // Twice the room, so that the largest are looked for once in a while and not each time.
      if combinations >= 2 * limit { prune() }
    }
  }

  /// Adds the counts of a combination that has no place.
  mutating func addToOther(_ group: GroupKey, _ outcome: Outcome, _ counts: [Int]) {
    accumulate(
      Key(group: group, outcome: outcome, values: StrataTable.otherValues), counts)
  }

  /// The largest hash that has a place where all rows with a hash are kept, or none.
  ///
  /// - Parameter hashes: one of each row.
  static func bound(_ hashes: [UInt64], limit: Int) -> UInt64 {
    guard hashes.count > limit else { return .max }
    let first = hashes.sorted()[limit]
    return first > 0 ? first - 1 : 0
  }

  mutating func merge(_ other: StrataTable) {
    // What is kept depends only on the set of keys, so the order in which they come is no matter.
    for (key, counts) in other.rows { add(key, counts) }
    prune()
  }

  /// Restores the bound: all but the combinations with the smallest hashes fall together, each with
  /// all its rows.
  mutating func prune() {
    guard combinations > limit else { return }
    let kept = rows.keys.filter { !$0.isOther }
    bound = StrataTable.bound(kept.map(\.stableHash), limit: limit)
    for key in kept where key.stableHash > bound {
      combinations -= 1
      if let counts = rows.removeValue(forKey: key) { accumulate(StrataTable.other(key), counts) }
    }
  }

  /// Whether the key is a new one.
  @discardableResult
  private mutating func accumulate(_ key: Key, _ counts: [Int]) -> Bool {
    guard let place = rows.index(forKey: key) else {
      rows[key] = counts
      return true
    }
    for (index, count) in counts.enumerated() { rows.values[place][index] += count }
    return false
  }

  private static let otherValues = ["(other)"]

  /// Whether a combination has a value for each dimension known at entry, and a week.
  static func areValues(_ values: [String], of flow: Flow) -> Bool {
    values == otherValues || values.count == flow.dimensionsAtEntry.count + 1
  }

  private static func other(_ key: Key) -> Key {
    Key(group: key.group, outcome: key.outcome, values: otherValues)
  }
}
