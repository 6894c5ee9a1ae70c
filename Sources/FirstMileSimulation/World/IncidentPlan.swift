import FlowDefinition

extension Incident.Damage {
  /// Whether the flow has what is damaged.
  fileprivate func isIn(_ flow: Flow, _ table: TemplateTable) -> Bool {
    switch self {
    case .leaving(let step, _), .lostViews(let step): flow.stepIndex(step) != nil
    case .missingProperty(let event, _): table.templates.contains { $0.event == event }
    }
  }
}

/// What goes wrong on some days, resolved to steps, templates and times.
struct IncidentPlan: Sendable {
  private struct Span: Sendable {
    var appVersion: UInt8
    var from: Int64
    var to: Int64

    func holds(_ time: Int64, _ code: UInt8) -> Bool {
      code == appVersion && time >= from && time < to
    }
  }

  private(set) var truth: [IncidentTruth] = []
  private var leaving: [(span: Span, step: Int, odds: Double)] = []
  private var lostViews: [(span: Span, step: Int)] = []
  /// By template: the one without the property.
  private var missing: [(span: Span, instead: [Int: Int])] = []

  init(
    _ flow: Flow, _ profile: Profile, _ context: ContextModel, _ table: inout TemplateTable,
    start: Int64
  ) {
    let versions = profile.dayHabits.releases.map(\.appVersion)
    for incident in profile.dayHabits.incidents {
      guard let code = versions.firstIndex(of: incident.appVersion), context.hasReleases else {
        continue
      }
      let from = start + Int64(incident.firstDay) * World.day
      let span = Span(
        appVersion: UInt8(truncatingIfNeeded: code), from: from,
        to: from + Int64(incident.days) * World.day)
      guard incident.damage.isIn(flow, table) else { continue }
      let (kind, subject) = incident.damage.inWords
      truth.append(
        IncidentTruth(
          kind: kind, of: subject, appVersion: incident.appVersion, fromMilliseconds: span.from,
          toMilliseconds: span.to))
      switch incident.damage {
      case .leaving(let step, let odds):
        if let step = flow.stepIndex(step) { leaving.append((span, step, odds)) }
      case .lostViews(let step):
        if let step = flow.stepIndex(step) { lostViews.append((span, step)) }
      case .missingProperty(let event, let property):
        var instead: [Int: Int] = [:]
        for (index, template) in table.templates.enumerated() where template.event == event {
          var bare = template
          bare.properties.removeAll { $0.name == property }
          if bare != template { instead[index] = table.index(of: bare) }
        }
        missing.append((span, instead))
      }
    }
  }

  func oddsOfLeaving(_ step: Int, at time: Int64, _ appVersion: UInt8) -> Double {
    var odds = 1.0
    for incident in leaving where incident.step == step && incident.span.holds(time, appVersion) {
      odds *= incident.odds
    }
    return odds
  }

  /// Whether a view is never sent. The first page's always is: it may be the entry.
  func losesView(_ step: Int, position: Int, at time: Int64, _ appVersion: UInt8) -> Bool {
    guard position > 0 else { return false }
    return lostViews.contains { $0.step == step && $0.span.holds(time, appVersion) }
  }

  /// The template that is sent in place of another.
  func sent(_ template: Int, at time: Int64, _ appVersion: UInt8) -> Int {
    for incident in missing where incident.span.holds(time, appVersion) {
      if let instead = incident.instead[template] { return instead }
    }
    return template
  }
}
