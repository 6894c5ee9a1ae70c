public import EventInput

/// Looks through segments: how many facts are whose, and who was seen where.
public struct StoredCensus: Sendable {
  /// Facts by the number of their source in the pack, repetitions too.
  public private(set) var factsBySource: [Int: Int] = [:]
  /// Facts of all sources that were counted, repetitions too.
  public private(set) var factCount = 0

  /// A census that has looked at no segment.
  public init() {}

  /// Counts a segment's facts.
  ///
  /// - Throws: `StoredDamage` where the bytes or the codes make no sense.
  public mutating func count(_ piece: StoredPiece, _ pack: StoredPackReading) throws {
    try piece.bytes.forEachRun { _, _, facts in
      for stored in facts {
        guard Int(stored.source) < pack.isWanted.count,
          Int(stored.fact.action) < pack.tables.actionCount,
          Int(stored.fact.context) < pack.tables.contextCount
        else { throw StoredDamage() }
        factsBySource[Int(stored.source), default: 0] += 1
      }
      factCount += facts.count
    }
  }

  /// Whether a segment has facts that may not be kept, whether they count or not.
  public static func concerns(
    _ forgotten: ForgottenPersons, _ segment: StoredBytes
  ) throws -> Bool {
    var isFound = false
    try segment.forEachRun { user, device, facts in
      if isFound || !forgotten.concerns(user: user, device: device) { return }
      isFound = facts.contains {
        forgotten.contains(user: user, device: device, at: $0.fact.timeMilliseconds)
      }
    }
    return isFound
  }
}

/// Who was seen on which device, for a few devices and users: whom an id stands for.
public struct StoredSightings: Sendable {
  private let united: IdentityGraph
  private var users: Set<IdentifierHash>
  private var devices: Set<IdentifierHash>
  private var moments: [IdentifierHash: [Int64: Set<IdentifierHash>]] = [:]
  /// The devices on which the users were seen.
  public private(set) var devicesOfUsers: Set<IdentifierHash> = []
  /// Which of the users that were asked for were seen at all, as the persons they are.
  public private(set) var seenUsers: Set<IdentifierHash> = []

  /// - Parameters:
  ///   - users: whose devices are wanted; here and below, users who are one person are that
  ///     person.
  ///   - devices: where all users and moments are wanted.
  public init(
    users: Set<IdentifierHash>, devices: Set<IdentifierHash>, united: IdentityGraph
  ) {
    self.united = united
    self.users = users
    self.devices = devices
  }

  /// Takes a segment's runs in, without facts that count no longer: they say nothing of anybody.
  ///
  /// - Parameter wanted: by the number of a source in the pack, whether its facts count.
  public mutating func add(_ segment: StoredBytes, of wanted: [Bool]) throws {
    try segment.forEachRun(of: wanted) { user, device, facts in
      if user.isMissing { return }
      let user = united.person(of: user)
      if users.contains(user) {
        seenUsers.insert(user)
        if !device.isMissing { devicesOfUsers.insert(device) }
      }
      if devices.contains(device) {
        for stored in facts {
          moments[device, default: [:]][stored.fact.timeMilliseconds, default: []].insert(user)
        }
      }
    }
  }

  /// All users seen on a device.
  public func users(on device: IdentifierHash) -> Set<IdentifierHash> {
    (moments[device] ?? [:]).values.reduce(into: []) { $0.formUnion($1) }
  }

  /// The spans in which facts with this device alone can belong to the user (definitions 3.2, 3.3).
  ///
  /// - Parameter limits: the `stitch_within` of each flow, in milliseconds.
  public func spans(
    of user: IdentifierHash, on device: IdentifierHash, within limits: Set<Int64>
  ) -> [ClosedRange<Int64>] {
    let all = users(on: device)
    if all == [user] { return [Int64.min...Int64.max] }
    if all.count > DeviceUsers.maximumUsersPerDevice { return [] }
    var spans: [ClosedRange<Int64>] = []
    // The wider of two limits need not hold what the narrower one does: behind the user's last
    // sighting it reaches further, but sooner gives the facts to the user who is seen next.
    let limits = limits.sorted()
    guard let widest = limits.last else { return [] }
    var before: (moment: Int64, isOwn: Bool)?
    for (moment, seen) in (moments[device] ?? [:]).sorted(by: { $0.key < $1.key }) {
      let isOwn = seen == [user]
      let first = before.map { $0.moment + 1 } ?? Int64.min
      if isOwn {
        // Between two sightings of the user there is no limit.
        let reach = before?.isOwn == true ? first : max(first, moment.reaching(back: widest))
        spans.append(reach...moment)
      } else if before?.isOwn == true {
        // After the user's last sighting, where the next user's is too far away.
        for limit in limits {
          let end = min(first.reaching(on: limit - 1), moment.reaching(back: limit + 1))
          if first <= end { spans.append(first...end) }
        }
      }
      before = (moment, isOwn)
    }
    if let before, before.isOwn, widest > 0 {
      spans.append(before.moment + 1...before.moment.reaching(on: widest))
    }
    return spans
  }
}

// Moments of facts are far from both ends, but limits are whatever a flow file says.
extension Int64 {
  fileprivate func reaching(back milliseconds: Int64) -> Int64 {
    let (moment, isOver) = subtractingReportingOverflow(milliseconds)
    return isOver ? .min : moment
  }

  fileprivate func reaching(on milliseconds: Int64) -> Int64 {
    let (moment, isOver) = addingReportingOverflow(milliseconds)
    return isOver ? .max : moment
  }
}
