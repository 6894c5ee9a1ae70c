internal import EventInput

/// Facts that come back from a store, by who they are about, on their way into a collector.
///
/// Taken in together, so that a collector is asked once for many of them.
struct StoredRuns {
  /// So many facts still lie in the caches when the collector takes them in.
  private static let enough = 8192

  private(set) var users: [IdentifierHash] = []
  private(set) var devices: [IdentifierHash] = []
  /// Where each run ends in `facts`.
  private(set) var ends: [Int] = []
  private(set) var facts: [Fact] = []

  var count: Int { users.count }
  var isEnough: Bool { facts.count >= StoredRuns.enough }

  mutating func append(_ fact: Fact) { facts.append(fact) }

  /// Ends the run of what was appended since the last; one without facts is no run.
  mutating func end(user: IdentifierHash, device: IdentifierHash) {
    if facts.count == ends.last ?? 0 { return }
    users.append(user)
    devices.append(device)
    ends.append(facts.count)
  }

  mutating func removeAll() {
    users.removeAll(keepingCapacity: true)
    devices.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    facts.removeAll(keepingCapacity: true)
  }
}
