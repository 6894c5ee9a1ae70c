internal import FlowDefinition
internal import FunnelEngine

/// Which changes of the definitions move which numbers, found by counting with some of them made.
struct EditionAttribution {
  /// As many changes divide a difference by Shapley values, which takes 2^5 countings. More are
  /// made one after the other.
  static let shapleyLimit = 5

  let flow: Flow
  let changes: [EditionChange]
  let count: EditionReconciliation.Counting
  /// What was counted already, by the changes that were made.
  private var known: [Set<EditionChange>: HeadlineNumbers] = [:]

  init(_ flow: Flow, count: @escaping EditionReconciliation.Counting) {
    self.flow = flow
    self.count = count
    changes = EditionChange.all(flow)
  }

  mutating func numbers(_ made: Set<EditionChange>) async throws -> HeadlineNumbers {
    if let found = known[made] { return found }
    let undone = EditionChange.undoing(allBut: made, in: flow)
    let found = HeadlineNumbers(try await count(undone.flow, undone.oldRules), undone.flow)
    known[made] = found
    return found
  }

  /// The changes that move a number when they are made alone, or last.
  mutating func mattering() async throws -> [EditionChange] {
    let all = Set(changes)
    let (old, new) = (try await numbers([]).values, try await numbers(all).values)
    if old == new { return [] }
    var mattering: [EditionChange] = []
    for change in changes {
      let first = try await numbers([change]).values
      let last = try await numbers(all.subtracting([change])).values
      if first != old || last != new { mattering.append(change) }
    }
    // Others could still matter together.
    return try await numbers(Set(mattering)).values == new ? mattering : changes
  }

  /// What each change does to each number. The parts of a number add up to its difference.
  mutating func parts(_ changes: [EditionChange]) async throws -> [[Double]] {
    if changes.count > Self.shapleyLimit { return try await successive(changes) }
    let start = try await numbers([]).values
    var parts = changes.map { _ in start.map { _ in 0.0 } }
    for subset in 0..<(1 << changes.count) {
      let made = changes.indices.filter { subset & 1 << $0 != 0 }
      let before = try await numbers(Set(made.map { changes[$0] })).values
      // The share of all orders in which these are made before the next one.
      let weight = Self.weight(made.count, of: changes.count)
      for next in changes.indices where subset & 1 << next == 0 {
        let after = try await numbers(Set((made + [next]).map { changes[$0] })).values
        for (number, old) in start.enumerated() {
          parts[next][number] += weight * Self.step(before[number], after[number], old)
        }
      }
    }
    return parts
  }

  private mutating func successive(_ changes: [EditionChange]) async throws -> [[Double]] {
    let start = try await numbers([]).values
    var before = start
    var made: Set<EditionChange> = []
    var parts: [[Double]] = []
    for change in changes {
      made.insert(change)
      let after = try await numbers(made).values
      parts.append(start.indices.map { Self.step(before[$0], after[$0], start[$0]) })
      before = after
    }
    return parts
  }

  /// A rate over nobody on the way counts as unchanged from the first edition's.
  private static func step(_ before: Double?, _ after: Double?, _ old: Double?) -> Double {
    guard let old else { return 0 }
    return (after ?? old) - (before ?? old)
  }

  /// `made! (count - made - 1)! / count!`
  private static func weight(_ made: Int, of count: Int) -> Double {
    var orders = Double(count)
    for place in 0..<made { orders *= Double(count - 1 - place) / Double(place + 1) }
    return 1 / orders
  }
}
