import Synchronization
import Testing
import WorkerThreads

/// A thread does its work, or says why there is none.
struct SystemThreadTests {
  @Test func theWorkIsDoneWhenItIsJoined() throws {
    final class Done: Sendable { let count = Atomic(0) }
    let done = Done()
    let threads = try (0..<4).map { _ in
      try SystemThread { done.count.add(1, ordering: .relaxed) }
    }
    for thread in threads { thread.join() }
    #expect(done.count.load(ordering: .relaxed) == 4)
  }

  @Test func aThreadThatIsNotGrantedIsAnError() {
    // No machine has so much memory for a stack.
    #expect(throws: SystemThread.Refusal.self) { try SystemThread(stackBytes: 1 << 55) {} }
  }
}
