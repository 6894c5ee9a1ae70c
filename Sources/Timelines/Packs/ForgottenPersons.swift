public import EventInput

/// Whose facts may not be kept: users, and devices for some time or for good. Hashes, no ids.
public struct ForgottenPersons: Sendable, Equatable {
  /// Users none of whose facts may be kept, whenever they happened.
  public private(set) var users: Set<IdentifierHash> = []
  /// Facts with this device alone, in these spans: in order, and none of two that touch.
  public private(set) var devices: [IdentifierHash: [ClosedRange<Int64>]] = [:]

  /// Nobody is forgotten.
  public init() {}

  /// Forgets a user, with all of their facts.
  public mutating func insert(user: IdentifierHash) { users.insert(user) }

  /// Forgets the facts of a span that name this device and no user.
  public mutating func insert(device: IdentifierHash, milliseconds: ClosedRange<Int64>) {
    devices[device, default: []].unite(milliseconds)
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
    return isUser(device) || devices[device]?.hold(milliseconds) ?? false
  }

  /// Whether some facts of this user, or of this device alone, may not be kept.
  func concerns(user: IdentifierHash, device: IdentifierHash) -> Bool {
    user.isMissing ? isUser(device) || devices[device] != nil : users.contains(user)
  }

  /// Whether a device has a forgotten user's own id, as it may where users' and devices' ids are in
  /// one space (`IdentifierKey.inOneSpace`).
  private func isUser(_ device: IdentifierHash) -> Bool { users.contains(device) }
}

// A device that changes hands often has a span for each time, and each fact of it is looked up.
extension [ClosedRange<Int64>] {
  /// Adds a span to those that are in order and don't touch, and keeps them so.
  fileprivate mutating func unite(_ span: ClosedRange<Int64>) {
    guard let last else { return append(span) }
    // The first condition keeps the sum from overflowing.
    if last.upperBound < span.lowerBound && last.upperBound + 1 < span.lowerBound {
      return append(span)
    }
    if last.lowerBound <= span.lowerBound {
      self[count - 1] = last.lowerBound...Swift.max(last.upperBound, span.upperBound)
      return
    }
    let all = (self + [span]).sorted { $0.lowerBound < $1.lowerBound }
    self = []
    for span in all { unite(span) }
  }

  /// Whether a moment is in any of the spans.
  fileprivate func hold(_ moment: Int64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound < moment { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].lowerBound <= moment
  }
}
