internal import Synchronization
internal import WorkerThreads

/// A line of the sample before anybody knows whether it stays in it: most leave again, so their
/// values are read at the end.
struct KeptLine: Sendable {
  let bytes: [UInt8]
  let format: EventFormat

  /// The events that some lines are, `nil` for one that is none; on some threads.
  static func events(_ lines: [KeptLine], threads: Int) -> [SampledEvent?] {
    let parts = max(1, min(threads, lines.count / 1_000))
    let found = Mutex<[Int: [SampledEvent?]]>([:])
    @Sendable func read(_ part: Int) {
      let range = lines.count * part / parts..<lines.count * (part + 1) / parts
      var times = TimestampReader()
      let events = lines[range].map { text in
        times.dayOrder = text.format.dayOrder
        return JSONFlattener.scalars(of: text.bytes, format: text.format).flatMap {
          SampledEvent($0, format: text.format, times: &times)
        }
      }
      found.withLock { $0[part] = events }
    }
    // A thread that the system refuses is this one.
    let others = (1..<parts).map { part in (part, try? SystemThread { read(part) }) }
    read(0)
    for (part, thread) in others {
      if let thread { thread.join() } else { read(part) }
    }
    return found.withLock { found in (0..<parts).flatMap { found[$0] ?? [] } }
  }
}
