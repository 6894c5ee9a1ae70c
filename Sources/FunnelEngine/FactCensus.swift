public import Timelines

/// What there is in the facts whatever the flow asks for: for a report that is about nobody, to say
/// what the data are about instead.
public struct FactCensus: Sendable, Hashable {
  /// A name and how many distinct facts have it.
  public struct Count: Sendable, Hashable {
    /// An event, a page or a flow, as the facts name it.
    public var name: String
    /// Distinct facts with this name, of anybody.
    public var facts: Int

    /// A name with its number of distinct facts.
    public init(name: String, facts: Int) {
      self.name = name
      self.facts = facts
    }
  }

  /// Distinct facts.
  public var facts = 0
  /// From the first fact to the horizon: clocks that are far off do not stretch it; `nil` without
  /// facts.
  public var milliseconds: ClosedRange<Int64>?
  /// Distinct facts by the flow that they name, most frequent first, ties by name. Here and below,
  /// facts that lack the field are left out, and names without a place in the bounded tables.
  public var flows: [Count] = []
  /// Distinct facts by the event's name, most frequent first.
  public var events: [Count] = []
  /// Distinct facts by `page_name`, most frequent first.
  public var pages: [Count] = []

  /// The census of no facts.
  public init() {}

  /// Visits every fact once.
  ///
  /// - Throws: what reading timelines back from disk met.
  public init(_ timelines: Timelines) throws(SpillError) {
    var actions = [Int](repeating: 0, count: timelines.tables.actionCount)
    var contexts = [Int](repeating: 0, count: timelines.tables.contextCount)
    var first = Int64.max
    let dated = timelines.span?.datedMilliseconds ?? .min ... .max
    for number in 0..<timelines.partitionCount {
      for fact in try timelines.partition(number).facts {
        facts += 1
        actions[Int(fact.action)] += 1
        contexts[Int(fact.context)] += 1
        if fact.timeMilliseconds >= dated.lowerBound { first = min(first, fact.timeMilliseconds) }
      }
    }
    if let horizon = timelines.span?.horizonMilliseconds { milliseconds = first...horizon }
    let tables = timelines.tables
    func counts(of field: String) -> [Count] {
      guard let index = tables.schema.actionIndex(ofField: field) else { return [] }
      return FactCensus.counts(actions) { action in
        let value = tables.actionValue(action, at: index)
        return value == 0 ? nil : tables.name(ofActionValue: value, at: index)
      }
    }
    events = counts(of: "event")
    pages = counts(of: "page_name")
    flows = FactCensus.counts(contexts) { context in
      let value = tables.contextValue(context, at: 0)
      return value == 0 ? nil : tables.name(ofContextValue: value, at: 0)
    }
  }

  private static func counts(_ factsOfCode: [Int], _ name: (Int) -> String?) -> [Count] {
    var byName: [String: Int] = [:]
    for (code, facts) in factsOfCode.enumerated() where facts > 0 {
      if let name = name(code), name != "(other)" { byName[name, default: 0] += facts }
    }
    return byName.map { Count(name: $0.key, facts: $0.value) }.sorted {
      $0.facts != $1.facts
        ? $0.facts > $1.facts : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }
}
