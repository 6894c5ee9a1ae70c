internal import EventInput

/// A user who was seen on a device, and from when to when.
struct SeenUser: Sendable {
  var device: IdentifierHash
  var user: IdentifierHash
  var span = SeenSpan()
}
