/// How an onboarding came to its end.
public enum CompletionMethod: String, Sendable, Hashable, Codable, CaseIterable {
  case finished, skipped
}
