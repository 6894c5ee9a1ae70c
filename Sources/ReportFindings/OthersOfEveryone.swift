internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// The people of everyone who are in none of the variants that a page shows in colour, by why: so
/// that the numbers beside each other add up.
package struct OthersOfEveryone {
  private let without: WithoutVariant?
  /// Those who are not in sight for other reasons, the most first.
  private let reasons: [(reason: Reason, people: Int)]

  private enum Reason: Int, Hashable {
    case anotherVariant, notExposed, severalVariants, outside

    func words(_ people: Int) -> String {
      let (one, many) =
        switch self {
        case .anotherVariant: ("has another variant", "have another variant")
        case .notExposed: ("was not exposed to it", "were not exposed to it")
        case .severalVariants: ("saw several variants", "saw several variants")
        case .outside: ("entered outside of its days", "entered outside of its days")
        }
      return "\(NumberText.grouped(people)) \(people == 1 ? one : many)"
    }

    init?(_ state: VariantState, shown: [String]) {
      switch state {
      case .unassigned: return nil
      case .outside: self = .outside
      case .notExposed: self = .notExposed
      case .contaminated: self = .severalVariants
      case .assigned(let name), .first(let name, of: _):
        if shown.contains(name) { return nil }
        self = .anotherVariant
      }
    }
  }

  /// - Parameter shown: the variants in colour.
  package init(_ analysis: Analysis, experiment: String, shown: [String]) {
    without = WithoutVariant(analysis, experiment: experiment)
    var counts: [Reason: Int] = [:]
    let persons = analysis.slices.layout[.persons]
    if let index = analysis.flow.experiments.firstIndex(where: { $0.id == experiment }) {
      for (key, own) in analysis.tally.cells where key.breakdown == .all {
        guard let reason = Reason(key.group.variants[index], shown: shown) else { continue }
        counts[reason, default: 0] += own[persons]
      }
    }
    reasons = counts.filter { $0.value > 0 }.map { ($0.key, $0.value) }
      .sorted { ($1.people, $0.reason.rawValue) < ($0.people, $1.reason.rawValue) }
  }

  /// `; the other 144 have no variant`, or `; of the other 1,013, 869 were not exposed to it and
  /// 144 have no variant`; empty where there are no others.
  package var words: String {
    if reasons.isEmpty { return without.map { "; \($0.who)\($0.which)\($0.lack)" } ?? "" }
    let others =
      reasons.map { $0.reason.words($0.people) }
      + (without.map { ["\(NumberText.grouped($0.people))\($0.lack)"] } ?? [])
    let people = reasons.map(\.people).reduce(without?.people ?? 0, +)
    return "; of the other \(NumberText.grouped(people)), \(others.listed)"
  }
}
