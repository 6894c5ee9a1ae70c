/// A part of a flow file that a draft has guessed from the order of people's events.
public enum GuessedPart: String, Sendable, Hashable, CaseIterable {
  case start, end, steps, experiment

  /// With its article, for sentences.
  public var words: String { "the \(rawValue)" }
}
