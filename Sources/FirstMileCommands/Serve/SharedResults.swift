import Synchronization
import WorkerThreads

/// Results by what was asked, each made once however many ask at the same time. Those that were not
/// asked for lately go where all together would be too large.
final class SharedResults<Value: Sendable>: Sendable {
  private struct Entry {
    var task: Task<Value, any Error>
    /// Distinguishes an entry from a later one with its key.
    var number: Int
    /// What it takes; `nil` while it is made.
    var size: Int?
    var lastUse: Int
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var uses = 0
    /// How many are being made, also of those that were dropped meanwhile.
    var underWay = 0
  }

  private let limit: Int
  private let size: @Sendable (Value) -> Int
  private let state = Mutex(State())

  /// - Parameter limit: how much all that are kept may take together, as `size` has it.
  init(limit: Int, size: @escaping @Sendable (Value) -> Int) {
    self.limit = limit
    self.size = size
  }

  /// Begins to make a result, unless it is there or under way.
  ///
  /// - Returns: what gives it.
  @discardableResult
  func begin(
    _ key: String, on threads: ComputeThreads, _ make: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    state.withLock { state in
      state.uses += 1
      if let entry = state.entries[key] {
        state.entries[key]?.lastUse = state.uses
        return entry.task
      }
      let number = state.uses
      state.underWay += 1
      let task = Task(executorPreference: threads) { [weak self] in
        do {
          let value = try await make()
          self?.finish(key, number, value)
          return value
        } catch {
          // What failed is tried again when it is asked for again.
          self?.forget(key, number)
          throw error
        }
      }
      state.entries[key] = Entry(task: task, number: number, size: nil, lastUse: number)
      return task
    }
  }

  /// Whether anything is being made.
  var isBusy: Bool { state.withLock { $0.underWay > 0 } }

  /// Whether it is there already.
  func isDone(_ key: String) -> Bool { state.withLock { $0.entries[key]?.size != nil } }

  /// Drops everything; what is under way still reaches those who wait for it.
  func removeAll() { state.withLock { $0.entries = [:] } }

  private func finish(_ key: String, _ number: Int, _ value: Value) {
    let own = size(value)
    state.withLock { state in
      state.underWay -= 1
      guard state.entries[key]?.number == number else { return }
      state.entries[key]?.size = own
      while true {
        let made = state.entries.compactMap { key, entry in entry.size.map { (key, entry, $0) } }
        guard made.reduce(0, { $0 + $1.2 }) > limit,
          // The one at hand stays, however large.
          let oldest = made.filter({ $0.0 != key }).min(by: { $0.1.lastUse < $1.1.lastUse })
        else { return }
        state.entries[oldest.0] = nil
      }
    }
  }

  private func forget(_ key: String, _ number: Int) {
    state.withLock { state in
      state.underWay -= 1
      if state.entries[key]?.number == number { state.entries[key] = nil }
    }
  }
}
