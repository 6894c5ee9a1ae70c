/// Why a number can't be given. The raw values are stable: they are written to files.
public enum Unavailable: String, Error, Sendable, Hashable, CaseIterable {
  /// There are no trials, or no observations at all.
  case emptyDenominator
  /// The group compared with has no successes, so a ratio to it has no value.
  case zeroControl
  /// Everything succeeded or everything failed in both groups: there is nothing to test.
  case noVariation
  /// There are too few observations for the method to hold, or for a bound to exist.
  case tooFew
  /// The counts are beyond what an exact sum can go through.
  case tooMany
  /// The confidence level, alpha or power is not strictly between 0 and 1.
  case invalidLevel
  /// The inputs do not fit each other: lengths differ, or shares or rates are out of range.
  case invalidInput
  /// Observations depend on each other: several are of one person.
  case dependent
  /// No sample size or lift can reach what was asked, within the range of a rate.
  case unreachable
}
