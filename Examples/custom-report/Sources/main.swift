import FirstMile

// A report of one's own: a line a step, and what the experiment did.
//
//     swift run --package-path Examples/custom-report CustomReport aiq sample-events/aiq

func percent(_ rate: Double?) -> String {
  rate.map { "\(($0 * 1000).rounded() / 10) %" } ?? "unknown"
}

let name = CommandLine.arguments.dropFirst().first ?? "aiq"
let flow = name.contains(".") ? try Flow(contentsOf: name) : try Flow(named: name)
let result = try await FunnelAnalysis(flow: flow).run(
  files: Array(CommandLine.arguments.dropFirst(2)))

print("\(flow.title): \(result.people) people, \(percent(result.completion.rate)) finish")
for step in result.steps {
  print("  \(step.title): \(step.reached) reach it, \(percent(step.dropOff.rate)) of them leave")
}
for experiment in flow.experiments {
  guard let found = result.experiment(experiment.id), found.doubts.isEmpty else {
    print("  \(experiment.id): no verdict")
    continue
  }
  for variant in found.variants where variant != found.control {
    guard let lift = found.lift(of: .completion, variant: variant) else { continue }
    let verdict = lift.verdict.map { "\($0)" } ?? "no verdict"
    print("  \(variant) against \(lift.control): \(percent(lift.lift)) (\(verdict))")
  }
}
