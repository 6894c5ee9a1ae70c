internal import EventInput

/// Brings facts that name only a device to their persons, and users who are one person together,
/// wherever the facts stand:
///
///     facts by user ──► who was seen on which device, by device           (`SightingSweep`)
///     facts by device ──► one user, or nobody: to that person at once     (`DeviceStitcher`)
///                     ──► several users: wait, and their devices are noted
///     facts by user, on such a device ──► when that was, by device        (`MomentSweep`)
///     what waits ──► to whom the time says; facts of users who are
///                    another person ──► to that person                    (`WaitingStitcher`)
///
/// The last two mostly have little to do, or nothing: few devices have several users.
struct Stitching: Sendable {
  /// Facts by partition of their user.
  let users: [FactSource]
  /// Facts with a device only, by partition of the device.
  let devices: [FactSource]
  let united: IdentityGraph
  /// How far from a fact a user may be seen to be its owner.
  let limit: Int64
  let watchedDevices: Set<IdentifierHash>
  /// What facts were spilled by, where any were.
  let budget: FactBudget?
  let workers: Int

  /// Moves facts to logs of their own, with the codes of the run. Facts without a user stay
  /// where they are.
  func stitch() async throws(SpillError) -> StitchedShare {
    let sightings = try await SightingSweep.run(workers: workers) { [users, budget] in
      SightingSweep(users, PassLog("sightings.facts", budget))
    }
    var all = StitchedShare()
    var devices = DeviceFilter()
    let found = try await DeviceStitcher.run(workers: workers) { [self] in
      DeviceStitcher(self, sightings: sightings)
    }
    for output in found {
      all.formUnion(output.share)
      devices.formUnion(output.devicesOfWaiting)
    }
    forget(sightings)
    if devices.isEmpty && united.isEmpty { return all }
    let byTime = devices
    let moments = try await MomentSweep.run(workers: byTime.isEmpty ? 0 : workers) {
      [users, budget] in MomentSweep(users, on: byTime, PassLog("moments.facts", budget))
    }
    let waiting = found.map(\.waiting)
    let rest = try await WaitingStitcher.run(workers: workers) { [self] in
      WaitingStitcher(self, waiting: waiting, moments: moments)
    }
    for share in rest { all.formUnion(share) }
    forget(waiting + moments)
    return all
  }

  /// Removes what nobody reads any more from the disk.
  private func forget(_ logs: [FactLog]) {
    for log in logs {
      if let file = log.file { budget?.folder.removeFile(file) }
    }
  }
}
