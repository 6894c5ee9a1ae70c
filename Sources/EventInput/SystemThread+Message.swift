package import WorkerThreads

extension SystemThread.Refusal {
  /// The system's words for it.
  package var message: String { systemMessage(number) }
}
