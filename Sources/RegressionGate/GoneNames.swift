internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What the data have that may be a number's event by another name: events and pages that the flow
/// does not declare.
struct GoneNames {
  /// `nil` where the data have nothing of the kind.
  let sentence: String?

  private static let most = 3

  init(_ root: GoneNumber.Root, _ analysis: Analysis) {
    let flow = analysis.flow
    let quality = analysis.tally.quality
    let declared = Set(
      flow.eventPatterns.map(\.event) + flow.notActivity + flow.eventNames.map(\.to))
    let events = ByteOrder.sorted(quality.eventNames).filter { !declared.contains($0) }
    func like(_ words: [String], but own: [String]) -> [String] {
      events.filter { name in
        !own.contains(name) && words.contains { name.lowercased().contains($0) }
      }
    }
    func near(_ event: String?) -> [String] {
      guard let event else { return [] }
      let nearest = NearestName.of(event, among: events)
      return events.filter { $0 == nearest || $0.contains(event) || event.contains($0) }
    }
    let lasts = Set(flow.lists.compactMap(\.last).map { flow.steps[$0].id })
    let isOfLast = root.metric == .stepConversion && lasts.contains(root.step)
    // Whether people went on from the last step is what a completion says.
    switch isOfLast ? .completionRate : root.metric {
    case .completionRate, .timeToComplete.numberOfValues, .stepCompletion:
      // Where no name says it, events that many people's attempts end with.
      let persons = analysis.row(.persons)?.numerator ?? 0
      let last = Counted.mostFirst(quality.lastEvents).filter {
        $0.1 * 10 >= persons && !declared.contains($0.0)
      }.map(\.0)
      let named = like(["complet", "finish", "done"], but: ["onboarding_completed"])
      sentence = Self.words("event", named.isEmpty ? last : named)
    case .stepReach, .stepConversion, .timeOnStep.numberOfValues, .timeToMoveOn.numberOfValues:
      let pages = Counted.mostFirst(quality.undeclaredPages).map(\.0)
      let nearest = NearestName.of(root.step, among: pages)
      sentence = Self.words(
        "page", pages.filter { $0 == nearest } + pages.filter { $0 != nearest })
    case .skipRate, .usedSkipRate:
      sentence = Self.words(
        "event", like(["skip"], but: ["onboarding_skipped", "onboarding_step_skipped"]))
    case .permissionOptIn, .permissionReach, .permissionAcceptance:
      let others = Counted.mostFirst(quality.undeclaredPermissionNames).map(\.0)
      let named = like(
        ["permission", "consent", "authoriz"], but: ["permission_result", "permission_prompted"])
      sentence =
        others.isEmpty ? Self.words("event", named) : Self.words("permission", others)
    default:
      sentence = Self.words("event", near(Self.event(of: root, flow)))
    }
  }

  /// The event of a goal, a friction, a funnel's step or a measure of retention.
  private static func event(of root: GoneNumber.Root, _ flow: Flow) -> String? {
    let parts = root.step.split(separator: ":").map(String.init)
    let id = parts.first ?? root.step
    switch root.metric {
    case .goalRate, .goalRateOverall, .timeToGoal.numberOfValues:
      return flow.goals.first { $0.id == id }?.pattern.event
    case .frictionRate:
      return flow.friction.first { $0.id == id }?.pattern.event
    case .funnelStep:
      let number = parts.last.flatMap { Int($0) } ?? 0
      guard let funnel = flow.funnels.first(where: { $0.id == id }),
        funnel.steps.indices.contains(number - 1)
      else { return nil }
      return funnel.steps[number - 1].anyOf.first?.event
    default:
      return flow.retention.first {
        let own = MetricName.retention($0)
        return root.metric == own || root.metric == own.overall
      }?.pattern?.event
    }
  }

  private static func words(_ kind: String, _ names: [String]) -> String? {
    let shown = names.prefix(most).map { "'\(SafeText.name($0, limit: 40))'" }
    if shown.isEmpty { return nil }
    return "The data have the \(kind)\(shown.count == 1 ? "" : "s") "
      + "\(shown.joined(separator: ", ")), which the flow does not declare."
  }
}
