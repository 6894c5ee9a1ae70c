internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

// What is declared and not there, and what is there and not declared.
extension Validation {
  package static func pages(_ input: ValidationInput) -> [ValidationCheck] {
    let quality = input.inspection.quality
    return Counted.mostFirst(quality.undeclaredPages).prefix(20).map { name, count in
      let near = NearestSpelling.of(name, among: input.flow.steps.map(\.id))
      return ValidationCheck(
        check: "undeclared_page", item: name, count: count, total: quality.viewsOfPages,
        note: near.map { "is it \($0)?" } ?? "")
    } + neverSeen(input)
  }

  private static func neverSeen(_ input: ValidationInput) -> [ValidationCheck] {
    let match = FlowMatch(input.flow, input.inspection)
    func neverSeen(_ found: [FlowMatch.Difference]) -> [ValidationCheck] {
      found.map { ValidationCheck(check: "never_seen", item: "\($0.what) \($0.name)", count: 0) }
    }
    // An app may leave a dimension out of its events: all are in `(none)`, and nothing is wrong.
    let others = match.missing.filter { !["step", "dimension", "not_activity"].contains($0.what) }
    return neverSeen(match.missing.filter { $0.what == "step" })
      + match.undeclared.filter { $0.what == "variant" }.map {
        ValidationCheck(.undeclaredVariant, item: $0.name, count: $0.count, total: nil)
      }
      + [
        ValidationCheck(
          .namesNeverSeen, count: others.count, total: nil,
          note: "permissions, events and variants that are declared and in no event")
      ] + neverSeen(others)
  }

  /// Every event by its name; those that look like onboarding events but are none are graded by
  /// ``DataChecks``.
  package static func events(_ input: ValidationInput) -> [ValidationCheck] {
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

  package static func versions(_ input: ValidationInput) -> [ValidationCheck] {
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
