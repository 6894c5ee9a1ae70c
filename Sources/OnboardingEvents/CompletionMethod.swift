/// How an onboarding came to its end.
public enum CompletionMethod: String, Sendable, Hashable, Codable, CaseIterable {
  /// The person went through to the end.
  case finished
  /// The person skipped the rest: where a skip ends the flow, this is one.
  case skipped
}
