internal import EventInput

/// Who was seen on the devices of one partition, whenever that was.
struct DeviceUsers {
  /// Whose the facts are that name only a device.
  enum Owner {
    /// At any time this person's: the only user's, or of nobody but the device.
    case always(IdentifierHash)
    /// Of one user or another, as the time says.
    case byTime
  }

  private var devices = IdentifierTable()
  private var onlyUser: [IdentifierHash] = []
  /// Devices with several users; they are shared if too many.
  private var several: [UInt32: Set<IdentifierHash>] = [:]

  /// - Parameter pairs: one partition's lists of devices and their users.
  init(_ pairs: [SegmentBytes], united: UnitedUsers) throws(SpillError) {
    var keys: [IdentifierHash] = []
    var users: [IdentifierHash] = []
    for list in pairs {
      try list.forEachRecord { (head, _) throws(SpillError) in
        keys.append(head.key)
        users.append(united.person(of: head.partner))
      }
    }
    for (device, user) in zip(devices.intern(all: keys), users) {
      if Int(device) == onlyUser.count { onlyUser.append(user) }
      if onlyUser[Int(device)] != user { note(user, on: device) }
    }
  }

  /// Devices with more users than one person's device can have.
  var sharedCount: Int { several.values.count(where: DeviceUsers.isTooMany) }
  /// Devices with two users or more that are stitched by time.
  var severalCount: Int { several.count - sharedCount }

  func owner(of key: IdentifierHash) -> Owner {
    guard let device = devices.find(key) else { return .always(key) }
    guard let users = several[device] else { return .always(onlyUser[Int(device)]) }
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
