import FirstMile

// A program that has its events in memory, as a server has them: it feeds them and writes a report.
//
//     swift run --package-path Examples/events-from-memory EventsFromMemory reports/signup

let flow = Flow("signup", title: "Sign-up", window: .days(1)) {
  Step("welcome", title: "Welcome")
  Step("account", title: "Your account")
  Step("notifications", title: "Stay informed", asks: ["notifications"])
  Goal("first_project", title: "First project", event: "project_created", within: .days(7))
  RetentionMeasure(day: 1)
  RetentionMeasure(day: 7)
  Experiment("copy", control: "short", split: ["short": 0.5, "long": 0.5])
}

/// Stands for what a server receives: 200 people, one after the other.
let events = AsyncStream<OnboardingEvent> { continuation in
  for person in 0..<200 {
    let variant = person % 2 == 0 ? "short" : "long"
    func send(_ action: OnboardingAction, after minutes: Int) {
      let start: Int64 = 1_767_225_600_000 + Int64(person) * 3_600_000
      continuation.yield(
        OnboardingEvent(
          action, at: EventTime(milliseconds: start + Int64(minutes) * 60_000),
          userID: "user-\(person)", flow: flow.id, experiments: ["copy": variant]))
    }
    send(.started, after: 0)
    send(.pageViewed("welcome"), after: 0)
    if person % 7 == 0 { continue }
    send(.pageViewed("account"), after: 1)
    if person % 5 == 0 && variant == "long" { continue }
    send(.pageViewed("notifications"), after: 2)
    send(.permissionResult("notifications", person % 3 == 0 ? .denied : .granted), after: 3)
    send(.completed(), after: 3)
    if person % 4 == 0 { send(OnboardingAction("project_created"), after: 300) }
    send(OnboardingAction("app_opened"), after: 60 * 24 * 9)
  }
  continuation.finish()
}

let result = try await FunnelAnalysis(flow: flow).run(events: events)
let folder = CommandLine.arguments.dropFirst().first ?? "reports/signup"
try result.write([.html, .csv], to: folder)
print(
  "\(result.entered) people, completion \(result.completion.rate ?? 0): see \(folder)/report.html")
