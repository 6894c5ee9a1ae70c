import EventInput
import Synchronization

/// Rejects on their way, for a run that fails: lines with raw ids must not stay where nobody looks.
///
/// Workers may still hold a writer when the run has ended; what was put into place stays.
final class UnfinishedRejects: Sendable {
  private let writers = Mutex<[RejectWriter]>([])

  func add(_ writer: RejectWriter) { writers.withLock { $0.append(writer) } }

  func discard() {
    for writer in writers.withLock({ $0 }) { writer.discard() }
  }
}
