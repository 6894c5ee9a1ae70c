public import OnboardingEvents

/// Why there is no result.
public enum FunnelAnalysisError: Error, Sendable, Hashable {
  /// The flow was built in code and is wrong; all mistakes in words.
  case invalidFlow(String)
  /// Inputs that can't be read, with the reason; nothing is counted without them.
  case unreadable([String])
  /// An event in memory that can't be counted.
  ///
  /// - Parameter position: counted from 1, in the order of the sequence.
  case invalidEvent(position: Int, EventMistake)
  /// The store lacks what the flow asks for; the sources that have to be ingested again.
  case storeNeedsReading([String])
  /// A store, spilled facts or the flow's size stood in the way; the reason in words.
  case failed(String)
  /// The reports can't be written.
  case notWritten(folder: String, reason: String)
}

extension FunnelAnalysisError: CustomStringConvertible {
  /// The reason in words, with what to do where that is known.
  public var description: String {
    switch self {
    case .invalidFlow(let mistakes): mistakes
    case .unreadable(let problems): problems.joined(separator: "\n")
    case .invalidEvent(let position, let mistake): "event \(position): \(mistake)"
    case .storeNeedsReading(let sources):
      "the store did not keep what the flow asks for; ingest again: "
        + sources.joined(separator: ", ")
    case .failed(let reason): reason
    case .notWritten(let folder, let reason): "reports can't be written to '\(folder)': \(reason)"
    }
  }
}
