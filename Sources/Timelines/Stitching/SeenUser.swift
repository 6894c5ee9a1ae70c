internal import EventInput

/// A user who was seen on a device, and from when to when.
struct SeenUser: Sendable {
  var device: IdentifierHash
  var user: IdentifierHash
  var span = SeenSpan()

  /// What a record says in a log of sightings, whose keys are devices and whose devices are users.
  static func fact(at milliseconds: Int64) -> Fact {
    Fact(timeMilliseconds: milliseconds, action: 0, context: 0, session: 0)
  }

  /// Adds when this user was first and last seen to such a log.
  func add(to log: FactLog) {
    for moment in span.ends {
      log.append(
        SeenUser.fact(at: moment), key: device, device: user,
        to: FactCollector.partition(of: device))
    }
  }

  /// What such logs say of the devices of one partition.
  static func all(in logs: [FactLog], partition: Int) throws(SpillError) -> [SeenUser] {
    var all: [SeenUser] = []
    for log in logs {
      try log.read(partition).forEach(remembering: RecordBase()) { base, record in
        base.take(record)
        var seen = SeenUser(device: base.key, user: base.device)
        seen.span.add(record.timeMilliseconds)
        all.append(seen)
      }
    }
    return all
  }
}
