import Synchronization

/// What is kept until the process ends: the system takes the memory of a big run back at once,
/// which giving it up piece by piece does not.
enum UntilExit {
  private static let kept = Mutex<[any Sendable]>([])

  static func keep(_ value: some Sendable) {
    kept.withLock { $0.append(value) }
  }
}
