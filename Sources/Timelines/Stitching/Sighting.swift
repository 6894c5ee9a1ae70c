internal import EventInput

/// A user seen on a device at a moment.
struct Sighting: Sendable {
  var timeMilliseconds: Int64
  var user: IdentifierHash

  /// The person a fact belongs to that names only the device (definitions 3): the first user seen
  /// at or after the time if near enough, or the last user before it as well; else the last before
  /// it if near enough. `nil` where there is none, or two users tie.
  ///
  /// - Parameters:
  ///   - seen: all sightings on the device, in order of time.
  ///   - limit: how far from a fact a user may be seen to be its owner.
  static func owner(
    of time: Int64, seen: [Sighting], within limit: Int64
  ) -> IdentifierHash? {
    var low = 0
    var high = seen.count
    while low < high {
      let middle = (low + high) / 2
      if seen[middle].timeMilliseconds < time { low = middle + 1 } else { high = middle }
    }
    let before = low > 0 ? low - 1 : nil
    if low < seen.count {
      let next = onlyUser(seen, at: low)
      if seen[low].timeMilliseconds - time <= limit { return next }
      if let next, let before, onlyUser(seen, at: before) == next { return next }
    }
    guard let before, time - seen[before].timeMilliseconds <= limit else { return nil }
    return onlyUser(seen, at: before)
  }

  /// The user of all sightings at the moment of one; `nil` for several.
  private static func onlyUser(_ seen: [Sighting], at place: Int) -> IdentifierHash? {
    let (moment, user) = (seen[place].timeMilliseconds, seen[place].user)
    var index = place
    while index > 0 && seen[index - 1].timeMilliseconds == moment { index -= 1 }
    while index < seen.count && seen[index].timeMilliseconds == moment {
      if seen[index].user != user { return nil }
      index += 1
    }
    return user
  }
}
