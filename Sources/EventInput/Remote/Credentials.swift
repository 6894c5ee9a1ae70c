/// What requests to a store of objects are signed with. Never to be printed, but for `origin`.
struct Credentials: Sendable {
  var accessKey: String
  var secretKey: String
  var sessionToken: String?
  /// When they end, in seconds since 1970.
  var expirySeconds: Int?
  /// Where they come from, in words.
  var origin: String
}
