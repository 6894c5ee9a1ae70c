internal import FlowDefinition
package import FunnelEngine
package import FunnelMetrics

/// Finds the persons that a failed check is about: those who should have and did not, or did and
/// should not have.
package struct ExampleFilter {
  private let definition: RateDefinition
  private let slice: Slice
  private let wantsMet: Bool

  /// `nil` for a check whose number is no rate of persons.
  package init?(_ check: GateCheck, _ report: Report) {
    let analysis = report.analysis
    let definitions = RateDefinition.all(analysis.flow, analysis.slices.layout)
    guard
      let definition = definitions.first(where: {
        $0.metric == check.metric && $0.step == check.step
      })
    else { return nil }
    self.definition = definition
    slice = check.slice
    switch check.rule.demand {
    case .atLeast: wantsMet = false
    case .atMost: wantsMet = true
    case .notWorse: wantsMet = check.rule.better == .lower
    }
  }

  /// Whether the person of this tally is an example.
  package func includes(_ tally: Tally, _ report: Report) -> Bool {
    let table = SliceTable(tally, report.analysis.flow)
    guard table.count(slice, definition.denominator) > 0 else { return false }
    let isMet = definition.numerators.contains { table.count(slice, $0) > 0 }
    return isMet == wantsMet
  }
}
