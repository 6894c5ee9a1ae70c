import FlowDefinition

/// What one person of a random dump tends to be, and the events they send.
struct PersonDraft {
  enum Kind: CaseIterable {
    case started, viewed, stepSkipped, skipped, completed, prompted, result, activity, foreign
  }
  static let onboarding: Set<String> = [
    "onboarding_started", "onboarding_page_viewed", "onboarding_step_skipped",
    "onboarding_skipped", "onboarding_completed", "permission_prompted", "permission_result",
  ]

  private let flow: Flow
  private let users: [String]
  private let devices: [String]
  private let version: String?
  private let variants: [String: String]
  private let patterns: [EventPattern]
  /// The ids of the steps that the person should see.
  private let list: [String]
  /// In a hundred events, how many have both ids, and how many a user alone.
  private let idShares: (both: Int, user: Int)

  init(
    person: Int, of persons: Int, kioskShare: Int, flow: Flow, generator: inout SeededGenerator
  ) {
    self.flow = flow
    var users = ["\(person + 1)"]
    if generator.chance(6) { users.append("\(generator.below(persons) + 1)") }
    self.users = users
    var devices = ["d\(person)"]
    if generator.chance(20) { devices.append("d\(person)b") }
    if generator.chance(15) { devices.append("d\(generator.below(persons))") }
    if generator.chance(kioskShare) { devices.append("kiosk") }
    self.devices = devices
    let versions = flow.versions.map(\.name) + [flow.newestVersion ?? "1", "9"]
    version = generator.chance(80) ? generator.pick(versions, or: "1") : nil
    var variants: [String: String] = [:]
    for experiment in flow.experiments where generator.chance(85) {
      let ids = experiment.variants.map(\.id)
      variants[experiment.id] = generator.chance(5) ? "Z" : generator.pick(ids, or: "Z")
    }
    self.variants = variants
    list = PageReader(flow: flow).list(version: version, variants: variants)
      .map { flow.steps[$0].id }
    idShares = generator.pick([(80, 10), (80, 10), (30, 5), (40, 30)], or: (50, 25))
    var patterns = flow.goals.map(\.pattern) + flow.friction.map(\.pattern)
    patterns += flow.funnels.flatMap { $0.steps.flatMap(\.anyOf) + $0.exclusions.map(\.pattern) }
    patterns += flow.retention.compactMap(\.pattern)
    for anchor in flow.goals.map(\.anchor) + flow.retention.map(\.anchor) {
      if case .event(let pattern) = anchor { patterns.append(pattern) }
    }
    patterns += (flow.notActivity + ["app_opened"]).map { EventPattern(event: $0) }
    self.patterns = patterns.filter { !Self.onboarding.contains($0.event) }
  }

  func entryKind(_ generator: inout SeededGenerator) -> Kind {
    generator.chance(75) ? .started : .viewed
  }

  func kind(_ generator: inout SeededGenerator) -> Kind {
    let weights: [(Kind, Int)] = [
      (.started, 4), (.viewed, 41), (.stepSkipped, 7), (.skipped, 4), (.completed, 4),
      (.prompted, 6), (.result, 13), (.activity, 19), (.foreign, 2),
    ]
    var draw = generator.below(100)
    for (kind, weight) in weights {
      if draw < weight { return kind }
      draw -= weight
    }
    return .viewed
  }

  func event(
    _ kind: Kind, at time: Int64, _ generator: inout SeededGenerator
  ) -> RandomEvent {
    var event = RandomEvent(time: time, name: "app_opened")
    identify(&event, &generator)
    describe(&event, &generator)
    switch kind {
    case .started: event.name = "onboarding_started"
    case .viewed, .foreign:
      event.name = "onboarding_page_viewed"
      event.properties = page(&generator)
      if kind == .foreign {
        event.name = generator.pick(Self.onboarding.sorted(), or: event.name)
        event.flow = "another"
      }
    case .stepSkipped:
      event.name = "onboarding_step_skipped"
      event.properties = page(&generator)
    case .skipped:
      event.name = "onboarding_skipped"
      skip(&event, &generator)
    case .completed:
      event.name = "onboarding_completed"
      let methods = ["\"finished\"", "\"finished\"", "\"skipped\"", "null"]
      event.properties["completion_method"] = generator.pick(methods, or: "null")
      if generator.chance(30) { skip(&event, &generator) }
    case .prompted, .result: ask(kind, &event, &generator)
    case .activity: act(&event, &generator)
    }
    return event
  }

  private func identify(_ event: inout RandomEvent, _ generator: inout SeededGenerator) {
    let user = generator.pick(users, or: "1")
    let device = generator.pick(devices, or: "d")
    let draw = generator.below(100)
    if draw < idShares.both {
      (event.user, event.device) = (user, device)
    } else if draw < idShares.both + idShares.user {
      event.user = user
    } else {
      event.device = device
    }
  }

  private func describe(_ event: inout RandomEvent, _ generator: inout SeededGenerator) {
    if generator.chance(30) { event.flow = flow.id }
    if generator.chance(60) {
      event.session = "s" + String(event.time / 3_600_000 % 3 + (generator.chance(5) ? 1 : 0))
    }
    event.version = generator.chance(80) ? version : nil
    if generator.chance(5) { event.version = flow.versions.first?.name }
    for experiment in flow.experiments {
      if generator.chance(80) { event.variants[experiment.id] = variants[experiment.id] }
      if generator.chance(3) {
        event.variants[experiment.id] = generator.pick(experiment.variants.map(\.id), or: "Z")
      }
    }
    for dimension in flow.dimensions where generator.chance(40) {
      event.rootFields[dimension.path] = generator.pick(["\"x\"", "\"y\"", "true", "[1]"], or: "1")
    }
  }

  private func page(_ generator: inout SeededGenerator) -> [String: String] {
    var page: [String: String] = [:]
    let number = flow.countsFrom + generator.below(flow.defaultList.count + 1)
    let spelled = generator.chance(30) ? "\"\(number)\"" : "\(number)"
    let names = generator.chance(80) ? list : flow.steps.map(\.id)
    let name = CaseEvent.quoted(generator.pick(names, or: "welcome"))
    switch generator.below(20) {
    case 0...11: page["page_name"] = name
    case 12...14: page["page_number"] = spelled
    case 15: page["page_index"] = "\(number)"
    case 16, 17:
      page["page_name"] = name
      page["page_number"] = spelled
    case 18: page["page_name"] = "\"mystery\(generator.below(3))\""
    default: page["page_name"] = "\"\""
    }
    return page
  }

  private func skip(_ event: inout RandomEvent, _ generator: inout SeededGenerator) {
    if generator.chance(20) {
      event.properties["skipped_at_index"] = "\(generator.below(flow.steps.count + 2))"
      if generator.chance(80) { return }
    }
    event.properties["skipped_at_page"] = skippedAt(&generator)
  }

  private func skippedAt(_ generator: inout SeededGenerator) -> String {
    let number = "\(generator.below(flow.steps.count + 2))"
    let name = CaseEvent.quoted(generator.pick(flow.steps.map(\.id), or: "welcome"))
    return generator.pick([name, name, number, "\"\(number)\"", "\"nowhere\"", "null"], or: name)
  }

  private func ask(
    _ kind: Kind, _ event: inout RandomEvent, _ generator: inout SeededGenerator
  ) {
    event.name = kind == .prompted ? "permission_prompted" : "permission_result"
    let permission = generator.pick(flow.permissions + ["camera"], or: "camera")
    event.properties["permission"] = CaseEvent.quoted(permission)
    guard kind == .result else { return }
    let common = ["denied", "denied", "denied", "denied", "granted", "granted", "granted", "odd"]
    let statuses = PlacedFact.statusOrder + common
    event.properties["status"] = CaseEvent.quoted(generator.pick(statuses, or: "odd"))
    if generator.chance(50) {
      event.properties["prompted"] = generator.chance(70) ? "true" : "false"
    }
  }

  private func act(_ event: inout RandomEvent, _ generator: inout SeededGenerator) {
    guard let pattern = patterns.randomElement(using: &generator) else { return }
    event.name = pattern.event
    for condition in pattern.conditions where generator.chance(90) {
      let value = generator.chance(75) ? generator.pick(condition.values, or: "") : "else"
      if condition.property.contains(".") {
        event.rootFields[condition.property] = CaseEvent.literal(value)
      } else {
        event.properties[condition.property] = CaseEvent.literal(value)
      }
    }
    for goal in flow.goals where goal.pattern.event == pattern.event && generator.chance(70) {
      guard let by = goal.by, event.properties[by] == nil else { continue }
      event.properties[by] = CaseEvent.quoted("v\(generator.below(3))")
    }
    for goal in flow.goals where goal.pattern.event == pattern.event && generator.chance(70) {
      guard let value = goal.value else { continue }
      let amounts = ["29.99", "-4.5", "\"0.125\"", "1e2", "\"free\"", "1000000"]
      event.properties[value] = generator.pick(amounts, or: "1")
    }
  }
}
