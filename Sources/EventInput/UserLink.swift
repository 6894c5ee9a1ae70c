/// Two ids of users whom an event says to be one person (definitions 3.5).
public struct UserLink: Sendable, Hashable {
  public var user: IdentifierHash
  public var other: IdentifierHash
  public var timeMilliseconds: Int64

  public init(user: IdentifierHash, other: IdentifierHash, timeMilliseconds: Int64) {
    self.user = user
    self.other = other
    self.timeMilliseconds = timeMilliseconds
  }
}
