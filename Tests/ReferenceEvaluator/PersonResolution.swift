import FlowDefinition

/// Whose facts are whose (definitions 3).
struct PersonResolution {
  static let maximumUsersPerDevice = 5
  static let maximumUsersPerPerson = 50

  let facts: [ReferenceFact]
  let rule: IdentityRule
  /// `stitch_within` of the flow.
  let limit: Int64
  /// For each user with another id, all ids of that person; too many are nobody's.
  private(set) var groups: [String: Set<String>] = [:]
  /// Persons of too many users.
  private(set) var groupsTooLarge = 0

  init(facts: [ReferenceFact], flow: Flow) {
    rule = flow.identity
    limit = flow.stitchWithinMilliseconds
    self.facts = facts
    guard rule == .stitched else { return }
    for fact in facts {
      guard let user = fact.user, let other = fact.other else { continue }
      let all = (groups[user] ?? [user]).union(groups[other] ?? [other])
      for id in all { groups[id] = all }
    }
    let tooLarge = Set(groups.values.filter { $0.count > Self.maximumUsersPerPerson })
    groupsTooLarge = tooLarge.count
    groups = groups.filter { !tooLarge.contains($0.value) }
  }

  /// The id that stands for all of a person's.
  private func person(_ user: String) -> String { groups[user]?.min() ?? user }

  /// Whom an id may stand for: the person of a user, or a device of nobody.
  func persons(ofID id: String) -> Set<String> { ["user " + person(id), "device " + id] }

  /// Devices with too many users to be one person's.
  var sharedDevices: Set<String> {
    Set(usersOfDevice.filter { $0.value.count > Self.maximumUsersPerDevice }.keys)
  }

  /// The persons who were seen on each device where a user was seen.
  var usersOfDevice: [String: Set<String>] {
    var users: [String: Set<String>] = [:]
    for fact in facts {
      if let device = fact.device, let user = fact.user {
        users[device, default: []].insert(person(user))
      }
    }
    return users
  }

  /// Distinct facts by person. Users and devices never have a name in common.
  func timelines() -> [String: Set<ReferenceFact>] {
    let shared = sharedDevices
    let seen = Dictionary(grouping: facts.filter { $0.user != nil }) { $0.device }
    var timelines: [String: Set<ReferenceFact>] = [:]
    for fact in facts {
      let person = owner(of: fact, shared: shared, seen: seen[fact.device] ?? [])
      var owned = fact
      // Who is the person; the ids that led there are no part of the fact any more.
      owned.user = nil
      owned.device = nil
      owned.other = nil
      timelines[person, default: []].insert(owned)
    }
    return timelines.mapValues(Self.withoutRetries)
  }

  /// Of the facts that have an id of their own, agree in all but the moment and lie within less
  /// than ten seconds the first one, where the person has no other fact with that id.
  private static func withoutRetries(_ facts: Set<ReferenceFact>) -> Set<ReferenceFact> {
    func timeless(_ fact: ReferenceFact) -> ReferenceFact {
      var fact = fact
      fact.time = 0
      return fact
    }
    var kept = facts.filter { $0.message == nil }
    for uses in Dictionary(grouping: facts.subtracting(kept), by: \.message).values {
      let inOrder = uses.sorted { $0.time < $1.time }
      guard let first = inOrder.first, let last = inOrder.last else { continue }
      let isOneEvent = Set(uses.map(timeless)).count == 1 && last.time - first.time < 10_000
      kept.formUnion(isOneEvent ? [first] : inOrder)
    }
    return kept
  }

  /// `seen`: the facts with both ids on the fact's device.
  private func owner(
    of fact: ReferenceFact, shared: Set<String>, seen: [ReferenceFact]
  ) -> String {
    let device = "device " + (fact.device ?? "")
    switch rule {
    case .user: return "user " + (fact.user ?? "")
    case .device: return device
    case .stitched: break
    }
    if let user = fact.user { return "user " + person(user) }
    guard let id = fact.device, !shared.contains(id) else { return device }
    let after = seen.map(\.time).filter { $0 >= fact.time }.min()
    let before = seen.map(\.time).filter { $0 < fact.time }.max()
    let next = after.flatMap { user(seen, at: $0) }
    let last = before.flatMap { user(seen, at: $0) }
    if let after, after - fact.time <= limit { return next ?? device }
    if let next, next == last { return next }
    if let before, fact.time - before <= limit { return last ?? device }
    return device
  }

  /// The user seen at a moment; `nil` for two or more.
  private func user(_ seen: [ReferenceFact], at time: Int64) -> String? {
    let users = Set(seen.filter { $0.time == time }.compactMap(\.user).map(person))
    guard users.count == 1, let user = users.first else { return nil }
    return "user " + user
  }
}
