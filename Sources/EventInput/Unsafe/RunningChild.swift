#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// A process that was started and not yet waited for: what a signal's thread may end.
final class RunningChild: Sendable {
  private let process: Mutex<pid_t?>
  private let end = Mutex<ChildProcess.End?>(nil)

  init(_ process: pid_t) { self.process = Mutex(process) }

  /// Ends it and what it started.
  func kill() {
    process.withLock { if let process = $0 { systemKill(-process, SIGKILL) } }
  }

  /// How it ended; waits for that.
  func wait() -> ChildProcess.End {
    if let end = end.withLock({ $0 }) { return end }
    guard let number = process.withLock({ $0 }) else { return .exited(0) }
    // It stays known to the system until the lock is held: nothing else has its number then.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {
    }
    var status: Int32 = 0
    process.withLock { process in
      while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
      process = nil
    }
    let signal = status & 0x7F
    let found: ChildProcess.End =
      signal == 0 ? .exited((status >> 8) & 0xFF) : .ended(signal: signal)
    end.withLock { $0 = found }
    return found
  }
}

private func systemKill(_ process: pid_t, _ signal: Int32) {
  _ = kill(process, signal)
}
