/// The ids of some lines that are hashed together, by domain.
struct HashQueues {
  private var users: HashQueue
  private var devices: HashQueue
  private var sessions: HashQueue

  init(_ key: IdentifierKey) {
    users = HashQueue(key.user)
    devices = HashQueue(key.device)
    sessions = HashQueue(key.session)
  }

  func deallocate() {
    users.deallocate()
    devices.deallocate()
    sessions.deallocate()
  }

  @inline(__always)
  mutating func put(_ id: IdentifierText, _ domain: IdentifierDomain, row: Int) {
    switch domain {
    case .user: users.put(id, row: row)
    case .device: devices.put(id, row: row)
    case .session: sessions.put(id, row: row)
    }
  }

  /// How many ids wait, by domain.
  @inline(__always)
  var mark: (Int, Int, Int) { (users.count, devices.count, sessions.count) }

  /// Forgets what was put after the mark.
  mutating func forget(after mark: (Int, Int, Int)) {
    (users.count, devices.count, sessions.count) = mark
  }

  /// Writes all hashes into the rows.
  mutating func flush(_ columns: EventColumns) {
    users.flush { unsafe columns.users[$0] = IdentifierKey.notMissing($1) }
    devices.flush { unsafe columns.devices[$0] = IdentifierKey.notMissing($1) }
    sessions.flush { unsafe columns.sessions[$0] = IdentifierKey.session($1) }
  }
}
