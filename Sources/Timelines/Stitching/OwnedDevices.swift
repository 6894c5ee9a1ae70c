internal import EventInput

/// The devices of one partition whose facts belong to somebody, and to whom.
///
/// Facts of all other devices stay where they are.
struct OwnedDevices: Sendable {
  private var devices = IdentifierTable(minimumCapacity: 0)
  private var owners: [DeviceUsers.Owner] = []

  var isEmpty: Bool { owners.isEmpty }

  mutating func add(_ device: IdentifierHash, _ owner: DeviceUsers.Owner) {
    if devices.intern(device) == owners.count { owners.append(owner) }
  }

  /// Whose the facts of a device are that stand in this partition.
  func owner(of device: IdentifierHash) -> DeviceUsers.Owner {
    devices.find(device).map { owners[Int($0)] } ?? .always(device)
  }
}
