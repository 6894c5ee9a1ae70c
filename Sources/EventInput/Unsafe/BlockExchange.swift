import Foundation
import WorkerThreads

/// Reads blocks in a thread of its own while others are scanned.
///
/// A few blocks go round: free → filled by the reader's thread → scanned → free. Everything that
/// both threads touch is in `queues`, under `condition`; a block belongs to the thread that took
/// it.
final class BlockExchange: @unchecked Sendable {
  private let condition = NSCondition()
  private var free: [LineBlock]
  private var filled: [LineBlock] = []
  private var isStopped = false
  private var result: Result<SourceDigest?, InputProblem>?

  init(blocks: [LineBlock]) { free = blocks }

  /// Begins to read; where the system grants no thread, that is the outcome.
  func start(_ reader: LineBlockReader) {
    do throws(SystemThread.Refusal) {
      _ = try SystemThread(stackBytes: 1 << 20) { self.run(reader) }
    } catch {
      let message = "cannot be read: the system grants no thread (\(error.message))"
      end(.failure(InputProblem(name: reader.sourceName, message: message)))
    }
  }

  /// The next block in order; nil at the end.
  func take() -> LineBlock? {
    condition.lock()
    defer { condition.unlock() }
    while filled.isEmpty && result == nil { condition.wait() }
    return filled.isEmpty ? nil : filled.removeFirst()
  }

  func giveBack(_ block: LineBlock) {
    condition.lock()
    free.append(block)
    condition.signal()
    condition.unlock()
  }

  /// The file's digest, or why it could not be read to the end. After `take` gave nil.
  func outcome() -> Result<SourceDigest?, InputProblem> {
    condition.lock()
    defer { condition.unlock() }
    return result ?? .success(nil)
  }

  /// Ends the thread and waits until it no longer touches the reader or a block.
  func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    while result == nil { condition.wait() }
    condition.unlock()
  }

  private func run(_ reader: LineBlockReader) {
    var outcome: Result<SourceDigest?, InputProblem> = .success(nil)
    do {
      while let block = takeFree() {
        guard try reader.next(block) else {
          outcome = .success(try reader.file.finishDigest())
          break
        }
        put(block)
      }
    } catch let problem as InputProblem {
      outcome = .failure(problem)
    } catch {
      outcome = .failure(InputProblem(name: "", message: "\(error)"))
    }
    end(outcome)
  }

  private func end(_ outcome: Result<SourceDigest?, InputProblem>) {
    condition.lock()
    result = outcome
    condition.broadcast()
    condition.unlock()
  }

  private func takeFree() -> LineBlock? {
    condition.lock()
    defer { condition.unlock() }
    while free.isEmpty && !isStopped { condition.wait() }
    return isStopped ? nil : free.removeLast()
  }

  private func put(_ block: LineBlock) {
    condition.lock()
    filled.append(block)
    condition.signal()
    condition.unlock()
  }
}
