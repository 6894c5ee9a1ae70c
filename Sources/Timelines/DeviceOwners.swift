internal import EventInput

/// `DeviceResolution` for one worker: answers by that worker's numbers of devices, and notes what
/// came of it.
struct DeviceOwners {
  private let resolution: DeviceResolution
  private let worker: Int
  private let keys: [IdentifierHash]
  private let watchedDevices: Set<IdentifierHash>
  /// The owners of the watched devices's facts.
  private(set) var watchedPersons: Set<IdentifierHash> = []
  /// Facts that went to a user.
  var stitchedFacts = 0

  init(
    _ resolution: DeviceResolution, worker: Int, keys: [IdentifierHash],
    watchedDevices: Set<IdentifierHash>
  ) {
    self.resolution = resolution
    self.worker = worker
    self.keys = keys
    self.watchedDevices = watchedDevices
  }

  /// The person a fact belongs to that names only this device, and the time for which that holds.
  mutating func owner(
    ofDevice number: Int, at timeMilliseconds: Int64
  ) -> (key: IdentifierHash, times: ClosedRange<Int64>) {
    let key = keys[number]
    let device = resolution.device(worker: worker, number: number)
    let found = resolution.owner(of: device, key: key, at: timeMilliseconds)
    if watchedDevices.contains(key) { watchedPersons.insert(found.owner) }
    return (found.owner, found.times)
  }
}
