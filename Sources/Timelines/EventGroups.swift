/// Which events occur together in people's timelines: names that nobody shares fall into groups, as
/// those of two apps in one dump do.
///
/// A disjoint-set forest over the names' codes; the order of people and events doesn't matter.
public struct EventGroups: Sendable {
  /// People who have events of one group only.
  public struct Group: Sendable, Hashable {
    /// How many people there are in the group.
    public let people: Int
    /// The names that most of these people begin with, and then by their bytes; at most three.
    public let examples: [String]
  }

  /// What is written down: names that were seen, in the order of their bytes.
  public struct Record: Codable, Sendable {
    var names: [String]
    var keys: [String]
    /// For each name the place of one that it occurs with, or its own.
    var parents: [Int]
    var firsts: [Int]

    /// Whether its lists fit each other.
    public var isSound: Bool {
      keys.count == names.count && parents.count == names.count && firsts.count == names.count
        && parents.allSatisfy(names.indices.contains) && WrittenNumbers.areSound(firsts)
    }
  }

  private let names: [String]
  /// By which names are the same in two runs; names without a place have keys of their own.
  private let keys: [String]
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
  /// - Parameter keys: by which names are the same in two runs; the names themselves if not given.
  public init(names: [String], keys: [String]? = nil) {
    self.names = names
    self.keys = keys ?? names
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

  /// The first event of a person that counts.
  public struct First: Sendable {
    /// −1 before it.
    fileprivate var code = -1
    fileprivate var milliseconds = Int64.min

    /// A person of whom no event was looked at yet.
    public init() {}
  }

  /// Notes an event of the person whose first one is given; events come in the order of time. Of
  /// several at one moment the first is that of the first name, for their order means nothing.
  public mutating func add(_ code: Int, at milliseconds: Int64, first: inout First) {
    if isCommon[code] { return }
    isSeen[code] = true
    guard first.code >= 0 else {
      (first.code, first.milliseconds) = (code, milliseconds)
      firsts[code] += 1
      return
    }
    let roots = (root(first.code), root(code))
    if roots.0 != roots.1 { parents[max(roots.0, roots.1)] = min(roots.0, roots.1) }
    if milliseconds == first.milliseconds,
      keys[code].utf8.lexicographicallyPrecedes(keys[first.code].utf8)
    {
      firsts[first.code] -= 1
      firsts[code] += 1
      first.code = code
    }
  }

  /// Adds what other people of the same run have.
  public mutating func merge(_ other: EventGroups) {
    if keys != other.keys {
      // Codes of another run mean other names.
      var names: [String: String] = [:]
      for (key, name) in zip(keys + other.keys, self.names + other.names) { names[key] = name }
      self = placed(in: names)
      return merge(other.placed(in: names))
    }
    for code in other.parents.indices {
      let roots = (root(code), root(other.parents[code]))
      if roots.0 != roots.1 { parents[max(roots.0, roots.1)] = min(roots.0, roots.1) }
      if other.isSeen[code] { isSeen[code] = true }
      firsts[code] += other.firsts[code]
    }
  }

  /// These groups, with the codes that the names have in a common table.
  ///
  /// - Parameter all: all names by their keys.
  private func placed(in all: [String: String]) -> EventGroups {
    let order = all.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let places = Dictionary(zip(order, 0...), uniquingKeysWith: { first, _ in first })
    var placed = EventGroups(names: order.map { all[$0] ?? "" }, keys: order)
    var copy = self
    for code in names.indices {
      guard let place = places[keys[code]], let top = places[keys[copy.root(code)]] else {
        continue
      }
      let roots = (placed.root(place), placed.root(top))
      if roots.0 != roots.1 { placed.parents[max(roots.0, roots.1)] = min(roots.0, roots.1) }
      if isSeen[code] { placed.isSeen[place] = true }
      placed.firsts[place] += firsts[code]
    }
    return placed
  }

  /// - Parameter record: one that is sound.
  public init(_ record: Record) {
    self.init(names: record.names, keys: record.keys)
    for code in names.indices {
      let roots = (root(code), root(record.parents[code]))
      if roots.0 != roots.1 { parents[max(roots.0, roots.1)] = min(roots.0, roots.1) }
      isSeen[code] = true
      firsts[code] = record.firsts[code]
    }
  }

  /// The groups as they are written down, with the names that were seen.
  public var record: Record {
    var seen: [String: String] = [:]
    for code in names.indices where isSeen[code] { seen[keys[code]] = names[code] }
    var placed = placed(in: seen)
    return Record(
      names: placed.names, keys: placed.keys,
      parents: placed.names.indices.map { placed.root($0) }, firsts: placed.firsts)
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
