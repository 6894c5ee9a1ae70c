internal import FlowDefinition
internal import Timelines

/// Which actions bear the marks of people whom a flow leaves out: a bit for each mark, of which
/// there are at most 64, so that a fact costs a look at two words.
struct LeavingMarks: Sendable {
  /// For each action the marks that it bears.
  private(set) var met: [UInt64]
  /// For each action the marks whose event it is, with all their properties, whatever these say.
  private(set) var asked: [UInt64]

  /// `nil` without marks.
  init?(_ marks: [PersonMark], _ tables: FactTables) {
    if marks.isEmpty { return nil }
    met = Array(repeating: 0, count: tables.actionCount)
    asked = met
    let schema = tables.schema
    let event = schema.actionIndex(ofField: "event") ?? 0
    let compiled = marks.map { mark in
      (
        event: mark.event,
        conditions: mark.conditions.map { condition in
          (
            place: schema.actionIndex(ofProperty: condition.property),
            values: Set(PatternMatcher.spellings(of: condition.values))
          )
        }
      )
    }
    for code in met.indices {
      let names = ActionNames(tables, code)
      for (number, mark) in compiled.enumerated() {
        if let wanted = mark.event, names[event] != wanted { continue }
        // A property that is not read is missing, and missing matches nothing.
        let values = mark.conditions.map { condition in condition.place.flatMap { names[$0] } }
        guard !values.contains(nil) else { continue }
        asked[code] |= 1 << UInt64(number)
        let isMet = zip(mark.conditions, values).allSatisfy { condition, value in
          value.map(condition.values.contains) ?? false
        }
        if isMet { met[code] |= 1 << UInt64(number) }
      }
    }
  }
}
