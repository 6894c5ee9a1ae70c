/// Two ids of users whom an event says to be one person (definitions 3.5).
public struct UserLink: Sendable, Hashable {
  /// The user that the event names.
  public var user: IdentifierHash
  /// The other id of that person.
  public var other: IdentifierHash
  /// When the event says so, in milliseconds since 1970.
  public var timeMilliseconds: Int64

  /// A link; which of the two ids comes first makes no difference to who is united.
  public init(user: IdentifierHash, other: IdentifierHash, timeMilliseconds: Int64) {
    self.user = user
    self.other = other
    self.timeMilliseconds = timeMilliseconds
  }
}
