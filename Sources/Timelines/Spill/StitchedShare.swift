internal import EventInput

/// What came of the facts that one worker brought to their persons.
struct StitchedShare: Sendable {
  /// Facts by partition of their person, with the codes of the run.
  var stitched: [Segment] = []
  /// Facts by partition of their device, with the codes of the run, for which the time decides.
  var waiting: [Segment] = []
  /// The devices of what waits.
  var devicesOfWaiting = DeviceFilter()
  var stitchedFacts = 0
  var sharedDevices = 0
  var devicesWithSeveralUsers = 0
  /// The owners of the watched device's facts, and the users seen there.
  var watchedPersons: Set<IdentifierHash> = []

  mutating func formUnion(_ other: StitchedShare) {
    stitched += other.stitched
    waiting += other.waiting
    devicesOfWaiting.formUnion(other.devicesOfWaiting)
    stitchedFacts += other.stitchedFacts
    sharedDevices += other.sharedDevices
    devicesWithSeveralUsers += other.devicesWithSeveralUsers
    watchedPersons.formUnion(other.watchedPersons)
  }
}
