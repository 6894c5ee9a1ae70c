internal import EventInput

/// Who was seen on the devices of one partition, whenever that was.
struct DeviceUsers {
  /// Whose the facts are that name only a device.
  enum Owner {
    /// At any time this person's: of nobody but the device.
    case always(IdentifierHash)
    /// The only user's within a span of time, else the device's.
    case near(IdentifierHash, ClosedRange<Int64>)
    /// Of one user or another, as the time says.
    case byTime
  }

  private var devices = IdentifierTable()
  private var onlyUser: [IdentifierHash] = []
  private var seen: [SeenSpan] = []
  private let limit: Int64
  /// Devices with several users; they are shared if too many.
  private var several: [UInt32: Set<IdentifierHash>] = [:]

  /// - Parameters:
  ///   - pairs: one partition's lists of devices and their users.
  ///   - limit: how far from a fact a user may be seen to be its owner.
  init(
    _ pairs: [SegmentBytes], united: UnitedUsers, within limit: Int64
  ) throws(SpillError) {
    self.limit = limit
    var keys: [IdentifierHash] = []
    var users: [IdentifierHash] = []
    var spans: [SeenSpan] = []
    for list in pairs {
      try list.forEachRecord { (head, reader) throws(SpillError) in
        keys.append(head.key)
        users.append(united.person(of: head.partner))
        var span = SeenSpan()
        SightingCoding.readMoments(head.count, from: &reader) { span.add($0) }
        spans.append(span)
      }
    }
    for (index, device) in devices.intern(all: keys).enumerated() {
      let user = users[index]
      if Int(device) == onlyUser.count {
        onlyUser.append(user)
        seen.append(SeenSpan())
      }
      seen[Int(device)].formUnion(spans[index])
      if onlyUser[Int(device)] != user { note(user, on: device) }
    }
  }

  /// Devices with more users than one person's device can have.
  var sharedCount: Int { several.values.count(where: DeviceUsers.isTooMany) }
  /// Devices with two users or more that are stitched by time.
  var severalCount: Int { several.count - sharedCount }

  func owner(of key: IdentifierHash) -> Owner {
    guard let device = devices.find(key) else { return .always(key) }
    guard let users = several[device] else {
      return .near(onlyUser[Int(device)], seen[Int(device)].near(limit))
    }
    return DeviceUsers.isTooMany(users) ? .always(key) : .byTime
  }

  private mutating func note(_ user: IdentifierHash, on device: UInt32) {
    var users = several.removeValue(forKey: device) ?? [onlyUser[Int(device)]]
    if !DeviceUsers.isTooMany(users) { users.insert(user) }
    several[device] = users
  }

  private static func isTooMany(_ users: Set<IdentifierHash>) -> Bool {
    users.count > DeviceResolution.maximumUsersPerDevice
  }
}
