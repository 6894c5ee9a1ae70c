public import FlowDefinition
public import Timelines

/// An event, a property or a value that a funnel asks for and no event of the input has.
public struct UnseenName: Sendable, Hashable {
  /// What the name would be the name of.
  public enum Kind: Sendable, Hashable {
    case event
    case property(event: String)
    case value(property: String, event: String)
  }

  /// Whether no event has this name, or only this property or value is in none.
  public var kind: Kind
  /// The name of the event or property, or the value, as the funnel writes it.
  public var name: String
  /// Events or values that were seen in its place; of properties only those asked for are known.
  public var seen: Set<String> = []

  /// What a funnel asks for in vain, in its order, each once.
  public static func all(_ funnel: CustomFunnel, _ tables: FactTables) -> [UnseenName] {
    guard let index = tables.schema.actionIndex(ofField: "event") else { return [] }
    var actions: [String: [Int]] = [:]
    for action in 0..<tables.actionCount {
      let code = tables.actionValue(action, at: index)
      if code == 0 { continue }
      actions[tables.name(ofActionValue: code, at: index), default: []].append(action)
    }
    var found: [UnseenName] = []
    for pattern in funnel.steps.flatMap(\.anyOf) + funnel.exclusions.map(\.pattern) {
      for name in unseen(pattern, actions, tables) where !found.contains(name) {
        found.append(name)
      }
    }
    return found
  }

  private static func unseen(
    _ pattern: EventPattern, _ actions: [String: [Int]], _ tables: FactTables
  ) -> [UnseenName] {
    guard let own = actions[pattern.event] else {
      return [UnseenName(kind: .event, name: pattern.event, seen: Set(actions.keys))]
    }
    return pattern.conditions.flatMap { condition -> [UnseenName] in
      let property = condition.property
      guard let index = tables.schema.actionIndex(ofProperty: property) else { return [] }
      let codes = Set(own.map { tables.actionValue($0, at: index) }).subtracting([0])
      if codes.isEmpty {
        return [UnseenName(kind: .property(event: pattern.event), name: property)]
      }
      let seen = Set(codes.map { tables.name(ofActionValue: $0, at: index) })
      return condition.values.filter {
        !seen.contains($0) && seen.isDisjoint(with: NameSpellings.others(of: $0))
      }.map {
        UnseenName(kind: .value(property: property, event: pattern.event), name: $0, seen: seen)
      }
    }
  }
}
