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
  private var hashes: [UInt64: Set<Key>] = [:]
  private var largest: UInt64 = 0
  private var keptCount = 0

  public init(limit: Int = StrataTable.defaultLimit) { self.limit = limit }

  /// Adds counts to a combination.
  public mutating func add(_ key: Key, _ counts: [Int]) {
    if rows[key] != nil {
      accumulate(key, counts)
      return
    }
    if key.values == StrataTable.otherValues {
      accumulate(key, counts)
      return
    }
    let hash = StrataTable.stableHash(key)
    if keptCount >= limit && hash > largest {
      accumulate(StrataTable.other(key), counts)
      return
    }
    accumulate(key, counts)
    hashes[hash, default: []].insert(key)
    keptCount += 1
    largest = max(largest, hash)
    if keptCount > limit { evict() }
  }

  public mutating func merge(_ other: StrataTable) {
    // Eviction depends only on the set of keys, so the order in which they come is of no matter.
    for (key, counts) in other.rows { add(key, counts) }
  }

  /// Restores the bound after the largest hash was pushed out.
  private mutating func evict() {
    guard let keys = hashes.removeValue(forKey: largest) else { return }
    for key in keys {
      guard let counts = rows.removeValue(forKey: key) else { continue }
      accumulate(StrataTable.other(key), counts)
      keptCount -= 1
    }
    largest = hashes.keys.max() ?? 0
  }

  private mutating func accumulate(_ key: Key, _ counts: [Int]) {
    if rows[key] == nil {
      rows[key] = counts
    } else {
      for (index, count) in counts.enumerated() { rows[key]?[index] += count }
    }
  }

  private static let otherValues = ["(other)"]

  private static func other(_ key: Key) -> Key {
    Key(group: key.group, outcome: key.outcome, values: otherValues)
  }

  /// FNV-1a over the key's text: the same on every machine and in every run.
  static func stableHash(_ key: Key) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func feed(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    feed(key.group.version)
    for variant in key.group.variants {
      feed(variant.label)
      if case .contaminated(let names) = variant { names.forEach(feed) }
    }
    feed(key.outcome.name)
    key.values.forEach(feed)
    return hash ^ (hash >> 29)
  }
}
