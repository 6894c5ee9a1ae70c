internal import EventInput

/// Who was seen on the devices of one partition, whenever that was.
struct DeviceUsers {
  static let maximumUsersPerDevice = 5

  /// Whose the facts are that name only a device.
  enum Owner: Sendable {
    /// At any time this person's: of nobody but the device.
    case always(IdentifierHash)
    /// The only user's within a span of time, else the device's.
    case near(IdentifierHash, ClosedRange<Int64>)
    /// Of one user or another, as the time says.
    case byTime
  }

  private var devices = IdentifierTable()
  private var onlyUser: [IdentifierHash] = []
  private var spans: [SeenSpan] = []
  private let limit: Int64
  /// Devices with several users; they are shared if too many.
  private var several: [UInt32: Set<IdentifierHash>] = [:]

  /// - Parameters:
  ///   - seen: all that is known of one partition's devices.
  ///   - limit: how far from a fact a user may be seen to be its owner.
  init(_ seen: some Sequence<SeenUser>, united: IdentityGraph, within limit: Int64) {
    self.limit = limit
    for seen in seen {
      let device = devices.intern(seen.device)
      let user = united.person(of: seen.user)
      if Int(device) == onlyUser.count {
        onlyUser.append(user)
        spans.append(SeenSpan())
      }
      spans[Int(device)].formUnion(seen.span)
      if onlyUser[Int(device)] != user { note(user, on: device) }
    }
  }

  /// Devices on which a user was seen.
  var count: Int { onlyUser.count }
  /// Devices with more users than one person's device can have.
  var sharedCount: Int { several.values.count(where: DeviceUsers.isTooMany) }
  /// Devices with two users or more that are stitched by time.
  var severalCount: Int { several.count - sharedCount }

  func owner(of key: IdentifierHash) -> Owner {
    guard let device = devices.find(key) else { return .always(key) }
    guard let users = several[device] else {
      return .near(onlyUser[Int(device)], spans[Int(device)].near(limit))
    }
    return DeviceUsers.isTooMany(users) ? .always(key) : .byTime
  }

  private mutating func note(_ user: IdentifierHash, on device: UInt32) {
    var users = several.removeValue(forKey: device) ?? [onlyUser[Int(device)]]
    if !DeviceUsers.isTooMany(users) { users.insert(user) }
    several[device] = users
  }

  private static func isTooMany(_ users: Set<IdentifierHash>) -> Bool {
    users.count > DeviceUsers.maximumUsersPerDevice
  }
}
