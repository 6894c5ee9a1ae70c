import Synchronization
import Testing
import WorkerThreads

@testable import FirstMileCommands

/// Results that a server makes once and keeps for a while.
@Suite struct SharedResultsTests {
  private struct Failure: Error {}

  /// Counts how often something was made.
  private final class Counter: Sendable {
    private let count = Mutex(0)
    var made: Int { count.withLock { $0 } }
    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test func `a result is made once, however many ask`() async throws {
    let threads = try ComputeThreads(count: 2)
    let results = SharedResults<Int>(limit: 100) { $0 }
    let counter = Counter()
    let tasks = (0..<8).map { _ in results.begin("a", on: threads) { counter.next() } }
    for task in tasks { #expect(try await task.value == 1) }
    #expect(counter.made == 1)
    #expect(results.isDone("a") && !results.isBusy)
    results.removeAll()
    #expect(!results.isDone("a"))
    #expect(try await results.begin("a", on: threads) { counter.next() }.value == 2)
  }

  @Test func `what was not asked for lately goes where all would be too large`() async throws {
    let threads = try ComputeThreads(count: 1)
    let results = SharedResults<Int>(limit: 10) { $0 }
    for key in ["a", "b", "a", "c"] {
      _ = try await results.begin(key, on: threads) { 4 }.value
    }
    #expect(["a", "b", "c"].map(results.isDone) == [true, false, true])
    // The newest stays, however large.
    _ = try await results.begin("d", on: threads) { 40 }.value
    #expect(["a", "c", "d"].map(results.isDone) == [false, false, true])
  }

  @Test func `what failed is tried again`() async throws {
    let threads = try ComputeThreads(count: 1)
    let results = SharedResults<Int>(limit: 10) { $0 }
    let failed = results.begin("a", on: threads) { throw Failure() }
    await #expect(throws: Failure.self) { try await failed.value }
    #expect(!results.isDone("a") && !results.isBusy)
    #expect(try await results.begin("a", on: threads) { 4 }.value == 4)
  }
}
