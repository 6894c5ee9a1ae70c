/// A rule of the definitions that the second edition changed, of those that decide how one person
/// counts.
///
/// Every number is counted by the second edition. The first edition's rules remain, so that
/// `reconcile` can show on a user's own data what each change does.
public enum ChangedRule: String, Sendable, Hashable, CaseIterable {
  /// Variants are read up to the end of the window, for everybody (6.1); before, to the end of the
  /// attempt.
  case variantsToWindowEnd
  /// Facts of the attempt's own visit are no return (11.2).
  case returnsAfterVisit
  /// A later start can begin a new attempt (5.1); before, a person had one attempt.
  case laterAttempts
  /// Only activity and decided attempts make an existing user (5.2); before, any earlier fact did.
  case existingByActivity
  /// An answer to a prompt goes before a status that nobody was prompted for (8.1).
  case promptedAnswerFirst
  /// Dimensions are values at entry (5.10); before, also the first value of the attempt.
  case dimensionsAtEntry
  /// Finishing after a skip is an outcome (5.4); before, the skip decided.
  case finishedAfterSkipping
}
