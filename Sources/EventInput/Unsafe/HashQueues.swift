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
  mutating func put(_ text: UnsafeRawBufferPointer, _ domain: IdentifierDomain, row: Int) {
    switch domain {
    case .user: unsafe users.put(text, row: row)
    case .device: unsafe devices.put(text, row: row)
    case .session: unsafe sessions.put(text, row: row)
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
