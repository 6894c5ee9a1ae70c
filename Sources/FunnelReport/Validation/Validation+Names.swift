internal import FlowDefinition
internal import FunnelEngine

// What is declared and not there, and what is there and not declared.
extension Validation {
  static func pages(_ input: ValidationInput) -> [ValidationCheck] {
    let quality = input.inspection.quality
    let known = quality.viewsOfStep.reduce(0, +)
    let unknown = quality.undeclaredPages.values.reduce(0, +)
    let views = known + unknown + quality.ambiguousPages
    func share(_ count: Int) -> Double { views == 0 ? 0 : Double(count) / Double(views) }
    var checks = [
      ValidationCheck(
        check: "undeclared_pages", count: unknown, total: views,
        grade: .of(share(unknown), b: 0.002, c: 0.05, d: 0.3),
        note: "views of pages the flow does not declare")
    ]
    for (name, count) in Counted.mostFirst(quality.undeclaredPages).prefix(20) {
      let near = NearestSpelling.of(name, among: input.flow.steps.map(\.id))
      checks.append(
        ValidationCheck(
          check: "undeclared_page", item: name, count: count, total: views,
          note: near.map { "is it \($0)?" } ?? ""))
    }
    checks.append(
      ValidationCheck(
        check: "ambiguous_pages", count: quality.ambiguousPages, total: views,
        grade: .of(share(quality.ambiguousPages), b: 0.005, c: 0.05, d: 0.3),
        note: "a number that fits several lists: no step"))
    checks.append(
      ValidationCheck(
        check: "page_conflicts", count: quality.pageConflicts, total: views,
        grade: .of(share(quality.pageConflicts), b: 0.005, c: 0.05, d: 0.3),
        note: "name and number disagree: the name wins; check counts_from"))
    checks.append(
      ValidationCheck(
        check: "undeclared_permissions", count: quality.undeclaredPermissions,
        grade: quality.undeclaredPermissions > 0 ? .b : .a,
        note: "prompts and answers for permissions the flow does not declare"))
    return checks + neverSeen(input) + unmeasured(input)
  }

  /// What a report of this data can't know, by the same rule (definitions 15).
  private static func unmeasured(_ input: ValidationInput) -> [ValidationCheck] {
    let quality = input.inspection.quality
    var missing: [String] = []
    if quality.onboardingFacts > 0 {
      if quality.completions == 0 { missing.append("onboarding_completed") }
      if quality.pageViews == 0 { missing.append("onboarding_page_viewed") }
      for (experiment, counts) in zip(input.flow.experiments, input.inspection.factsOfVariant)
      where counts.isEmpty { missing.append("a variant of \(experiment.id)") }
    }
    return missing.map {
      ValidationCheck(
        check: "not_measured", item: $0, count: 0, grade: .d,
        note: "in no event: what rests on it is unknown, not 0")
    }
  }

  private static func neverSeen(_ input: ValidationInput) -> [ValidationCheck] {
    let flow = input.flow
    let inspection = input.inspection
    let steps = zip(flow.steps, inspection.quality.viewsOfStep).filter { $1 == 0 }.map(\.0)
    let mandatory = steps.filter { !$0.isOptional && $0.branchOf == nil }
    var checks = [
      ValidationCheck(
        check: "steps_never_seen", count: steps.count, total: flow.steps.count,
        grade: mandatory.isEmpty
          ? steps.isEmpty ? .a : .b : mandatory.count * 2 > flow.steps.count ? .d : .c,
        note: "declared, and in no event: renamed, or not sent?")
    ]
    func missing(_ what: String, _ name: String) -> ValidationCheck {
      ValidationCheck(check: "never_seen", item: "\(what) \(name)", count: 0)
    }
    checks += steps.map { missing("step", $0.id) }
    var others: [ValidationCheck] = []
    for (permission, count) in zip(flow.permissions, inspection.factsOfPermission) where count == 0
    {
      others.append(missing("permission", permission))
    }
    for (pattern, count) in zip(flow.eventPatterns, inspection.factsOfPattern) where count == 0 {
      let conditions = pattern.conditions.map {
        "\($0.property)=\($0.values.joined(separator: "|"))"
      }
      let text = ([pattern.event] + conditions).joined(separator: " ")
      let check = missing("event", text)
      if !others.contains(check) { others.append(check) }
    }
    for (experiment, counts) in zip(flow.experiments, inspection.factsOfVariant) {
      for variant in experiment.variants where counts[variant.id] == nil {
        others.append(missing("variant", "\(experiment.id)=\(variant.id)"))
      }
      let declared = Set(experiment.variants.map(\.id))
      for (name, count) in Counted.mostFirst(counts) where !declared.contains(name) {
        checks.append(
          ValidationCheck(
            check: "undeclared_variant", item: "\(experiment.id)=\(name)", count: count, grade: .b))
      }
    }
    checks.append(
      ValidationCheck(
        check: "names_never_seen", count: others.count, grade: others.isEmpty ? .a : .b,
        note: "permissions, events and variants that are declared and in no event"))
    return checks + others
  }

  /// Names of events that look like onboarding events but are none.
  static func events(_ input: ValidationInput) -> [ValidationCheck] {
    let facts = input.inspection.factsOfEvent
    let canonical = [
      "onboarding_started", "permission_prompted", "onboarding_page_viewed",
      "onboarding_step_skipped", "permission_result", "onboarding_skipped",
      "onboarding_completed",
    ]
    let declared = Set(canonical + input.flow.eventPatterns.map(\.event) + input.flow.notActivity)
    var checks = canonical.map {
      ValidationCheck(check: "event", item: $0, count: facts[$0] ?? 0)
    }
    var unknown: [ValidationCheck] = []
    for (name, count) in Counted.mostFirst(facts) where !declared.contains(name) {
      let near = NearestSpelling.of(name.lowercased(), among: canonical)
      let looksLike =
        near ?? (name.lowercased().contains("onboarding") ? "an onboarding event" : nil)
      unknown.append(
        ValidationCheck(
          check: "undeclared_event", item: name, count: count, grade: looksLike == nil ? nil : .c,
          note: looksLike.map { "is it \($0)? map it with events:" } ?? "counts as activity"))
    }
    checks += unknown.filter { $0.grade != nil }
    return checks + unknown.filter { $0.grade == nil }.prefix(20)
  }

  static func versions(_ input: ValidationInput) -> [ValidationCheck] {
    let byVersion = input.inspection.byAppVersion
    return ByteOrder.sorted(byVersion.keys).flatMap { version -> [ValidationCheck] in
      guard let checks = byVersion[version], checks.withOnboarding > 0 else { return [] }
      let total = checks.withOnboarding
      return [
        ("version_orphans", checks.orphans),
        ("version_starts_without_views", checks.startsWithoutViews),
        ("version_completions_without_starts", checks.completionsWithoutStarts),
        ("version_impossible_orders", checks.impossibleOrders),
      ].map { ValidationCheck(check: $0.0, item: version, count: $0.1, total: total) }
    }
  }
}

/// Names with counts, in a fixed order.
enum Counted {
  /// The largest count first; of equals by the bytes of the names.
  static func mostFirst(_ counts: [String: Int]) -> [(String, Int)] {
    ByteOrder.sorted(counts.keys).map { ($0, counts[$0] ?? 0) }.enumerated().sorted {
      $0.element.1 != $1.element.1 ? $0.element.1 > $1.element.1 : $0.offset < $1.offset
    }.map(\.element)
  }
}
