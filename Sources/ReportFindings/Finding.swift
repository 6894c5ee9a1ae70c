/// What a reader should know first: a claim in plain words, then the statistics behind it and what
/// to keep in mind. Rules make findings; nobody writes them.
public struct Finding: Sendable, Hashable {
  /// What it is about, from the most to the least important.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case noEvents = "no_events"
    case unmeasured, guessed
    case identities
    case sampleRatio = "sample_ratio"
    case damage, rejects
    case shortDay = "short_day"
    case fewReturns = "few_returns"
    case existingUsers = "existing_users"
    case undeclaredPages = "undeclared_pages"
    case unknownValues = "unknown_values"
    case skipContradictions = "skip_contradictions"
    case severalApps = "several_apps"
    case doubledPeople = "doubled_people"
    case crowdedId = "crowded_id"
    case placeholderIds = "placeholder_ids"
    case crawlers
    case busyIds = "busy_ids"
    case copiedTimelines = "copied_timelines"
    case contamination, immature
    case trend
    case lostAnyway = "lost_anyway"
    case afterDenial = "after_denial"
    case dropOff = "drop_off"
    case experiment, release, honesty, permission, skip, retention, target, time
    case misdated
    case personalText = "personal_text"
  }

  /// How the reader should take it.
  public enum Tone: String, Sendable, Hashable {
    /// The numbers below may be wrong.
    case alarm
    case bad, good, neutral
  }

  /// From 1, the most important.
  public let rank: Int
  /// What the finding is about.
  public let kind: Kind
  /// How the reader should take it.
  public let tone: Tone
  /// What was found, in plain words with at most its main number.
  package let claim: Sentence
  /// Counts, intervals, what to do about it; empty where the claim says it all.
  package let detail: Sentence
  /// The chart on the page that shows it; `nil` where none does.
  package let chart: ChartID?
  /// What a picture of it draws; `nil` where words say it all.
  package let subject: FindingSubject?

  /// Claim and detail with their numbers, each with the row that it is from.
  package var sentence: Sentence { detail.parts.isEmpty ? claim : "\(claim) \(detail)" }

  /// Claim and detail as plain text, as findings are printed.
  public var text: String { sentence.text }
}
