import FlowDefinition

/// How a person answered one permission (definitions 8).
struct PermissionStanding {
  static let granting = ["granted", "provisional", "ephemeral", "when_in_use", "always", "reduced"]
  static let decisive = granting + ["denied", "error", "restricted"]
  static let recovery: Int64 = 30 * ReferenceTime.day

  let attempt: Attempt
  let permission: String
  private let own: [PlacedFact]

  init(attempt: Attempt, permission: String) {
    self.attempt = attempt
    self.permission = permission
    own = attempt.timeline.filter {
      $0.isOnboarding
        && $0.fact.property("permission").flatMap {
          Spelling.name($0, among: attempt.flow.permissions)
        } == permission
    }
  }

  private func status(_ placed: PlacedFact) -> String {
    placed.fact.property("status") ?? ""
  }

  private var inWindow: [PlacedFact] {
    own.filter { $0.time >= attempt.entry && $0.time <= attempt.windowEnd }
  }

  private var results: [PlacedFact] { inWindow.filter { $0.kind == .result } }
  private var prompts: [PlacedFact] { inWindow.filter { $0.kind == .prompted } }

  private var allDecisive: [PlacedFact] {
    results.filter { Self.decisive.contains(status($0)) }
  }

  /// What counts: the first answer to a prompt, else the first decisive status.
  var decisiveResult: PlacedFact? {
    allDecisive.first(where: isPrompted) ?? allDecisive.first
  }

  var isGranted: Bool {
    decisiveResult.map { Self.granting.contains(status($0)) } ?? false
  }

  var isAlreadyDecided: Bool {
    guard let result = decisiveResult else { return false }
    return saysPrompted(result) == false || status(result) == "provisional"
  }

  private func isPrompted(_ result: PlacedFact) -> Bool {
    if status(result) == "provisional" { return false }
    return saysPrompted(result) ?? prompts.contains { $0.time <= result.time }
  }

  private func saysPrompted(_ result: PlacedFact) -> Bool? {
    result.fact.property("prompted").flatMap { Spelling.name($0, among: ["true", "false"]) }
      .map { $0 == "true" }
  }

  /// Asked: the answer is one to a prompt, or the last prompt was never answered.
  var isReached: Bool {
    if allDecisive.contains(where: isPrompted) { return true }
    let isGrantedAlready = allDecisive.contains {
      Self.granting.contains(status($0)) && status($0) != "provisional"
    }
    let isOpen = prompts.contains { prompt in allDecisive.allSatisfy { $0 < prompt } }
    return isOpen && !isGrantedAlready
  }

  var isAccepted: Bool { isReached && isGranted && decisiveResult.map(isPrompted) ?? false }

  /// One of the seven classes that add up to persons.
  var name: String {
    if isAlreadyDecided { return "already_decided" }
    guard let result = decisiveResult else {
      return results.contains { status($0) == "not_now" } ? "not_now" : "no_result"
    }
    return isGranted ? "granted" : status(result)
  }

  var leftAfterDenial: Bool {
    guard name == "denied", let result = decisiveResult, attempt.outcome == .abandoned
    else {
      return false
    }
    return result.time <= attempt.end && !attempt.onboarding.contains { $0 > result }
  }

  /// The denial that could be recovered from, whoever asked.
  var denial: PlacedFact? {
    decisiveResult.flatMap { status($0) == "denied" ? $0 : nil }
  }

  var isMatureForRecovery: Bool {
    denial.map { $0.time + Self.recovery <= attempt.horizon } ?? false
  }

  var isRecovered: Bool {
    guard let denial else { return false }
    return own.contains { placed in
      placed.kind == .result && Self.granting.contains(status(placed)) && placed > denial
        && placed.time <= denial.time + Self.recovery
    }
  }
}
