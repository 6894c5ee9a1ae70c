/// Which packs are merged as sources come in, so that a store that is filled day after day has few.
///
/// Packs of one layout belong to tiers by how many facts they have, each tier of packs eight times
/// as large as the one before it. Once a tier has enough packs they become one, of a higher tier: a
/// fact is written anew once a tier, and of many packs of one size seven a tier are left at most.
/// (Bentley and Saxe 1980, "Decomposable searching problems"; as size-tiered compaction in
/// Cassandra.)
struct PackTiers {
  /// A pack, or packs that are to become one.
  struct Group: Equatable {
    /// Places of packs, in their order.
    var packs: [Int]
    var facts: Int
  }

  /// So many packs of a tier are merged.
  static let enough = 8
  /// While many sources are coming in, which are written anew only once then.
  static let enoughAtOnce = 64

  /// - Parameters:
  ///   - packs: of one layout.
  ///   - enough: how many packs of a tier become one, more than 1.
  /// - Returns: what is to become one pack each; nothing where all is well.
  static func merges(_ packs: [Group], enough: Int) -> [[Int]] {
    var tiers = Dictionary(grouping: packs) { tier(ofFacts: $0.facts) }
    // What a merge makes may be the one that was missing above.
    for tier in 0...tier(ofFacts: .max) {
      guard let groups = tiers[tier], groups.count >= enough else { continue }
      let merged = Group(
        packs: groups.flatMap(\.packs).sorted(), facts: groups.reduce(0) { $0 + $1.facts })
      tiers[tier] = nil
      tiers[PackTiers.tier(ofFacts: merged.facts), default: []].append(merged)
    }
    return tiers.values.joined().map(\.packs).filter { $0.count > 1 }
      .sorted { $0[0] < $1[0] }
  }

  /// How many octal digits the number has.
  private static func tier(ofFacts facts: Int) -> Int {
    (Int.bitWidth - max(0, facts).leadingZeroBitCount + 2) / 3
  }
}
