/// The versions with variants that persons were met with, numbered in the order of appearance.
struct CombinationTable {
  private struct Combination {
    var version: UInt32
    var variants: [[UInt32]]
    /// The list of everybody with this version and these variants.
    var list: Int
  }

  private var all: [Combination] = []
  /// Those with at most one variant in each experiment: the version and the variants, 0 for none;
  /// behind them the number + 1.
  private var plain: KeyedRows
  private var key: [UInt32]

  init(experiments: Int) {
    key = Array(repeating: 0, count: 1 + experiments)
    plain = KeyedRows(keyWidth: key.count, width: key.count + 1)
  }

  /// The list of a combination.
  func list(_ number: Int) -> Int { all[number].list }

  /// The number of a combination; `nil` for one that was not added.
  mutating func number(version: UInt32, _ variants: [[UInt32]]) -> Int? {
    guard writeKey(version, variants) else {
      // Nobody should be in two variants of one experiment: few are.
      return all.firstIndex { $0.version == version && $0.variants == variants }
    }
    guard let row = plain.find(key, at: 0, hash: plain.hash(key, at: 0)) else { return nil }
    return Int(plain.word(row, key.count)) - 1
  }

  /// Numbers a combination that has no number.
  mutating func add(version: UInt32, _ variants: [[UInt32]], list: Int) -> Int {
    all.append(Combination(version: version, variants: variants, list: list))
    if writeKey(version, variants) {
      let row = plain.row(key, at: 0, hash: plain.hash(key, at: 0))
      plain.add(UInt32(all.count), to: row, key.count)
    }
    return all.count - 1
  }

  /// Whether a combination has a key, with at most one variant in each experiment.
  private mutating func writeKey(_ version: UInt32, _ variants: [[UInt32]]) -> Bool {
    key[0] = version
    for experiment in variants.indices {
      if variants[experiment].count > 1 { return false }
      key[1 + experiment] = variants[experiment].first ?? 0
    }
    return true
  }
}
