internal import EventInput
internal import FlowDefinition

/// Whose the runs of one partition's segments are, once devices and aliases have been resolved.
struct RunOwners: Sendable {
  let identity: IdentityRule
  /// Users who are one person with another, whose key is not their own.
  let united: IdentityGraph
  /// Whether the partition was stitched: then what had to move stands in segments that stitching
  /// wrote, and counts there.
  let isStitched: Bool
  /// By pack: whether stitching wrote it. Its runs name their person in the place of the user.
  let isFromStitching: [Bool]

  /// The person whose run it is; `nil` where it counts elsewhere or nowhere.
  func person(
    _ pack: Int, user: IdentifierHash, device: IdentifierHash
  ) -> IdentifierHash? {
    if isFromStitching[pack] { return user }
    switch identity {
    case .user: return user.isMissing ? nil : user
    case .device:
      if device.isMissing { return nil }
      return user.isMissing || !isStitched ? device : nil
    case .stitched:
      if user.isMissing { return isStitched ? nil : device }
      return united.person(of: user) == user ? user : nil
    }
  }
}
