internal import EventInput

/// What came of the facts that a worker brought to their persons.
struct StitchedShare: Sendable {
  /// Facts by partition of their person, with the codes of the run.
  var logs: [FactLog] = []
  var stitchedFacts = 0
  var sharedDevices = 0
  var devicesWithSeveralUsers = 0
  var devicesWithUsers = 0
  /// The owners of the watched devices' facts, and the users seen there.
  var watchedPersons: Set<IdentifierHash> = []

  mutating func formUnion(_ other: StitchedShare) {
    logs += other.logs
    stitchedFacts += other.stitchedFacts
    sharedDevices += other.sharedDevices
    devicesWithSeveralUsers += other.devicesWithSeveralUsers
    devicesWithUsers += other.devicesWithUsers
    watchedPersons.formUnion(other.watchedPersons)
  }
}
