/// The versions with variants and standings in experiments that persons were met with, numbered in
/// the order of appearance.
struct CombinationTable {
  private struct Combination {
    var version: UInt32
    var variants: [[UInt32]]
    var standings: [ExperimentStanding]
    /// The list of everybody with this version and these variants.
    var list: Int
  }

  private var all: [Combination] = []
  /// Those with at most one variant in each experiment: the version, then variant (0 for none) and
  /// standing by experiment; behind them the number + 1.
  private var plain: KeyedRows
  private var key: [UInt32]

  init(experiments: Int) {
    key = Array(repeating: 0, count: 1 + 2 * experiments)
    plain = KeyedRows(keyWidth: key.count, width: key.count + 1)
  }

  /// The list of a combination.
  func list(_ number: Int) -> Int { all[number].list }

  /// The number of a combination; `nil` for one that was not added.
  mutating func number(
    version: UInt32, _ variants: [[UInt32]], _ standings: [ExperimentStanding]
  ) -> Int? {
    guard writeKey(version, variants, standings) else {
      // Nobody should be in two variants of one experiment: few are.
      return all.firstIndex {
        $0.version == version && $0.variants == variants && $0.standings == standings
      }
    }
    guard let row = plain.find(key, at: 0, hash: plain.hash(key, at: 0)) else { return nil }
    return Int(plain.word(row, key.count)) - 1
  }

  /// Numbers a combination that has no number.
  mutating func add(
    version: UInt32, _ variants: [[UInt32]], _ standings: [ExperimentStanding], list: Int
  ) -> Int {
    all.append(
      Combination(version: version, variants: variants, standings: standings, list: list))
    if writeKey(version, variants, standings) {
      let row = plain.row(key, at: 0, hash: plain.hash(key, at: 0))
      plain.add(UInt32(all.count), to: row, key.count)
    }
    return all.count - 1
  }

  /// Whether a combination has a key, with at most one variant in each experiment.
  private mutating func writeKey(
    _ version: UInt32, _ variants: [[UInt32]], _ standings: [ExperimentStanding]
  ) -> Bool {
    key[0] = version
    for experiment in variants.indices {
      if variants[experiment].count > 1 { return false }
      key[1 + 2 * experiment] = variants[experiment].first ?? 0
      key[2 + 2 * experiment] = standings[experiment].word
    }
    return true
  }
}
