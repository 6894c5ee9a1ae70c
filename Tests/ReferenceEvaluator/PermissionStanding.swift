import FlowDefinition

/// How a person answered one permission (definitions 8).
struct PermissionStanding {
  static let granting = ["granted", "provisional", "ephemeral", "when_in_use", "always", "reduced"]
  static let decisive = granting + ["denied", "error", "restricted"]
  static let recovery: Int64 = 30 * ReferenceTime.day

  let attempt: Attempt
  let permission: String

  private func status(_ placed: PlacedFact) -> String {
    placed.fact.property("status") ?? ""
  }

  private var own: [PlacedFact] {
    attempt.timeline.filter { $0.isOnboarding && $0.fact.property("permission") == permission }
  }

  private var inWindow: [PlacedFact] {
    own.filter { $0.time >= attempt.entry && $0.time <= attempt.windowEnd }
  }

  private var results: [PlacedFact] { inWindow.filter { $0.kind == .result } }
  private var prompts: [PlacedFact] { inWindow.filter { $0.kind == .prompted } }

  var firstDecisive: PlacedFact? {
    results.first { Self.decisive.contains(status($0)) }
  }

  var isGranted: Bool {
    firstDecisive.map { Self.granting.contains(status($0)) } ?? false
  }

  var isAlreadyDecided: Bool {
    guard let first = firstDecisive else { return false }
    return first.fact.property("prompted") == "false" || status(first) == "provisional"
  }

  var isReached: Bool {
    guard let first = firstDecisive else { return !prompts.isEmpty }
    if status(first) == "provisional" { return false }
    switch first.fact.property("prompted") {
    case "true": return true
    case "false": return false
    default: return prompts.contains { $0.time <= first.time }
    }
  }

  /// One of the seven classes that add up to persons.
  var name: String {
    if isAlreadyDecided { return "already_decided" }
    guard let first = firstDecisive else {
      return results.contains { status($0) == "not_now" } ? "not_now" : "no_result"
    }
    return isGranted ? "granted" : status(first)
  }

  var leftAfterDenial: Bool {
    guard name == "denied", let first = firstDecisive, attempt.outcome == .abandoned else {
      return false
    }
    return first.time <= attempt.end && !attempt.onboarding.contains { $0 > first }
  }

  /// The denial that could be recovered from, whoever asked.
  var denial: PlacedFact? {
    firstDecisive.flatMap { status($0) == "denied" ? $0 : nil }
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
