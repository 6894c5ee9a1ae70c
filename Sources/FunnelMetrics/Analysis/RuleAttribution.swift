/// Which changes of some rules move which numbers, found by counting with some of them made.
///
/// One mechanism for all that `reconcile` compares: tools, and editions of the definitions.
package struct RuleAttribution<Change: Hashable> {
  /// Counts with these changes made: always the same numbers, `nil` for a rate over nobody.
  package typealias Counting = (Set<Change>) async throws -> [Double?]

  /// In a fixed order.
  package let changes: [Change]
  package let count: Counting
  /// What was counted already, by the changes that were made.
  private var known: [Set<Change>: [Double?]] = [:]

  package init(_ changes: [Change], count: @escaping Counting) {
    self.changes = changes
    self.count = count
  }

  package mutating func numbers(_ made: Set<Change>) async throws -> [Double?] {
    if let found = known[made] { return found }
    let found = try await count(made)
    known[made] = found
    return found
  }

  /// The changes that move a number when they are made alone, or last.
  package mutating func mattering() async throws -> [Change] {
    let all = Set(changes)
    let (old, new) = (try await numbers([]), try await numbers(all))
    if old == new { return [] }
    var mattering: [Change] = []
    for change in changes {
      let first = try await numbers([change])
      let last = try await numbers(all.subtracting([change]))
      if first != old || last != new { mattering.append(change) }
    }
    // Others could still matter together.
    return try await numbers(Set(mattering)) == new ? mattering : changes
  }

  /// The Shapley values of some changes: the mean effect of each over all orders in which they can
  /// be made. The parts of a number add up to its difference. Takes 2^n countings.
  package mutating func shapleyParts(_ changes: [Change]) async throws -> [[Double]] {
    let start = try await numbers([])
    var parts = changes.map { _ in start.map { _ in 0.0 } }
    for subset in 0..<(1 << changes.count) {
      let made = changes.indices.filter { subset & 1 << $0 != 0 }
      let before = try await numbers(Set(made.map { changes[$0] }))
      // The share of all orders in which these are made before the next one.
      let weight = Self.weight(made.count, of: changes.count)
      for next in changes.indices where subset & 1 << next == 0 {
        let after = try await numbers(Set((made + [next]).map { changes[$0] }))
        for (number, old) in start.enumerated() {
          parts[next][number] += weight * Self.step(before[number], after[number], old)
        }
      }
    }
    return parts
  }

  /// The effect of each change after those before it.
  package mutating func successiveParts(_ changes: [Change]) async throws -> [[Double]] {
    let start = try await numbers([])
    var before = start
    var made: Set<Change> = []
    var parts: [[Double]] = []
    for change in changes {
      made.insert(change)
      let after = try await numbers(made)
      parts.append(start.indices.map { Self.step(before[$0], after[$0], start[$0]) })
      before = after
    }
    return parts
  }

  /// A rate over nobody on the way counts as unchanged from the first one.
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

  /// Whole numbers next to the parts that add up to the total: rounded down, and the rest to the
  /// largest fractions. What does nothing stays 0.
  package static func whole(_ parts: [Double], total: Int) -> [Int] {
    let exact = parts.map { ($0 * 1e6).rounded() / 1e6 }
    var whole = exact.map { Int($0.rounded(.down)) }
    let order = exact.indices.filter { exact[$0] != 0 }.sorted { left, right in
      let (one, other) = (exact[left] - Double(whole[left]), exact[right] - Double(whole[right]))
      return one != other ? one > other : left < right
    }
    var rest = total - whole.reduce(0, +)
    var place = 0
    while rest != 0 && !order.isEmpty {
      let next = place % order.count
      whole[rest > 0 ? order[next] : order[order.count - 1 - next]] += rest.signum()
      rest -= rest.signum()
      place += 1
    }
    return whole
  }
}
