import FlowDefinition

/// One event with all its properties: what a goal, a friction or an anchor of the flow looks like.
struct EventTemplate: Sendable, Hashable {
  var event: String
  var properties: [Property]
  /// Another flow that the event belongs to, and says so.
  var flow: String?

  init(event: String, properties: [Property], flow: String? = nil) {
    self.event = event
    self.properties = properties
    self.flow = flow
  }

  struct Property: Sendable, Hashable {
    var name: String
    var value: String
  }

  func value(of property: String) -> String? {
    properties.first { $0.name == EventTemplate.bareName(property) }?.value
  }

  func matches(_ pattern: EventPattern) -> Bool {
    guard pattern.event == event else { return false }
    return pattern.conditions.allSatisfy { condition in
      guard let value = value(of: condition.property) else { return false }
      return condition.values.contains(value)
    }
  }

  /// `properties.status` and `status` are the same property.
  static func bareName(_ property: String) -> String {
    let prefix = "properties."
    return property.hasPrefix(prefix) ? String(property.dropFirst(prefix.count)) : property
  }
}

/// The events that satisfy one pattern, and how often each is the one that happens.
struct TemplateChoice: Sendable {
  var templates: [Int] = []
  var cumulated: [Double] = []

  mutating func add(_ template: Int, weight: Double) {
    templates.append(template)
    cumulated.append((cumulated.last ?? 0) + weight)
  }

  func draw(_ random: inout RandomSource) -> Int? {
    templates.isEmpty ? nil : templates[random.index(cumulated: cumulated)]
  }
}

/// Every event template of a flow, each once.
struct TemplateTable: Sendable {
  private(set) var templates: [EventTemplate] = []

  mutating func index(of template: EventTemplate) -> Int {
    if let known = templates.firstIndex(of: template) { return known }
    templates.append(template)
    return templates.count - 1
  }

  /// The templates for a pattern: the first value of each condition is the commonest; a property
  /// that splits a goal takes the given values, and now and then none.
  mutating func choice(
    for pattern: EventPattern, by: String? = nil, values: [(value: String, weight: Double)] = []
  ) -> TemplateChoice {
    var drafts: [(properties: [EventTemplate.Property], weight: Double)] = [([], 1)]
    for condition in pattern.conditions {
      let name = EventTemplate.bareName(condition.property)
      drafts = drafts.flatMap { draft in
        condition.values.prefix(4).enumerated().map { index, value in
          (
            draft.properties + [EventTemplate.Property(name: name, value: value)],
            draft.weight * (index == 0 ? 4 : 1)
          )
        }
      }
    }
    let split = by.map(EventTemplate.bareName)
    let isFixed = pattern.conditions.contains { EventTemplate.bareName($0.property) == split }
    if let split, !isFixed {
      let known = values.isEmpty ? [("first", 3), ("second", 2), ("third", 1)] : values
      drafts = drafts.flatMap { draft in
        known.map { value, weight in
          (
            draft.properties + [EventTemplate.Property(name: split, value: value)],
            draft.weight * weight
          )
        } + [(draft.properties, draft.weight * 0.1)]
      }
    }
    var choice = TemplateChoice()
    for draft in drafts {
      let template = EventTemplate(event: pattern.event, properties: draft.properties)
      choice.add(index(of: template), weight: draft.weight)
    }
    return choice
  }
}
