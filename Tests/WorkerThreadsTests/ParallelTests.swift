import Synchronization
import Testing
import WorkerThreads

/// Pieces of work, in order whichever thread is first.
@Suite struct ParallelTests {
  private struct Failure: Error, Equatable { let piece: Int }

  @Test(arguments: [1, 2, 7, 100])
  func `results come in the order of the pieces`(threads: Int) async {
    for count in [0, 1, 5, 300] {
      let results = await Parallel.map(count: count, threads: threads) { $0 * 3 }
      #expect(results == (0..<count).map { $0 * 3 }, "\(count)")
    }
  }

  @Test(arguments: [1, 4])
  func `of several failures the first in the order of the pieces is thrown`(threads: Int) async {
    await #expect(throws: Failure(piece: 5)) {
      try await Parallel.map(count: 40, threads: threads) { (piece) throws(Failure) -> Int in
        if piece % 7 == 5 { throw Failure(piece: piece) }
        return piece
      }
    }
  }

  @Test func `a queue gives each piece once`() async {
    final class Taken: Sendable { let counts = Mutex([Int](repeating: 0, count: 1000)) }
    let (queue, taken) = (WorkQueue(), Taken())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { @concurrent in
          while let piece = queue.take(below: 1000) { taken.counts.withLock { $0[piece] += 1 } }
        }
      }
    }
    #expect(taken.counts.withLock { $0.allSatisfy { $0 == 1 } })
    #expect(queue.take(below: 1000) == nil)
  }
}
