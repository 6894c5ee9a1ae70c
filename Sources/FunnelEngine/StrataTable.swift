/// Persons by everything at once: dimension values, start week, outcome and group, with the binary
/// outcomes. Stratified lifts and mix-and-rate analysis read it.
///
/// It is bounded: of all combinations the `limit` with the smallest stable hash are kept, all
/// others fall together into one stratum `(other)` for each outcome and group. Which are kept
/// depends only on the set of combinations, so tables merge and order does not matter.
public struct StrataTable: Sendable, Hashable {
  /// A combination of values.
  public struct Key: Sendable, Hashable {
    public var group: GroupKey
    public var outcome: Outcome
    /// The person's dimension values in the flow's order and the ISO week of entry; a single
    /// `(other)` for what was not kept.
    public var values: [String]

    public init(group: GroupKey, outcome: Outcome, values: [String]) {
      self.group = group
      self.outcome = outcome
      self.values = values
    }
  }

  public static let defaultLimit = 4096
  public let limit: Int
  /// Counters: persons, then eligible and met of each goal, then of each retention measure.
  public private(set) var rows: [Key: [Int]] = [:]
  private var hashes: [Key: UInt64] = [:]
  /// Combinations with a larger hash have no place for certain.
  private var bound = UInt64.max

  public init(limit: Int = StrataTable.defaultLimit) { self.limit = limit }

  /// Adds counts to a combination. Call `prune()` after the last.
  public mutating func add(_ key: Key, _ counts: [Int]) {
    if rows[key] != nil || key.values == StrataTable.otherValues {
      accumulate(key, counts)
      return
    }
    let hash = StrataTable.stableHash(key)
    if hash > bound {
      accumulate(StrataTable.other(key), counts)
      return
    }
    accumulate(key, counts)
    hashes[key] = hash
    // Twice the room, so that the largest are looked for once in a while and not each time.
    if hashes.count >= 2 * limit { prune() }
  }

  /// Adds the counts of a combination that has no place.
  mutating func addToOther(_ group: GroupKey, _ outcome: Outcome, _ counts: [Int]) {
    accumulate(
      Key(group: group, outcome: outcome, values: StrataTable.otherValues), counts)
  }

  /// The largest hash that has a place among `limit`.
  static func bound(_ hashes: [UInt64], limit: Int) -> UInt64 {
    guard hashes.count > limit else { return .max }
    var distinct = 0
    var last: UInt64?
    for hash in hashes.sorted() where hash != last {
      distinct += 1
      last = hash
      if distinct == limit { return hash }
    }
    return .max
  }

  public mutating func merge(_ other: StrataTable) {
    // What is kept depends only on the set of keys, so the order in which they come is no matter.
    for (key, counts) in other.rows { add(key, counts) }
    prune()
  }

  /// Restores the bound: all but the combinations with the smallest hashes fall together.
  public mutating func prune() {
    guard hashes.count > limit else { return }
    bound = hashes.values.sorted()[limit - 1]
    for (key, hash) in hashes where hash > bound {
      hashes[key] = nil
      if let counts = rows.removeValue(forKey: key) { accumulate(StrataTable.other(key), counts) }
    }
  }

  private mutating func accumulate(_ key: Key, _ counts: [Int]) {
    // Looked up once: hashing a key reads all its names.
    guard let place = rows.index(forKey: key) else {
      rows[key] = counts
      return
    }
    for (index, count) in counts.enumerated() { rows.values[place][index] += count }
  }

  private static let otherValues = ["(other)"]

  private static func other(_ key: Key) -> Key {
    Key(group: key.group, outcome: key.outcome, values: otherValues)
  }

  private static func stableHash(_ key: Key) -> UInt64 {
    var hash = StrataHash(key.group, key.outcome)
    for value in key.values { hash.feed(value) }
    return hash.value
  }
}
