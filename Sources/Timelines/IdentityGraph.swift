public import EventInput

/// Two users whom events say to be one person; which of them comes first means nothing.
struct LinkedUsers: Sendable, Hashable {
  let first: IdentifierHash
  let second: IdentifierHash

  init(_ link: UserLink) {
    first = min(link.user, link.other)
    second = max(link.user, link.other)
  }
}

extension [LinkedUsers: Int64] {
  /// Keeps a pair once, with its earliest moment.
  mutating func note(_ link: UserLink) {
    let pair = LinkedUsers(link)
    self[pair] = Swift.min(self[pair] ?? .max, link.timeMilliseconds)
  }
}

/// Which users are one person (definitions 3.5): what all links of a run come to.
///
/// Groups are the connected parts of the graph of links, so neither order nor repetition of links
/// matters, nor chains and rings. A group of too many users is junk and unites nobody. A person's
/// key is the smallest of its users' hashes: it groups facts, and no result depends on it.
public struct IdentityGraph: Sendable {
  /// A group of more users than this is none: nobody has so many ids (definitions 3.5).
  public static let maximumUsersPerPerson = 50

  /// Users whose person has another key than their own.
  private var persons: [IdentifierHash: IdentifierHash] = [:]
  /// Users who are one person with others.
  public private(set) var userCount = 0
  /// Persons who have several users.
  public private(set) var personCount = 0
  /// Groups of more users than one person has; left alone.
  public private(set) var groupsTooLarge = 0

  /// Unites users directly and by way of others, in whatever order the links come.
  public init(_ links: some Sequence<UserLink>) { self.init(pairs: links.map(LinkedUsers.init)) }

  init(pairs: some Sequence<LinkedUsers>) {
    var users = IdentifierTable()
    var parents: [Int] = []
    func root(_ number: Int) -> Int {
      var number = number
      while parents[number] != number {
        parents[number] = parents[parents[number]]
        number = parents[number]
      }
      return number
    }
    for pair in pairs {
      let (first, second) = (Int(users.intern(pair.first)), Int(users.intern(pair.second)))
      for number in parents.count..<max(parents.count, users.count) { parents.append(number) }
      // The smaller key stands above, so that a root is its group's smallest.
      let (one, other) = (root(first), root(second))
      if users.keys[one] < users.keys[other] {
        parents[other] = one
      } else {
        parents[one] = other
      }
    }
    var sizes = Array(repeating: 0, count: parents.count)
    for number in parents.indices { sizes[root(number)] += 1 }
    for number in parents.indices {
      let top = root(number)
      let isTooLarge = sizes[top] > IdentityGraph.maximumUsersPerPerson
      if top == number {
        if isTooLarge { groupsTooLarge += 1 } else if sizes[top] > 1 { personCount += 1 }
      }
      if isTooLarge || sizes[top] == 1 { continue }
      userCount += 1
      if top != number { persons[users.keys[number]] = users.keys[top] }
    }
  }

  /// Whether every user is a person of their own.
  public var isEmpty: Bool { persons.isEmpty }

  /// The partitions of users whose person has another key.
  var partitions: Set<Int> { Set(persons.keys.map(FactCollector.partition(of:))) }

  /// The key of the person that a user, or a device of nobody, is.
  @inline(__always)
  public func person(of key: IdentifierHash) -> IdentifierHash {
    persons.isEmpty ? key : persons[key] ?? key
  }

  /// All users of the person that a user is.
  public func users(ofPersonOf user: IdentifierHash) -> Set<IdentifierHash> {
    let person = person(of: user)
    return Set(persons.filter { $0.value == person }.keys).union([person])
  }
}
