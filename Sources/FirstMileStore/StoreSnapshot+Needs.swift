internal import EventInput
package import FlowDefinition
internal import Foundation
package import Timelines

extension StoreSnapshot {
  /// A source that has to be read again before flows can be evaluated, and why.
  package struct Need: Sendable, Hashable, CustomStringConvertible {
    package var source: Int64
    package var path: String
    package var reasons: [String]

    package var description: String { "'\(path)': \(reasons.joined(separator: "; "))" }
  }

  /// Exactly the sources that lack something these flows ask for; empty as a rule.
  ///
  /// - Throws: `StoreError` where a segment is damaged.
  package func needs(_ schema: FactSchema, flows: [Flow]) throws -> [Need] {
    var reasons: [Int64: [String]] = [:]
    for (pack, reading) in packs.enumerated() where reading.isWanted.contains(true) {
      for gap in reading.gaps(schema, flows: flows) {
        for number in try concerned(gap, pack: pack) {
          reasons[packSources[pack][number].source, default: []].append(gap.reason)
        }
      }
    }
    // Sources are numbered as their transactions end, which differs from run to run.
    let byName = sources.sorted {
      $0.summary.name.utf8.lexicographicallyPrecedes($1.summary.name.utf8)
    }
    return byName.compactMap { source in
      reasons[source.id].map { given in
        var seen: Set<String> = []
        return Need(
          source: source.id, path: source.summary.name,
          reasons: given.filter { seen.insert($0).inserted })
      }
    }
  }

  /// The numbers of the pack's sources that a gap concerns.
  private func concerned(_ gap: StoredGap, pack: Int) throws -> [Int] {
    let wanted = packs[pack].isWanted
    // With one source there is no question whose facts these are.
    if wanted.count == 1 { return [0] }
    var found: Set<Int> = []
    try store.mapped {
      try forEachPiece(ofPack: pack) { found.formUnion(try gap.sources(in: $0.bytes)) }
    }
    return found.filter { $0 < wanted.count && wanted[$0] }.sorted()
  }
}
