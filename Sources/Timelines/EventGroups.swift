/// Which events occur together in people's timelines: names that nobody shares fall into groups, as
/// those of two apps in one dump do.
///
/// A disjoint-set forest over the names' codes; the order of people and events doesn't matter.
public struct EventGroups: Sendable {
  /// People who have events of one group only.
  public struct Group: Sendable, Hashable {
    public let people: Int
    /// The names that most of these people begin with, and then by their bytes; at most three.
    public let examples: [String]
  }

  private let names: [String]
  /// Names that any app may have: they connect nothing.
  private let isCommon: [Bool]
  private var parents: [Int]
  private var isSeen: [Bool]
  /// People by the first of their events that counts.
  private var firsts: [Int]

  /// Fewer people than this, or this share of all, are tests and slips.
  private static let leastPeople = 20
  private static let leastShare = 20
  private static let exampleCount = 3

  /// - Parameter names: by code; an empty one is no event.
  public init(names: [String]) {
    self.names = names
    isCommon = names.map { $0.isEmpty || AutomaticEvents.isOfAnyApp($0) }
    parents = Array(names.indices)
    isSeen = Array(repeating: false, count: names.count)
    firsts = Array(repeating: 0, count: names.count)
  }

  private mutating func root(_ code: Int) -> Int {
    var code = code
    while parents[code] != code {
      parents[code] = parents[parents[code]]
      code = parents[code]
    }
    return code
  }

  /// Notes an event of the person whose first one is given.
  ///
  /// - Parameter first: the code of the person's first event that counts; −1 before it.
  public mutating func add(_ code: Int, first: inout Int) {
    if isCommon[code] { return }
    isSeen[code] = true
    guard first >= 0 else {
      first = code
      firsts[code] += 1
      return
    }
    let roots = (root(first), root(code))
    if roots.0 != roots.1 { parents[max(roots.0, roots.1)] = min(roots.0, roots.1) }
  }

  /// Adds what other people of the same run have.
  public mutating func merge(_ other: EventGroups) {
    // Codes of another run mean other names.
    guard names == other.names else { return }
    for code in other.parents.indices {
      let roots = (root(code), root(other.parents[code]))
      if roots.0 != roots.1 { parents[max(roots.0, roots.1)] = min(roots.0, roots.1) }
      if other.isSeen[code] { isSeen[code] = true }
      firsts[code] += other.firsts[code]
    }
  }

  /// The groups with several names and not only a few people, the largest first; empty where there
  /// are no two.
  public var apart: [Group] {
    var copy = self
    var members: [Int: [Int]] = [:]
    for code in names.indices where isSeen[code] {
      members[copy.root(code), default: []].append(code)
    }
    let all = firsts.reduce(0, +)
    let groups = members.values.compactMap { codes -> Group? in
      let people = codes.reduce(0) { $0 + firsts[$1] }
      guard codes.count > 1, people >= max(Self.leastPeople, all / Self.leastShare) else {
        return nil
      }
      let examples = codes.sorted { left, right in
        firsts[left] != firsts[right]
          ? firsts[left] > firsts[right]
          : names[left].utf8.lexicographicallyPrecedes(names[right].utf8)
      }
      return Group(
        people: people, examples: examples.prefix(Self.exampleCount).map { names[$0] })
    }
    return groups.count < 2
      ? []
      : groups.sorted { left, right in
        left.people != right.people
          ? left.people > right.people
          : left.examples.lexicographicallyPrecedes(right.examples)
      }
  }
}
