internal import FlowDefinition
internal import Timelines

/// What actions' values mean to goals, worked out once for each action.
enum GoalValues {
  /// For a goal that prefers some values, each action's place among them: behind all of them for
  /// other values, and last for none. Empty for other goals.
  static func ranks(_ goal: Goal, _ tables: FactTables) -> [Int32] {
    guard case .preferred(let values) = goal.take, let property = goal.by,
      let place = tables.schema.actionIndex(ofProperty: property)
    else { return [] }
    let order = DeclaredNames(values)
    return (0..<tables.actionCount).map { action in
      let code = tables.actionValue(action, at: place)
      if code == 0 { return .max }
      return Int32(clamping: order[tables.name(ofActionValue: code, at: place)] ?? values.count)
    }
  }

  /// For a goal that prefers some values, each action's value, under the preferred name where it is
  /// another spelling of one. Empty for other goals.
  static func codes(_ goal: Goal, _ tables: FactTables) -> [UInt32] {
    guard case .preferred(let values) = goal.take, let property = goal.by,
      let place = tables.schema.actionIndex(ofProperty: property)
    else { return [] }
    let names = DeclaredNames(values)
    let codes = values.map { tables.code(ofActionName: $0, at: place) }
    return (0..<tables.actionCount).map { action in
      let code = tables.actionValue(action, at: place)
      if code == 0 { return code }
      let meant = names[tables.name(ofActionValue: code, at: place)]
      return meant.flatMap { codes[$0] } ?? code
    }
  }

  /// For a goal with a value, each action's amount in millionths; `nil` where it says no number.
  /// Empty for other goals.
  static func amounts(_ goal: Goal, _ tables: FactTables) -> [Int64?] {
    guard let property = goal.value,
      let place = tables.schema.actionIndex(ofProperty: property)
    else { return [] }
    return (0..<tables.actionCount).map { action in
      let code = tables.actionValue(action, at: place)
      return code == 0 ? nil : DecimalAmount.millionths(tables.name(ofActionValue: code, at: place))
    }
  }

  /// The goals with a value of which no action says a number.
  static func withoutNumber(
    _ goals: [Goal], _ tables: FactTables, _ amounts: [[Int64?]]
  ) -> Set<Int> {
    Set(
      goals.indices.filter { index in
        guard let property = goals[index].value,
          tables.schema.actionIndex(ofProperty: property) != nil
        else { return false }
        return amounts[index].allSatisfy { $0 == nil }
      })
  }

  /// The goals of whose numbers some fell together into `(other)`.
  static func withLostNumbers(_ goals: [Goal], _ tables: FactTables) -> Set<Int> {
    Set(
      goals.indices.filter { index in
        guard let property = goals[index].value,
          let place = tables.schema.actionIndex(ofProperty: property)
        else { return false }
        return (0..<tables.actionCount).contains { action in
          let code = tables.actionValue(action, at: place)
          return code != 0 && tables.name(ofActionValue: code, at: place) == "(other)"
        }
      })
  }
}
