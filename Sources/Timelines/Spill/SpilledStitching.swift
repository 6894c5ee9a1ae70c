internal import EventInput

/// Brings device-only facts of segments to their persons, in up to three passes:
///
///     pairs of device and user + device-only facts, by device
///        ──► one user, or nobody: to that person at once              (`DeviceStitcher`)
///        ──► several users: waits, and its devices are noted
///     facts of users, by user: on such a device? ──► moments, by device (`SightingFinder`)
///     what waits + moments, by device ──► to whom the time says        (`WaitingStitcher`)
///
/// The last two have little to do, or nothing: few devices have several users.
struct SpilledStitching {
  let segments: [Segment]
  let codes: [CodeMap]
  let united: UnitedUsers
  /// How far from a fact a user may be seen to be its owner.
  let limit: Int64
  let watchedDevices: Set<IdentifierHash>
  let folder: SpillFolder
  let workers: Int

  /// Writes all facts that named only a device once more, by their persons.
  func stitch() async throws(SpillError) -> StitchedShare {
    let target = try folder.makeFile("stitched.segment")
    let aside = try folder.makeFile("waiting.segment")
    defer { folder.removeFile(aside) }
    let (segments, codes, united, watchedDevices) = (segments, codes, united, watchedDevices)
    let limit = limit
    let shares = try await DeviceStitcher.run(workers: workers) {
      DeviceStitcher(
        segments, codes: codes, united: united, limit: limit, watchedDevices: watchedDevices,
        stitched: target, waiting: aside)
    }
    var all = shares.reduce(into: StitchedShare()) { $0.formUnion($1) }
    let (waiting, devices) = (all.waiting, all.devicesOfWaiting)
    if devices.isEmpty { return all }
    let moments = try await SightingFinder.run(workers: workers) {
      SightingFinder(segments, devices: devices, target: aside)
    }
    let rest = try await WaitingStitcher.run(workers: workers) {
      WaitingStitcher(
        waiting: waiting, moments: moments, united: united, limit: limit,
        watchedDevices: watchedDevices, stitched: target)
    }
    for share in rest { all.formUnion(share) }
    return all
  }
}
