package import EventInput
package import FunnelEngine
package import FunnelMetrics
package import Timelines

/// What reading inputs gave: the facts, and how they arrived.
package struct InputReading: Sendable {
  package var timelines: Timelines
  /// One a source, in the order of the sources.
  package var summaries: [SourceSummary]
  /// Inputs that can't be read.
  package var problems: [InputProblem]
  /// What looks like personal text in a sample of the events, if one was taken.
  package var personalProperties: [PersonalProperty]
  /// Crawlers and robots in that sample.
  package var crawlers: [SampledCrawler]

  package init(
    timelines: Timelines, summaries: [SourceSummary], problems: [InputProblem] = [],
    personalProperties: [PersonalProperty] = [], crawlers: [SampledCrawler] = []
  ) {
    self.timelines = timelines
    self.summaries = summaries
    self.problems = problems
    self.personalProperties = personalProperties
    self.crawlers = crawlers
  }

  /// In how many events personal text and crawlers are looked for.
  package static let sampledEvents = PropertySampling.eventsOfReports

  /// How the facts arrived, for the reports.
  ///
  /// - Parameter options: those of the run that change numbers, in words.
  package func provenance(
    _ evaluation: EvaluationOptions, options: [String: String], maximumRejectRate: Double,
    lookBack: LookBack?
  ) throws -> Provenance {
    let counts = try timelines.counts
    var provenance = InputReading.provenance(
      summaries: summaries, problems: problems, counts: counts,
      horizonMilliseconds: evaluation.horizonMilliseconds)
    provenance.options = options
    provenance.maximumRejectRate = maximumRejectRate
    provenance.lookBack = lookBack
    provenance.personalProperties = personalProperties.map { PersonalText($0) }
    provenance.crawlers = crawlers.map { Provenance.Crawler($0) }
    provenance.daysAfterData = evaluation.daysAfterData
    provenance.shortDay = InputReading.shortDay(timelines.span, evaluation)
    provenance.missingDays = InputReading.missingDays(timelines.span, evaluation)
    return provenance
  }

  /// The date near the end of the data on which part of it seems to be missing, if there is one.
  package static func shortDay(
    _ span: DataSpan?, _ evaluation: EvaluationOptions
  ) -> Provenance.ShortDay? {
    // Of earlier days, which a gate looks at, the end of the data is none.
    guard let span, span.horizonMilliseconds <= evaluation.horizonMilliseconds else { return nil }
    return Provenance.ShortDay(span.shortDay)
  }

  /// Earlier dates on which nearly all of the data are missing, from the first that people can have
  /// started on: who started later lacks nothing by them.
  package static func missingDays(
    _ span: DataSpan?, _ evaluation: EvaluationOptions
  ) -> [Provenance.ShortDay] {
    let first = max(
      evaluation.fromMilliseconds ?? .min, evaluation.historyFromMilliseconds ?? .min)
    let length: Int64 = 86_400_000
    return (span?.missingDays ?? []).filter {
      $0.startMilliseconds <= evaluation.horizonMilliseconds
        && $0.startMilliseconds + length > first
    }.compactMap { Provenance.ShortDay($0) }
  }

  /// How facts arrived that may have been read elsewhere; without what the run chose.
  package static func provenance(
    summaries: [SourceSummary], problems: [InputProblem], counts: TimelineCounts,
    horizonMilliseconds: Int64
  ) -> Provenance {
    var rejects: [String: Int] = [:]
    for summary in summaries {
      for (reason, count) in summary.rejectsByReason {
        rejects[reason.rawValue, default: 0] += count
      }
    }
    var provenance = Provenance(
      programVersion: FirstMileVersion.current, sources: sources(summaries, problems),
      rejectsByReason: rejects, lines: summaries.reduce(0) { $0 + $1.lines },
      events: summaries.reduce(0) { $0 + $1.events },
      timestampsWithoutOffset: summaries.reduce(0) { $0 + $1.timestampsWithoutOffset },
      timelineCounts: InputReading.named(counts),
      horizonMilliseconds: counts.facts > 0 ? horizonMilliseconds : nil)
    for summary in summaries { provenance.placeholders.merge(summary.placeholders) { $0 + $1 } }
    return provenance
  }

  private static func sources(
    _ summaries: [SourceSummary], _ problems: [InputProblem]
  ) -> [Provenance.Source] {
    let unread = problems.filter { problem in !summaries.contains { $0.name == problem.name } }
    return summaries.map(InputReading.source)
      + unread.map {
        Provenance.Source(
          name: $0.name, digest: nil, lines: 0, events: 0, rejects: 0, problems: [$0.message])
      }
  }

  private static func named(_ counts: TimelineCounts) -> [String: Int] {
    // Named where there are any: ids that came with two contents, users who are one person. What
    // devices with several users are a part of is named with these.
    let rare = [
      "facts_with_same_id": counts.factsWithSameId,
      "devices_with_users": counts.devicesWithSeveralUsers > 0 ? counts.devicesWithUsers : 0,
      "united_users": counts.unitedUsers, "united_persons": counts.unitedPersons,
      "alias_groups_too_large": counts.aliasGroupsTooLarge,
    ].filter { $0.value > 0 }
    return [
      "facts": counts.facts, "repeated_facts": counts.repeatedFacts,
      "persons": counts.persons, "stitched_facts": counts.stitchedFacts,
      "shared_devices": counts.sharedDevices,
      "devices_with_several_users": counts.devicesWithSeveralUsers,
      "facts_without_place": counts.factsWithoutPlace,
      "facts_after_as_of": counts.factsTooLate,
    ].merging(rare) { own, _ in own }
  }

  private static func source(_ summary: SourceSummary) -> Provenance.Source {
    let problems =
      [summary.unreadable?.message].compactMap { $0 } + summary.damages.map(\.description)
    return Provenance.Source(
      name: summary.name, digest: summary.unreadable == nil ? summary.digest?.description : nil,
      lines: summary.lines, events: summary.events, rejects: summary.rejects, problems: problems,
      misnaming: summary.misnaming)
  }
}
