/// One sentence or two that a reader should know first, with its number, what it is a part of, its
/// 95 % interval and what to keep in mind. Rules make findings; nobody writes them.
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
    case skipContradictions = "skip_contradictions"
    case severalApps = "several_apps"
    case crawlers
    case busyIds = "busy_ids"
    case copiedTimelines = "copied_timelines"
    case contamination, immature
    case dropOff = "drop_off"
    case experiment, honesty, permission, skip, retention, target, time
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
  public let kind: Kind
  public let tone: Tone
  /// The words with their numbers, each with the row that it is from.
  let sentence: Sentence

  public var text: String { sentence.text }
}

/// A finding before it is ranked.
struct FindingDraft {
  var kind: Finding.Kind
  var tone: Finding.Tone = .neutral
  var text: Sentence
  /// Found something that no other finding of its kind says: a variant that won, a step that stands
  /// out in one version.
  var isOfItsOwn = false
}

extension Report {
  static let maximumFindings = 7

  /// Up to seven findings, the most important first.
  public var findings: [Finding] {
    var drafts = DataFindings(report: self).drafts()
    // Of nobody there is nothing else to say.
    if (analysis.row("persons")?.numerator ?? 0) > 0 {
      drafts += FunnelFindings(analysis: analysis).drafts()
      drafts += ComparisonFindings(
        analysis: analysis, horizon: provenance.horizonMilliseconds
      ).drafts()
      drafts += HonestyFindings(analysis: analysis).drafts()
      drafts += TargetFinding(analysis: analysis).drafts()
    }
    // One of each kind comes before a second of any kind, but alarms stand first, and what is of
    // its own is no repetition: what a second experiment decided, a step that stands out in one
    // version.
    var seen: [Finding.Kind: Int] = [:]
    let order = Finding.Kind.allCases
    let ranked = drafts.enumerated().map { offset, draft in
      let isDecided = draft.kind == .experiment && draft.tone != .neutral
      let repetition = isDecided || draft.isOfItsOwn ? 0 : seen[draft.kind, default: 0]
      seen[draft.kind, default: 0] += 1
      let place = order.firstIndex(of: draft.kind) ?? order.count
      return (key: [draft.tone == .alarm ? 0 : 1 + repetition, place, offset], draft: draft)
    }
    .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    // What is sent is no matter of numbers: it comes last, and is never crowded out.
    let privacy = PrivacyFinding(properties: provenance.personalProperties).draft()
    let shown =
      ranked.prefix(Report.maximumFindings - (privacy == nil ? 0 : 1)).map(\.draft)
      + [privacy].compactMap { $0 }
    return shown.enumerated().map { rank, entry in
      Finding(rank: rank + 1, kind: entry.kind, tone: entry.tone, sentence: entry.text)
    }
  }
}
