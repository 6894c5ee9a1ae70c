internal import FlowDefinition
internal import FunnelEngine

// What is declared and not there, and what is there and not declared.
extension Validation {
  static func pages(_ input: ValidationInput) -> [ValidationCheck] {
    let quality = input.inspection.quality
    let unknown = quality.undeclaredPages.values.reduce(0, +)
    let views = quality.viewsOfStep.reduce(0, +) + unknown + quality.ambiguousPages
    return Counted.mostFirst(quality.undeclaredPages).prefix(20).map { name, count in
      let near = NearestSpelling.of(name, among: input.flow.steps.map(\.id))
      return ValidationCheck(
        check: "undeclared_page", item: name, count: count, total: views,
        note: near.map { "is it \($0)?" } ?? "")
    } + neverSeen(input)
  }

  private static func neverSeen(_ input: ValidationInput) -> [ValidationCheck] {
    let flow = input.flow
    let inspection = input.inspection
    let steps = zip(flow.steps, inspection.quality.viewsOfStep).filter { $1 == 0 }.map(\.0)
    var checks: [ValidationCheck] = []
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
            .undeclaredVariant, item: "\(experiment.id)=\(name)", count: count, total: nil))
      }
    }
    checks.append(
      ValidationCheck(
        .namesNeverSeen, count: others.count, total: nil,
        note: "permissions, events and variants that are declared and in no event"))
    return checks + others
  }

  /// Every event by its name; those that look like onboarding events but are none are graded by
  /// ``DataChecks``.
  static func events(_ input: ValidationInput) -> [ValidationCheck] {
    let facts = input.inspection.factsOfEvent
    let canonical = OnboardingEventNames.all
    let declared = Set(canonical + input.flow.eventPatterns.map(\.event) + input.flow.notActivity)
    let others = Counted.mostFirst(facts).filter { name, _ in
      !declared.contains(name) && OnboardingEventNames.meant(by: name) == nil
    }
    return canonical.map { ValidationCheck(check: "event", item: $0, count: facts[$0] ?? 0) }
      + others.prefix(20).map { name, count in
        ValidationCheck(
          check: "undeclared_event", item: name, count: count, note: "counts as activity")
      }
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
