internal import FlowDefinition
internal import FunnelEngine

/// Whether two versions of a flow had new people in the same cohorts: a difference between them is
/// a change over time only where one came after the other.
package enum VersionOverlap {
  case sameTime, forSomeTime, apart

  /// A version with a smaller share of a cohort is ending, or being tried out.
  private static let smallestShare = 0.1

  /// `nil` where people stand in fewer than two cohorts, and where people had the newer version
  /// first.
  package init?(newest one: Slice, before other: Slice, _ analysis: Analysis) {
    let persons = analysis.slices.layout[.persons]
    var people: [String: [Int]] = [:]
    for (place, version) in [one, other].enumerated() {
      for cohort in analysis.cohorts(of: version) {
        people[cohort.cohort, default: [0, 0]][place] += analysis.slices.count(cohort, persons)
      }
    }
    // The names of cohorts are in the order of their dates.
    let order = people.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let firsts = [0, 1].map { place in order.firstIndex { people[$0]?[place] ?? 0 > 0 } ?? 0 }
    let cohorts = people.values.filter { $0[0] + $0[1] > 0 }
    guard cohorts.count > 1, firsts[0] >= firsts[1] else { return nil }
    let shared = cohorts.count { counts in
      Double(min(counts[0], counts[1])) >= Self.smallestShare * Double(counts[0] + counts[1])
    }
    self = shared == 0 ? .apart : 2 * shared > cohorts.count ? .sameTime : .forSomeTime
  }
}
