import Synchronization

/// What must be cleared away when a server ends, of all that is read at that moment.
final class OpenFolders: Sendable {
  private let state = Mutex((next: 0, clearings: [Int: @Sendable () -> Void]()))

  func add(_ clear: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.clearings[state.next] = clear
      return state.next
    }
  }

  func close(_ number: Int) { state.withLock { $0.clearings.removeValue(forKey: number) }?() }

  func closeAll() {
    let all = state.withLock { state in
      defer { state.clearings = [:] }
      return state.clearings
    }
    for number in all.keys.sorted() { all[number]?() }
  }
}
