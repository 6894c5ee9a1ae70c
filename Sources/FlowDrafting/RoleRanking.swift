internal import ExperimentStatistics

/// Ranks the kinds of events that people have once for the parts of start, end and step, by their
/// order in people's timelines.
struct RoleRanking {
  private(set) var starts: [RoleCandidate] = []
  private(set) var ends: [RoleCandidate] = []
  private(set) var steps: [(name: String, people: Int)] = []
  /// Whether the steps are screens.
  private(set) var hasPages = false
  private(set) var skip: String?

  /// The first candidate, where it is the first for most people who have it.
  private(set) var start: String?
  /// The first candidate, where most people who have it have nothing of the onboarding after it.
  private(set) var end: String?

  private let evidence: OrderEvidence

  /// How many candidates are worth a reader's time.
  private static let maximumCandidates = 6

  /// - Parameters:
  ///   - canonical: the names of our own that occur: no candidates.
  ///   - isCanonical: whether an onboarding begins with one of them.
  ///   - chosenStart: the start that somebody has chosen, or chosen to be none.
  ///   - chosenEnd: the same of the end.
  init(
    _ evidence: OrderEvidence, canonical: Set<String>, isCanonical: Bool,
    chosenStart: String?? = nil, chosenEnd: String?? = nil
  ) {
    self.evidence = evidence
    let events = evidence.entries.filter {
      $0.kind.page == nil && FlowDraft.isName($0.kind.event) && !canonical.contains($0.kind.event)
    }
    if !isCanonical { starts = rankedStarts(events) }
    start = chosenStart ?? starts.first.flatMap { $0.share >= 0.5 ? $0.name : nil }
    let kindOfStart = start.map { EventKind(event: $0, page: nil) }
    let later = events.filter { entry in
      entry.kind != kindOfStart && !NameHint.isSkip(entry.kind.event)
        && isAfter(kindOfStart, entry)
    }
    if !canonical.contains("onboarding_completed") { ends = rankedEnds(later, kindOfStart) }
    // An app that names its events as we do would name its end so too: another is only offered.
    let likely = isCanonical ? nil : ends.first.flatMap { isOneOfTwoOutcomes($0) ? nil : $0 }
    end = chosenEnd ?? likely.flatMap { $0.share >= 0.5 && $0.score >= 0.2 ? $0.name : nil }
    findSteps(later, canonical)
    if !isCanonical { skip = skip(events) }
    if end == nil && steps.isEmpty { start = nil }
  }

  private func rankedStarts(_ events: [OrderEvidence.Entry]) -> [RoleCandidate] {
    let most = Double(evidence.entries.first?.people ?? 1)
    return ranked(
      events.filter { !NameHint.isSkip($0.kind.event) }.map { entry in
        let share = Double(entry.first) / Double(entry.people)
        let reach = (Double(entry.people) / most).squareRoot()
        return RoleCandidate(
          name: entry.kind.event, people: entry.people,
          evidence: "\(people(entry)) have it; for \(percent(share)) of them it is the first of "
            + "the events that people have once",
          score: share * reach * NameHint.start(entry.kind.event), share: share)
      }.filter { $0.share >= 0.05 })
  }

  private func rankedEnds(
    _ events: [OrderEvidence.Entry], _ start: EventKind?
  ) -> [RoleCandidate] {
    let starters = start.flatMap { kind in evidence.entries.first { $0.kind == kind } }?.people
    let all = Double(max(1, starters ?? evidence.setupPeople))
    return ranked(
      events.map { entry in
        let share = Double(entry.last) / Double(entry.people)
        // A hard onboarding has an end that few reach, so reach weighs little.
        let reach = min(1, Double(entry.people) / all).squareRoot().squareRoot()
        return RoleCandidate(
          name: entry.kind.event, people: entry.people,
          evidence: "\(people(entry)) have it; for \(percent(share)) of them no other of the "
            + "events that people have once follows",
          score: share * reach * NameHint.end(entry.kind.event), share: share)
      }.filter { $0.share >= 0.05 })
  }

  /// Whether people end with this event or, instead of it, with another: then only a name can say
  /// which of both is a success.
  private func isOneOfTwoOutcomes(_ end: RoleCandidate) -> Bool {
    NameHint.end(end.name) <= 1
      && insteadOf(end).contains { other in
        other.people * 10 >= end.people && !NameHint.isFailure(other.name)
      }
  }

  /// Other ways to finish: candidates that people have last in the place of an end, where the names
  /// of both speak of a success in the same thing, as of a sign-up by mail and one by another
  /// service.
  func otherEnds(than name: String?) -> [RoleCandidate] {
    guard let end = ends.first(where: { $0.name == name }), NameHint.end(end.name) > 1 else {
      return []
    }
    return insteadOf(end).filter { other in
      NameHint.end(other.name) > 1 && NameHint.areOfOneThing(end.name, other.name)
        && isUnlikelyByChance(end, without: other)
    }
  }

  /// Candidates after which nothing follows either, and which hardly anybody has with this one.
  private func insteadOf(_ end: RoleCandidate) -> [RoleCandidate] {
    func kind(_ candidate: RoleCandidate) -> EventKind {
      EventKind(event: candidate.name, page: nil)
    }
    guard end.share >= 0.8 else { return [] }
    return ends.filter { other in
      other.name != end.name && other.share >= 0.8
        && evidence.both(kind(end), kind(other)) * 50 <= other.people
    }
  }

  /// Whether all people of one event would hardly have missed the other if one had nothing to do
  /// with the other.
  private func isUnlikelyByChance(_ end: RoleCandidate, without other: RoleCandidate) -> Bool {
    UnlikelyAbsence.holds(
      share: Double(end.people) / Double(max(1, evidence.setupPeople)), trials: other.people)
  }

  private func ranked(_ candidates: [RoleCandidate]) -> [RoleCandidate] {
    Array(
      candidates.sorted { left, right in
        left.score != right.score ? left.score > right.score : left.name < right.name
      }.prefix(Self.maximumCandidates))
  }

  /// Whether people have an event after the start: nearly all who have both, and most who have it.
  private func isAfter(_ start: EventKind?, _ entry: OrderEvidence.Entry) -> Bool {
    guard let start else { return true }
    let isOrdered = (evidence.share(start, before: entry.kind) ?? 0) >= 0.8
    return isOrdered && evidence.both(start, entry.kind) * 2 >= entry.people
  }

  private mutating func findSteps(_ later: [OrderEvidence.Entry], _ canonical: Set<String>) {
    func kind(_ name: String?, or own: String) -> EventKind? {
      (name ?? (canonical.contains(own) ? own : nil)).map { EventKind(event: $0, page: nil) }
    }
    let ordered = evidence.ordered
    let pages = ordered.filter { $0.kind.page != nil && isPageOfOnboarding($0) }
    if !pages.isEmpty {
      hasPages = true
      steps = pages.compactMap { entry in entry.kind.page.map { ($0, entry.people) } }
      return
    }
    guard let kindOfStart = kind(start, or: "onboarding_started") else { return }
    let names = Set(later.filter { isAfter(kindOfStart, $0) }.map(\.kind))
    let known = Set(ordered.map(\.kind))
    // An end that comes days later is none of these, and all of them are before it.
    let kindOfEnd = kind(end, or: "onboarding_completed").flatMap { known.contains($0) ? $0 : nil }
    let between = ordered.filter { entry in
      guard names.contains(entry.kind), entry.kind != kindOfEnd,
        !NameHint.isFailure(entry.kind.event)
      else { return false }
      guard let kindOfEnd else { return true }
      // Who has both has it before the end; an event that nobody has with the end is none.
      return (evidence.share(entry.kind, before: kindOfEnd) ?? 0) >= 0.8
    }
    steps = between.map { ($0.kind.event, $0.people) }
  }

  /// Whether a screen belongs to it: not one before the start that only some people see.
  private func isPageOfOnboarding(_ entry: OrderEvidence.Entry) -> Bool {
    let kind = start.map { EventKind(event: $0, page: nil) }
    guard let kind, let start = evidence.entries.first(where: { $0.kind == kind }) else {
      return true
    }
    return entry.people * 5 >= start.people * 4
      || (evidence.share(kind, before: entry.kind) ?? 0) >= 0.5
  }

  /// An event that is called a skip, after which most people have nothing more of the onboarding.
  private func skip(_ events: [OrderEvidence.Entry]) -> String? {
    events.filter { NameHint.isSkip($0.kind.event) && $0.last * 2 >= $0.people }
      .max { ($0.people, $1.kind) < ($1.people, $0.kind) }?.kind.event
  }

  private func people(_ entry: OrderEvidence.Entry) -> String {
    "\(Self.grouped(entry.people)) of \(Self.grouped(evidence.peopleCount)) people"
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  /// A count with commas between thousands.
  static func grouped(_ count: Int) -> String {
    let digits = String(count)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0 && (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}
