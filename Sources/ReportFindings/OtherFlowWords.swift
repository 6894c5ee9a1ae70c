internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// People who abandon the flow and have the end of another one that they never started: what the
/// flow's name is read from may be a property of the app's own (definitions 16).
package struct OtherFlowWords {
  /// How many people's attempts they are.
  package let people: Int
  private let names: [String]
  private let flow: String

  package init(_ analysis: Analysis) {
    let counts = analysis.tally.quality.endsOfOtherFlows
    people = counts.values.reduce(0, +)
    names = Counted.mostFirst(counts).map(\.0)
    flow = analysis.flow.id
  }

  package var note: String {
    "abandoned, with a completion of a flow that they never started: \(named)"
  }

  /// `48 people abandon this flow and complete another one that they never started: sso.`
  package var claim: String {
    "\(ReportWords.people(people)) \(people == 1 ? "abandons" : "abandon") this flow and "
      + "\(people == 1 ? "completes" : "complete") another one that they never started: \(named)."
  }

  package var advice: String {
    "Is 'flow' a property of the app's own? With 'fields: {flow: {constant: "
      + "\(SafeText.name(flow, limit: 40))}}' in the flow file all events are of this flow."
  }

  private var named: String {
    let known = names.prefix(3).map { "“\(SafeText.name($0, limit: 40))”" }
    let rest = names.count > 3 ? ["\(names.count - 3) more"] : []
    return (known + rest).listed
  }
}
