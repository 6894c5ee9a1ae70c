package import FlowDefinition
internal import FunnelEngine

/// The values of one dimension that most persons have.
public struct BreakdownPanel: Sendable {
  /// The dimension's id, as the flow file has it.
  public var dimension: String
  /// Who stays longer is likelier to have a value.
  public var isKnownLater: Bool
  /// The largest first, equals in the order of their bytes; releases in their own order.
  public var slices: [Slice]
  /// Its values are releases of the app: they stand in their order.
  package var isRelease = false
  /// Values that are left out here.
  public var omitted: Int

  /// What the panel is called in links, which are kept.
  package var anchor: String { isKnownLater ? "\(dimension) (known later)" : dimension }

  /// The dimension in words, marked where it is no property of the entry.
  package func name(_ flow: Flow) -> String {
    flow.words(ofDimension: dimension) + (isKnownLater ? " (known later)" : "")
  }

  package static let maximumValues = 8

  /// Releases in their order, what has no release last.
  private static func inOrder(_ slices: [Slice]) -> [Slice] {
    let releases = slices.filter { !$0.breakdown.value.hasPrefix("(") }
    return releases.sorted { ReleaseOrder.precedes($0.breakdown.value, $1.breakdown.value) }
      + slices.filter { $0.breakdown.value.hasPrefix("(") }
  }

  package static func all(_ analysis: Analysis) -> [BreakdownPanel] {
    let persons = analysis.slices.layout[.persons]
    return analysis.flow.dimensions.compactMap { dimension in
      let all = analysis.slices.slices.filter {
        $0.uncut == .all && $0.breakdown.dimension == dimension.id
          && analysis.slices.count($0, persons) > 0
      }
      guard !all.isEmpty else { return nil }
      let sorted = all.enumerated().sorted { left, right in
        let counts = (
          analysis.slices.count(left.element, persons),
          analysis.slices.count(right.element, persons)
        )
        return counts.0 != counts.1 ? counts.0 > counts.1 : left.offset < right.offset
      }.map(\.element)
      let shown = Array(sorted.prefix(maximumValues))
      return BreakdownPanel(
        dimension: dimension.id, isKnownLater: dimension.isKnownLater,
        slices: dimension.isRelease ? inOrder(shown) : shown, isRelease: dimension.isRelease,
        omitted: max(0, all.count - maximumValues))
    }
  }
}
