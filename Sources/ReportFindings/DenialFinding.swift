internal import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// Steps that lose more than half of their people right after these denied a permission.
package struct DenialFinding {
  let analysis: Analysis

  package init(analysis: Analysis) { self.analysis = analysis }

  private static let fewest = 10

  private typealias Place = (step: Step, denied: Datum, left: Datum)

  /// The people of the newest version, where others are there and enough of these are concerned:
  /// what an earlier version asked can't be mended any more.
  private var scope: Slice {
    guard let newest = analysis.flow.newestVersion, analysis.seenVersions.count > 1 else {
      return .all
    }
    let slice = Slice(version: newest)
    return DenialFinding.denied(at: places(in: slice)) >= DenialFinding.fewest ? slice : .all
  }

  private func places(in slice: Slice) -> [Place] {
    analysis.flow.steps.compactMap { step in
      guard let denied = analysis.datum(.stepAbandonedAfterDenial, step: step.id, in: slice),
        let left = analysis.datum(.stepDropOff, step: step.id, in: slice),
        let count = denied.row.numerator, count * 2 > left.row.numerator ?? 0
      else { return nil }
      return (step, denied, left)
    }
  }

  /// `34 people left right after denying a permission.`, for headlines and the index: of those
  /// whom the sentences around it are about. `nil` where there is no finding, or few of them.
  package func short(of slice: Slice? = nil) -> String? {
    let denied = DenialFinding.denied(at: places(in: slice ?? scope))
    guard draft() != nil, denied >= DenialFinding.fewest else { return nil }
    let version = slice == nil ? DenialFinding.version(scope) : ""
    return "\(version)\(ReportWords.people(denied)) left right after denying a permission."
  }

  /// `Flow version 2: `; nothing of everyone.
  private static func version(_ scope: Slice) -> String {
    scope == .all ? "" : "Flow version \(SafeText.name(scope.version, limit: 24)): "
  }

  private static func denied(at places: [Place]) -> Int {
    places.reduce(0) { $0 + ($1.denied.row.numerator ?? 0) }
  }

  func draft() -> FindingDraft? {
    let scope = scope
    let places = places(in: scope)
    let denied = DenialFinding.denied(at: places)
    guard denied >= DenialFinding.fewest, let worst = places.first else { return nil }
    let left = places.reduce(0) { $0 + ($1.left.row.numerator ?? 0) }
    let names = places.map { SafeText.name($0.step.title, limit: 60) }
    let counts = places.map { place -> Sentence in
      "\(place.denied.saidCount) of \(place.left.saidCount) at "
        + "\(SafeText.name(place.step.title, limit: 60))"
    }
    let ofDeniers = ofThoseWhoDenied(scope)
    let version = DenialFinding.version(scope)
    return FindingDraft(
      kind: .afterDenial, tone: .bad,
      claim: """
        \(version)\(NumberText.grouped(denied)) of the \(NumberText.grouped(left)) people lost at \
        \(names.listed) left right after denying a permission.
        """,
      detail: places.count == 1
        ? "Denying was the last thing they did in the onboarding.\(ofDeniers)"
        : """
        \(counts.joined(separator: ", ")). Denying was the last thing they did in the \
        onboarding.\(ofDeniers)
        """,
      chart: .step(worst.step.id))
  }

  /// ` Of the 80 people who denied notifications, 17.5 % left right then.`: most go on. Without
  /// counts, as they are of other people than those of the steps.
  private func ofThoseWhoDenied(_ slice: Slice) -> Sentence {
    let parts = analysis.flow.permissions.compactMap { name -> Sentence? in
      guard let datum = analysis.datum(.permissionLeftAfterDenial, step: name, in: slice),
        datum.row.value != nil, (datum.row.numerator ?? 0) > 0
      else { return nil }
      return """
         Of the \(datum.saidTotal) people who denied \(SafeText.name(name, limit: 40)), \
        \(datum.saidRate) left right then.
        """
    }
    return parts.joined(separator: "")
  }
}
