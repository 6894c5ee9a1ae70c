public import FlowDefinition
public import FunnelEngine
internal import ReportText

/// Compares the names in a flow file with those in a dump.
public struct FlowMatch: Sendable {
  /// A name on one side only.
  package struct Difference: Hashable {
    package var what: String
    package var name: String
    /// How often events have it; 0 for names that only the flow has.
    package var count = 0
    /// The name of the other side that was probably meant.
    package var near: String?
  }

  /// What the flow declares and no event has: steps, permissions, events with their conditions,
  /// variants, dimensions.
  package private(set) var missing: [Difference] = []
  /// Events that every onboarding needs, and no event of the dump is.
  private(set) var missingOnboarding: [Difference] = []
  /// Names in events that the flow doesn't have, most frequent first.
  package private(set) var undeclared: [Difference] = []

  /// Whether the events have every name of the flow.
  public var isComplete: Bool { missing.isEmpty && missingOnboarding.isEmpty }

  /// How many of each kind are listed.
  private static let maximumListed = 20

  /// Compares a flow with what was found in its events.
  public init(_ flow: Flow, _ inspection: DataInspection) {
    pages(flow, inspection)
    for (permission, count) in zip(flow.permissions, inspection.factsOfPermission) where count == 0
    {
      missing.append(Difference(what: "permission", name: permission))
    }
    events(flow, inspection)
    let marks = zip(flow.leaveOut.marks, inspection.quality.askedByMark)
    missing += marks.filter { $1 == 0 }.map {
      Difference(what: "leave_out", name: $0.0.described)
    }
    variants(flow, inspection)
    for (dimension, count) in zip(flow.dimensions, inspection.factsOfDimension) where count == 0 {
      missing.append(Difference(what: "dimension", name: dimension.path))
    }
    for unknown in UnknownValues.all(inspection.quality, of: flow) {
      undeclared += Counted.mostFirst(unknown.names).prefix(Self.maximumListed).map { name, count in
        Difference(
          what: unknown.field, name: name, count: count,
          near: QualityCounts.meaning(of: name, in: unknown.field))
      }
    }
  }

  private mutating func pages(_ flow: Flow, _ inspection: DataInspection) {
    let pages = inspection.quality.undeclaredPages
    let names = ByteOrder.sorted(pages.keys)
    let unseen = zip(flow.steps, inspection.quality.viewsOfStep).filter { $1 == 0 }.map(\.0.id)
    let sent = flow.fields.first { $0.field == "page_name" }?.values ?? []
    let events = ByteOrder.sorted(inspection.factsOfEvent.keys)
    missing += unseen.map { step in
      // Where each screen is an event of its own, the name that was meant is another event's.
      let own = sent.first { $0.to == step }?.from
      let near =
        NearestName.of(step, among: names)
        ?? own.flatMap { NearestName.of($0, among: names + events) }
      return Difference(what: "step", name: step, near: near)
    }
    undeclared += Counted.mostFirst(pages).prefix(Self.maximumListed).map { name, count in
      Difference(
        what: "page", name: name, count: count, near: NearestName.of(name, among: unseen))
    }
  }

  private mutating func events(_ flow: Flow, _ inspection: DataInspection) {
    let facts = inspection.factsOfEvent
    let declared = Set(
      OnboardingEventNames.all + flow.eventPatterns.map(\.event) + flow.notActivity)
    let others = Counted.mostFirst(facts).filter { !declared.contains($0.0) }
    let names = ByteOrder.sorted(others.map(\.0))
    func missingEvent(_ event: String, conditions: String = "") -> Difference {
      let near = (facts[event] ?? 0) == 0 ? NearestName.of(event, among: names) : nil
      return Difference(what: "event", name: event + conditions, near: near)
    }
    for (pattern, count) in zip(flow.eventPatterns, inspection.factsOfPattern) where count == 0 {
      let conditions = pattern.conditions.map {
        " \($0.property)=\($0.values.joined(separator: "|"))"
      }
      let found = missingEvent(pattern.event, conditions: conditions.joined())
      if !missing.contains(found) { missing.append(found) }
    }
    // One that nobody sends does no harm, unless it is meant to be another's that counts.
    for name in flow.notActivity where (facts[name] ?? 0) == 0 {
      guard let near = names.first(where: { NearestSpelling.isSlip(name, of: $0) }) else {
        continue
      }
      missing.append(Difference(what: "not_activity", name: name, near: near))
    }
    // None of the names that `events` replaces by this one was sent.
    let replaced = flow.eventNames.filter { (facts[$0.to] ?? 0) == 0 }
    for name in replaced {
      let found = Difference(
        what: "event", name: name.from,
        near: NearestName.of(name.from, among: names.filter { $0 != name.from }))
      if !missing.contains(found) { missing.append(found) }
    }
    missingOnboarding = ["onboarding_page_viewed", "onboarding_completed"]
      .filter { event in
        (facts[event] ?? 0) == 0 && !replaced.contains { $0.to == event }
      }.map { missingEvent($0) }
    let absent =
      flow.eventPatterns.map(\.event).filter { (facts[$0] ?? 0) == 0 }
      + missingOnboarding.map(\.name) + replaced.map(\.from)
    undeclared += others.prefix(Self.maximumListed).map { name, count in
      Difference(
        what: "event", name: name, count: count, near: NearestName.of(name, among: absent))
    }
  }

  private mutating func variants(_ flow: Flow, _ inspection: DataInspection) {
    for (experiment, counts) in zip(flow.experiments, inspection.factsOfVariant) {
      let declared = experiment.variants.map(\.id)
      for variant in declared where counts[variant] == nil {
        missing.append(Difference(what: "variant", name: "\(experiment.id)=\(variant)"))
      }
      for (name, count) in Counted.mostFirst(counts) where !declared.contains(name) {
        undeclared.append(
          Difference(what: "variant", name: "\(experiment.id)=\(name)", count: count))
      }
    }
  }

  /// Two lists, or one line where nothing is missing.
  public var text: String {
    var lines: [String] = []
    if isComplete {
      lines.append(
        "every step, event, permission, variant and dimension of the flow is in the dumps")
    } else {
      lines.append("in the flow, and in no event of the dumps:")
      lines += (missing + missingOnboarding).map { line($0, "") }
    }
    if !undeclared.isEmpty {
      lines.append("in the dumps, and not in the flow:")
      lines += undeclared.map { line($0, "  \(CountText.of($0.count, "time"))") }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ difference: Difference, _ count: String) -> String {
    let near = difference.near.map { "  is it '\(SafeText.name($0, limit: 60))'?" } ?? ""
    return "  \(difference.what) \(SafeText.name(difference.name, limit: 60))\(count)\(near)"
  }
}
