package import FunnelEngine

/// Who is without a variant among those who could have had one: people of versions and weeks in
/// which somebody has one. Others entered before the experiment or with a release that doesn't
/// know it.
public struct ExperimentCoverage: Sendable {
  /// Mature persons of such versions and weeks with a variant, contaminated and not exposed among
  /// them.
  public private(set) var assigned = 0
  /// Mature persons of such versions and weeks without a variant.
  public private(set) var unassigned = 0

  package init(_ strata: StrataTable, experiment: Int) {
    struct Place: Hashable {
      var version: String
      var week: String
    }
    var counts: [Place: (assigned: Int, unassigned: Int)] = [:]
    // Of people whose week was not kept nobody knows whether they could have had one.
    for (key, row) in strata.rows where !key.isOther {
      let place = Place(version: key.group.version, week: key.values.last ?? "")
      switch key.group.variants[experiment] {
      case .unassigned: counts[place, default: (0, 0)].unassigned += row[0]
      case .outside: break
      case .assigned, .notExposed, .contaminated, .first:
        counts[place, default: (0, 0)].assigned += row[0]
      }
    }
    for count in counts.values where count.assigned > 0 {
      assigned += count.assigned
      unassigned += count.unassigned
    }
  }

  /// Mature persons without a variant, of all that could have one; 0 where nobody could.
  var unassignedShare: Double {
    unassigned == 0 ? 0 : Double(unassigned) / Double(unassigned + assigned)
  }
}
