import EventInput
import FlowDefinition
import FunnelMetrics
import RegressionGate
import ReportText

/// The command lines that lead on from a check: to reproduce it, to see its people, and to accept
/// the new level.
struct CheckInvocation {
  let command: CheckCommand
  let gate: Gate

  func commands(after result: GateResult) -> [GateCommand] {
    let failed = result.checks.filter { $0.verdict == .fail && !$0.isSuppressed }
    if failed.isEmpty { return [] }
    let horizon = command.input.asOf ?? result.horizonMilliseconds.map(Moment.text)
    let same = judging(asOf: horizon)
    var commands = [
      GateCommand(.reproduce, text(same)),
      GateCommand(.explain, explain(failed, same, horizon)),
    ]
    // The level of days whose events are lost, or have not come yet, is none to accept.
    if gate.rules.contains(where: {
      if case .notWorse(.baseline, _) = $0.demand { true } else { false }
    }),
      command.against.isEmpty, !result.hasGone, !result.lacksDays
    {
      commands.append(GateCommand(.accept, text(accepting(result, horizon))))
    }
    return commands
  }

  private func explain(
    _ failed: [GateCheck], _ same: [String], _ horizon: String?
  ) -> String {
    guard let person = failed.lazy.compactMap(\.examples.first).first else {
      return text(same + ["--examples", "3"])
    }
    return text(["explain", person] + data(asOf: horizon))
  }

  private func judging(asOf: String?) -> [String] {
    var words = ["check"] + data(asOf: asOf) + dates
    words += option("--gate", command.gate)
    words += option("--baseline", command.baseline)
    words += command.against.flatMap { ["--against", $0] }
    words += option("--period", command.period)
    words += option("--history", command.history.map(String.init))
    words += option("--accepted", command.accepted)
    words += option("--today", command.today)
    if command.maxRejectRate.fraction != 0.01 {
      words += ["--max-reject-rate", "\(command.maxRejectRate.fraction)"]
    }
    return words
  }

  private func accepting(_ result: GateResult, _ horizon: String?) -> [String] {
    var words = ["check"] + data(asOf: horizon)
    words += option("--gate", command.gate)
    let place = command.baseline ?? (gate.baseline == nil ? "baseline.json" : nil)
    words += option("--baseline", place)
    words += result.judged.map { ["--period", $0.text] } ?? dates
    return words + ["--accept"]
  }

  private var dates: [String] {
    option("--from", command.input.from) + option("--to", command.input.to)
      + option("--history-from", command.input.historyFrom)
  }

  /// What is read, and how.
  private func data(asOf: String?) -> [String] {
    let input = command.input
    var words = input.inputs
    words += option("--store", input.store)
    words += input.flows.flatMap { ["--flow", $0] }
    words += option("--format", input.format?.rawValue)
    words += option("--key-file", input.keyFile)
    words += option("--endpoint-url", input.remote.endpointUrl)
    if input.remote.noSignRequest { words.append("--no-sign-request") }
    if input.missingAsNone { words.append("--missing-as-none") }
    return words + option("--as-of", asOf)
  }

  private func option(_ name: String, _ value: String?) -> [String] {
    value.map { [name, $0] } ?? []
  }

  private func text(_ words: [String]) -> String {
    (["firstmile"] + words).map(ShellText.word).joined(separator: " ")
  }
}
