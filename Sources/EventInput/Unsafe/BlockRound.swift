internal import Synchronization
internal import WorkerThreads

/// Some blocks of a source that are judged on some threads, while another round is read.
///
/// Invariant: from `start` until `finish` only the threads of the round look at its blocks.
final class BlockRound: @unchecked Sendable {
  private static let capacity = 16

  private final class Judges {
    var ofFormat: [DetectedFormat: LineJudge] = [:]

    func judge(_ format: DetectedFormat) -> LineJudge {
      let judge = ofFormat[format] ?? LineJudge(format.format)
      ofFormat[format] = judge
      return judge
    }
  }

  private var blocks: [LineBlock] = []
  private var formats: [DetectedFormat] = []
  /// Of each thread, for a judge is used by one at a time.
  private let judges: [Judges]
  private let found = Mutex<[Int: JudgedLines]>([:])
  private var threads: [(part: Int, thread: SystemThread?)] = []

  /// Why no more could be read.
  private(set) var failure: (any Error)?

  init(threads: Int) { judges = (0..<max(1, threads)).map { _ in Judges() } }

  /// Reads the next blocks of lines.
  ///
  /// - Parameter format: that of a block.
  /// - Returns: false where nothing is left.
  func fill(_ reader: LineBlockReader, format: (LineBlock) -> DetectedFormat) -> Bool {
    formats = []
    failure = nil
    do {
      while formats.count < Self.capacity {
        if blocks.count == formats.count { blocks.append(LineBlock()) }
        let block = blocks[formats.count]
        guard try reader.next(block) else { break }
        if case .lines = block.kind { formats.append(format(block)) }
      }
    } catch {
      failure = error
    }
    return !formats.isEmpty || failure != nil
  }

  /// Begins to judge the blocks.
  func start() {
    found.withLock { $0 = [:] }
    // A thread that the system refuses is the one that finishes, and so is that of a single block.
    let parts = min(judges.count, formats.count)
    threads = (0..<parts).map { part in
      (part, parts > 1 ? try? SystemThread { self.judge(part) } : nil)
    }
  }

  /// Waits until all blocks are judged.
  ///
  /// - Returns: the blocks in their order.
  func finish() -> [(block: LineBlock, format: DetectedFormat, lines: JudgedLines)] {
    for (part, thread) in threads {
      if let thread { thread.join() } else { judge(part) }
    }
    threads = []
    let found = found.withLock { $0 }
    return formats.indices.map { (blocks[$0], formats[$0], found[$0] ?? JudgedLines()) }
  }

  private func judge(_ part: Int) {
    let parts = min(judges.count, formats.count)
    for index in stride(from: part, to: formats.count, by: parts) {
      let lines = blocks[index].judged(judges[part].judge(formats[index]))
      found.withLock { $0[index] = lines }
    }
  }
}
