import FirstMile

// A plain funnel over a dump: how many people get from each event to the next?
//
//     swift run --package-path Examples/funnel-from-a-dump FunnelFromADump sample-events/aiq

let dumps = Array(CommandLine.arguments.dropFirst())
let flow = Flow("from_the_test_on") {
  CustomFunnel(
    "first_test", within: .days(7),
    "onboarding_started",
    EventPattern("test_started", where: ["test": "baseline"]),
    EventPattern("test_completed", where: ["test": "baseline"]))
}

let result = try await FunnelAnalysis(flow: flow).run(files: dumps)
let reached = result.funnel("first_test")?.reached ?? []
for (step, people) in zip(["started", "began a test", "completed it"], reached) {
  print("\(step): \(people)")
}
