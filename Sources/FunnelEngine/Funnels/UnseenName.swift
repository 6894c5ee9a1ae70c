internal import FlowDefinition
internal import Timelines

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
  ///
  /// - Parameter seen: for each action whether a fact that counts has it: misdated facts, and those
  ///   after the horizon, make nothing known.
  static func all(
    _ funnel: CustomFunnel, _ tables: FactTables, seen: [Bool]
  ) -> [UnseenName] {
    guard let index = tables.schema.actionIndex(ofField: "event") else { return [] }
    var actions: [String: [Int]] = [:]
    for action in seen.indices where seen[action] {
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

  /// Whether either of two shares of the data has an action.
  static func joined(_ one: [Bool], _ other: [Bool]) -> [Bool] {
    one.isEmpty ? other : other.isEmpty ? one : zip(one, other).map { $0 || $1 }
  }

  /// The steps of a funnel whose numbers are unknown, with the events that are missing; `nil` where
  /// all are known, and where no fact was seen at all.
  static func unknown(
    in funnel: CustomFunnel, _ unseen: [UnseenName]
  ) -> (steps: Range<Int>, missing: [UnseenName])? {
    let events = unseen.filter { $0.kind == .event && !$0.seen.isEmpty }
    let names = Set(events.map(\.name))
    guard let steps = funnel.unknownSteps(isSeen: { !names.contains($0) }) else { return nil }
    let missing = funnel.missingEvents { !names.contains($0) }
    return (steps, events.filter { missing.contains($0.name) })
  }
}
