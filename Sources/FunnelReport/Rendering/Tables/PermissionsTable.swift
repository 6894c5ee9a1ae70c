internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// `permissions.csv`: what became of each permission. The rows whose `among` is not `all` are the
/// joint table: the answers to one permission among those with one answer to another.
struct PermissionsTable {
  private let analysis: Analysis
  private var layout: CounterLayout { analysis.slices.layout }

  init(_ analysis: Analysis) { self.analysis = analysis }

  private static let rates: [(name: String, metric: MetricName)] = [
    ("opt_in", .permissionOptIn), ("acceptance", .permissionAcceptance),
    ("reach", .permissionReach), ("saw_priming", .permissionSawPriming),
    ("left_after_denial", .permissionLeftAfterDenial), ("recovered", .permissionRecovered),
  ]

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.datedColumns + ["permission", "among", "persons"] + PermissionClass.allCases.map(\.name)
        + PermissionsTable.rates.flatMap { name, _ in
          ["\(name)_n", "\(name)_of", "\(name)_rate", "\(name)_ci_low", "\(name)_ci_high"]
        })
    for slice in analysis.recordedSlices(.answers) {
      for (index, name) in analysis.flow.permissions.enumerated() {
        let classes = PermissionClass.allCases.map { count(slice, layout[$0, index]) }
        let rates = PermissionsTable.rates.flatMap {
          MetricRow.rateCells(analysis.row($0.metric, step: name, in: slice))
        }
        let persons = count(slice, layout[.persons])
        table.add(
          slice.datedCells + [.text(name), .text("all"), .count(persons)]
            + classes.map { .count($0) } + rates)
      }
      if analysis.recorded.depth(of: slice) == .everything { addJoint(slice, to: &table) }
    }
    return table
  }

  private func addJoint(_ slice: Slice, to table: inout CSVTable) {
    let names = analysis.flow.permissions
    for first in names.indices {
      for second in names.indices where second > first {
        for answer in PermissionClass.allCases {
          let among = count(slice, layout[answer, first])
          guard among > 0 else { continue }
          let answers = PermissionClass.allCases.map {
            count(slice, layout.joint(first, answer, second, $0))
          }
          table.add(
            slice.datedCells + [
              .text(names[second]), .text("\(names[first])=\(answer.name)"), .count(among),
            ] + answers.map { .count($0) })
        }
      }
    }
  }

  private func count(_ slice: Slice, _ counter: Int) -> Int {
    analysis.slices.count(slice, counter)
  }
}
