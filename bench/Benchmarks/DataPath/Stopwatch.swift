import Foundation

/// CPU time of this process, all threads: other programs on the machine disturb it little.
struct Stopwatch {
  private let start = Stopwatch.now()

  func nanoseconds(each count: Int) -> Int {
    (Stopwatch.now() - start + count / 2) / max(1, count)
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
