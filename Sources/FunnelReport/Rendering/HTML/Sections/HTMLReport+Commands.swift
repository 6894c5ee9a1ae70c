internal import FlowDefinition
internal import FunnelMetrics

/// Commands that lead from the page to people.
extension HTMLReport {
  /// Repeats the options of the run that chose people, so that commands find these people.
  var dataOptions: [String] {
    let options = report.provenance.options
    let chosen = [
      ("as_of", "--as-of"), ("from", "--from"), ("to", "--to"), ("history_from", "--history-from"),
    ].flatMap { name, option in options[name].map { [option, $0] } ?? [] }
    return ["dumps/", "--flow", flow.id] + chosen
  }

  /// Writes the private list of everyone.
  var peopleCommand: [String] {
    ["firstmile", "report"] + dataOptions + ["--people", "people.csv"]
  }
}
