public import EventInput

/// Whose facts may not be kept: users, and devices for some time or for good. Hashes, no ids.
public struct ForgottenPersons: Sendable, Equatable {
  /// Users none of whose facts may be kept, whenever they happened.
  public private(set) var users: Set<IdentifierHash> = []
  /// Facts with this device alone, in these spans.
  public private(set) var devices: [IdentifierHash: [ClosedRange<Int64>]] = [:]

  /// Nobody is forgotten.
  public init() {}

  /// Forgets a user, with all of their facts.
  public mutating func insert(user: IdentifierHash) { users.insert(user) }

  /// Forgets the facts of a span that name this device and no user.
  public mutating func insert(device: IdentifierHash, milliseconds: ClosedRange<Int64>) {
    devices[device, default: []].append(milliseconds)
  }

  /// Whether everything may be kept.
  public var isEmpty: Bool { users.isEmpty && devices.isEmpty }

  /// Devices that are forgotten for good.
  public var wholeDevices: Set<IdentifierHash> {
    Set(devices.filter { $0.value.contains(Int64.min...Int64.max) }.keys)
  }

  /// Whether a fact may not be kept.
  func contains(user: IdentifierHash, device: IdentifierHash, at milliseconds: Int64) -> Bool {
    if !user.isMissing { return users.contains(user) }
    return isUser(device) || devices[device]?.contains { $0.contains(milliseconds) } ?? false
  }

  /// Whether some facts of this user, or of this device alone, may not be kept.
  func concerns(user: IdentifierHash, device: IdentifierHash) -> Bool {
    user.isMissing ? isUser(device) || devices[device] != nil : users.contains(user)
  }

  /// Whether a device has a forgotten user's own id, as it may where users' and devices' ids are in
  /// one space (`IdentifierKey.inOneSpace`).
  private func isUser(_ device: IdentifierHash) -> Bool { users.contains(device) }
}
