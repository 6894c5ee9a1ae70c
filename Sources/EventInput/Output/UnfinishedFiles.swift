internal import Synchronization

/// All that this process is writing under a name that is not its last, and what takes it away: a
/// run that ends early leaves none of it behind.
package enum UnfinishedFiles {
  private struct State {
    var discards: [Int: @Sendable () -> Void] = [:]
    var last = 0
    var isOver = false
  }

  private static let state = Mutex(State())

  /// Makes something unfinished, with what takes it away again if it is still there.
  ///
  /// - Returns: what was made, and the number that it is known by until `remove`.
  /// - Throws: what `make` throws, and an `InputProblem` after `discardAll`.
  package static func add<Made>(
    _ make: () throws -> sending (Made, @Sendable () -> Void)
  ) throws -> sending (Made, Int) {
    // Made while nothing can be discarded: whatever there is on disk is known here.
    try state.withLock { state in
      if state.isOver { throw InputProblem(name: "", message: "is interrupted") }
      let (made, discard) = try make()
      state.last += 1
      state.discards[state.last] = discard
      return (made, state.last)
    }
  }

  /// Something is finished, or gone.
  package static func remove(_ number: Int) {
    state.withLock { state in _ = state.discards.removeValue(forKey: number) }
  }

  /// Takes everything away; from here on nothing new can be begun.
  package static func discardAll() {
    let discards = state.withLock { state in
      state.isOver = true
      return state.discards
    }
    for (_, discard) in discards.sorted(by: { $0.key < $1.key }) { discard() }
  }
}
