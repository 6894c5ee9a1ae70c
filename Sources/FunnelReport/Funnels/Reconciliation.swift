public import FlowDefinition
public import FunnelEngine
internal import FunnelMetrics

/// Which rules make two tools give different numbers on the same data.
///
/// Each part is the rule's Shapley value: its mean effect over all orders in which the rules can be
/// changed from the first tool's to the second's. So no order is preferred, and no rule is charged
/// with what the next one takes back.
public struct Reconciliation: Sendable {
  /// What one rule does, in hundredths of a person: a mean over orders need not be whole.
  public struct Part: Sendable, Hashable {
    /// The rule that the two tools have differently.
    public var change: FunnelRuleChange
    /// What it does to how many people enter, in hundredths of a person.
    public var entered: Int
    /// What it does to how many get to the last step, in hundredths of a person.
    public var finished: Int
  }

  /// Counts the funnel by each of some sets of rules.
  public typealias Counting = ([FunnelRules]) async throws -> [FunnelTotals]

  /// The tool whose numbers are explained.
  public let first: FunnelTool
  /// The tool whose numbers they are held against.
  public let second: FunnelTool
  /// What is counted by the first tool's rules.
  public let start: FunnelTotals
  /// What is counted by the second tool's rules.
  public let end: FunnelTotals
  /// Rules that move a number, in the order of ``FunnelRuleChange``. They add up exactly.
  public let parts: [Part]
  /// Rules that differ, but never make a difference on this data.
  public let withoutEffect: [FunnelRuleChange]
  let funnel: CustomFunnel

  /// - Parameter count: is asked once, for all mixtures of the two tools' rules.
  /// - Throws: what `count` throws.
  public init(
    from first: FunnelTool, to second: FunnelTool, funnel: CustomFunnel, count: Counting
  ) async throws {
    self.first = first
    self.second = second
    self.funnel = funnel
    let changes = FunnelRuleChange.all(from: first.rules, to: second.rules, for: funnel)
    let subsets = (0..<(1 << changes.count)).map { subset in
      Set(changes.indices.filter { subset & 1 << $0 != 0 }.map { changes[$0] })
    }
    let totals = try await count(
      subsets.map { FunnelRuleChange.making($0, from: first.rules, to: second.rules) })
    let known = Dictionary(uniqueKeysWithValues: zip(subsets, totals))
    start = totals.first ?? FunnelTotals()
    end = totals.last ?? FunnelTotals()
    var attribution = RuleAttribution(changes) { made in
      let found = known[made] ?? FunnelTotals()
      return [Double(found.entered), Double(found.finished)]
    }
    let exact = try await attribution.shapleyParts(changes)
    let entered = RuleAttribution<FunnelRuleChange>.whole(
      exact.map { $0[0] * 100 }, total: (end.entered - start.entered) * 100)
    let finished = RuleAttribution<FunnelRuleChange>.whole(
      exact.map { $0[1] * 100 }, total: (end.finished - start.finished) * 100)
    let moving = changes.indices.filter { index in
      subsets.contains { subset in
        !subset.contains(changes[index]) && known[subset] != known[subset.union([changes[index]])]
      }
    }
    parts = moving.map {
      Part(change: changes[$0], entered: entered[$0], finished: finished[$0])
    }
    withoutEffect = changes.indices.filter { !moving.contains($0) }.map { changes[$0] }
  }

  /// Whether both tools count the same.
  public var agrees: Bool { start == end }
}
