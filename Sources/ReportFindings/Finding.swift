/// What a reader should know first: a claim in plain words, then the statistics behind it and what
/// to keep in mind. Rules make findings; nobody writes them.
public struct Finding: Sendable, Hashable {
  /// What it is about, from the most to the least important.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// No event was read, or nobody entered the flow.
    case noEvents = "no_events"
    /// A number is unknown, as the data lack the events that it rests on.
    case unmeasured
    /// Parts of the flow file were guessed, and nobody has confirmed them.
    case guessed
    /// A sum that must hold does not: a fault of the program.
    case identities
    /// People are not split over an experiment's variants as declared.
    case sampleRatio = "sample_ratio"
    /// Inputs could not be read to their end.
    case damage
    /// More lines could not be used than the run accepts.
    case rejects
    /// A log of changes says that rows are gone, and has them as they came, too.
    case deletedByLog = "deleted_by_log"
    /// The data end unevenly: on one of the last dates far fewer people have events.
    case shortDay = "short_day"
    /// Retention says what was recorded, and not who came back.
    case fewReturns = "few_returns"
    /// Many people are left out because they used the app before.
    case existingUsers = "existing_users"
    /// Many people are left out by what the flow file says, or something that it says matches
    /// nothing.
    case leaveOut = "leave_out"
    /// Many people have onboarding events and no start.
    case orphans
    /// Many people who abandon the flow complete another one that they never started.
    case otherFlows = "other_flows"
    /// Many page views are of pages that the flow doesn't declare.
    case undeclaredPages = "undeclared_pages"
    /// Events say words that no rule knows, as a status or a method.
    case unknownValues = "unknown_values"
    /// Many people see two steps in another order than the flow declares.
    case stepOrder = "step_order"
    /// Skips name other pages than those viewed last, by their numbers.
    case skipContradictions = "skip_contradictions"
    /// People fall into groups that share no event.
    case severalApps = "several_apps"
    /// People have the events of somebody else, to the second: they count twice.
    case doubledPeople = "doubled_people"
    /// A large part of all events is of a single id.
    case crowdedId = "crowded_id"
    /// Several users were seen on many devices: people whose id changes count twice.
    case severalUsers = "several_users"
    /// Events have a placeholder, such as `undefined`, in the place of an id.
    case placeholderIds = "placeholder_ids"
    /// Events name crawlers or robots.
    case crawlers
    /// Ids have more events on one day than a person makes.
    case busyIds = "busy_ids"
    /// People have the events of others at equal distances: replayed data.
    case copiedTimelines = "copied_timelines"
    /// People saw several variants of an experiment.
    case contamination
    /// No window is over yet, so there is no rate.
    case immature
    /// A rate rises or falls over the cohorts.
    case trend
    /// People lost at a step reached a goal next.
    case lostAnyway = "lost_anyway"
    /// People left right after they denied a permission.
    case afterDenial = "after_denial"
    /// Where most people drop off.
    case dropOff = "drop_off"
    /// What an experiment shows, or that it is too early.
    case experiment
    /// What else than completion is another with the newest version of the flow.
    case version
    /// A step that only the people of some system, country or release see.
    case audience
    /// What changed with a release of the app.
    case release
    /// A rate points one way among finishers, and the other way over everyone compared.
    case honesty
    /// Who grants a permission.
    case permission
    /// Who uses Skip, and where.
    case skip
    /// Who comes back.
    case retention
    /// Which targets of the flow are met.
    case target
    /// How long finishing takes.
    case time
    /// Events are dated far from all others.
    case misdated
    /// Properties look like personal text.
    case personalText = "personal_text"
  }

  /// How the reader should take it.
  public enum Tone: String, Sendable, Hashable {
    /// The numbers below may be wrong.
    case alarm
    /// Something to act on.
    case bad
    /// Something to be glad of.
    case good
    /// Something to know.
    case neutral
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
  /// What stays of the detail where there is no room for all of it: whom a step loses most of.
  package let short: Sentence
  /// The chart on the page that shows it; `nil` where none does.
  package let chart: ChartID?
  /// What a picture of it draws; `nil` where words say it all.
  package let subject: FindingSubject?

  /// Claim and detail with their numbers, each with the row that it is from.
  package var sentence: Sentence { detail.parts.isEmpty ? claim : "\(claim) \(detail)" }

  /// Claim and detail as plain text, as findings are printed.
  public var text: String { sentence.text }
}
