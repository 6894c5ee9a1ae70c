package import EventInput
package import FlowDefinition
package import FunnelEngine
package import FunnelMetrics
package import Timelines

/// What people of one partition, or of several, came to in a flow, as it is written down: counts
/// and histograms, no ids; and what a report says of how they arrived.
package struct WrittenTally: SealedDocument.Content, Sendable {
  /// What a run chose, and what it found out before anything was counted: the same in all of its
  /// tallies, and but for what is its own also in those of other parties (`SurveyAgreement`).
  package struct Run: Codable, Sendable, Hashable {
    package var flow: String
    package var fingerprint: String
    package var programVersion: String
    /// The name of the run's survey.
    package var survey: String
    package var partitionCount: Int
    /// Facts later than this were set aside.
    package var horizonMilliseconds: Int64
    /// The first and the last moment of facts that are not misdated.
    package var datedMilliseconds: [Int64]
    /// From when on people are known.
    package var knownFromMilliseconds: Int64
    package var options: [String: String]
    package var daysAfterData: Int
    package var shortDay: Day?
    package var missingDays: [Day]
    /// What stitching and aliases came to.
    package var counts: TimelineCounts
    /// What was found in a sample of the run's events; `nil` where none was taken.
    package var findings: SampleFindings?
    /// Whose tallies add up: this run, and those whose surveys it was counted with.
    package var parties: [SurveyAgreement.Party]

    package init(
      flow: String,
      fingerprint: String,
      programVersion: String,
      agreement: SurveyAgreement,
      horizonMilliseconds: Int64,
      datedMilliseconds: [Int64],
      knownFromMilliseconds: Int64,
      options: [String: String],
      daysAfterData: Int,
      shortDay: Day?,
      missingDays: [Day],
      counts: TimelineCounts,
      findings: SampleFindings?
    ) {
      self.flow = flow
      self.fingerprint = fingerprint
      self.programVersion = programVersion
      survey = agreement.own.survey
      partitionCount = agreement.own.partitionCount
      parties = agreement.parties
      self.horizonMilliseconds = horizonMilliseconds
      self.datedMilliseconds = datedMilliseconds
      self.knownFromMilliseconds = knownFromMilliseconds
      self.options = options
      self.daysAfterData = daysAfterData
      self.shortDay = shortDay
      self.missingDays = missingDays
      self.counts = counts
      self.findings = findings
    }
  }

  package struct Day: Codable, Sendable, Hashable {
    package var date: String
    package var people: Int
    package var leastPeople: Int

    package init(
      date: String,
      people: Int,
      leastPeople: Int
    ) {
      self.date = date
      self.people = people
      self.leastPeople = leastPeople
    }
  }

  /// One input, as a report shows it.
  package struct Source: Codable, Sendable, Hashable {
    package var name: String
    package var digest: String?
    package var lines: Int
    package var events: Int
    package var rejects: [String: Int]
    package var timestampsWithoutOffset: Int
    package var placeholders: [String: Int]
    package var problems: [String]
    package var misnaming: String?
    /// Whether part of it is damaged, or all of it unreadable or missing.
    package var isDamaged: Bool
    package var isUnreadable: Bool
  }

  package var run: Run
  /// Whose people are counted.
  package var partitions: [Int]
  /// Each input is in one of a run's tallies.
  package var sources: [Source]
  /// Of these partitions' people.
  package var counts: TimelineCounts
  package var tally: TallyRecord

  package init(
    run: Run,
    partitions: [Int],
    sources: [Source],
    counts: TimelineCounts,
    tally: TallyRecord
  ) {
    self.run = run
    self.partitions = partitions
    self.sources = sources
    self.counts = counts
    self.tally = tally
  }

  package var isSound: Bool {
    1...PortableSegment.maximumPartitions ~= run.partitionCount
      && partitions.allSatisfy { 0..<run.partitionCount ~= $0 }
      && WrittenNumbers.areSound(in: (run.counts, counts)) && run.hasSoundParties
      && run.findings?.isSound ?? true
      && -(1 << 53)...(1 << 53) ~= run.horizonMilliseconds
      && 0...(1 << 53) ~= run.knownFromMilliseconds
      && sources.allSatisfy { source in
        WrittenNumbers.areSound(
          [source.lines, source.events, source.timestampsWithoutOffset] + source.rejects.values
            + source.placeholders.values)
          && PlaceholderIdentifier.areSound(source.placeholders)
          // Each line is an event or a reject.
          && source.rejects.count < 1000 && source.events + source.rejectCount == source.lines
      }
  }

  package static let kind = "tally"
  package static let ending = ".tally"
}

extension WrittenTally.Source {
  package init(_ summary: SourceSummary) {
    let unreadable = [summary.unreadable?.message].compactMap { $0 }
    self.init(
      name: summary.name, digest: summary.unreadable == nil ? summary.digest?.description : nil,
      lines: summary.lines, events: summary.events,
      rejects: Dictionary(
        summary.rejectsByReason.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +),
      timestampsWithoutOffset: summary.timestampsWithoutOffset,
      placeholders: summary.placeholders,
      problems: unreadable + summary.damages.map(\.description), misnaming: summary.misnaming,
      isDamaged: !summary.damages.isEmpty, isUnreadable: summary.unreadable != nil)
  }

  /// An input that could not even be looked at.
  package init(_ problem: InputProblem) {
    self.init(
      name: problem.name, digest: nil, lines: 0, events: 0, rejects: [:],
      timestampsWithoutOffset: 0, placeholders: [:], problems: [problem.message], misnaming: nil,
      isDamaged: false, isUnreadable: true)
  }

  package var rejectCount: Int { rejects.values.reduce(0, +) }
  /// The rejects that are judged.
  package var faultCount: Int { RejectReason.faults(rejects) }

  fileprivate var provenance: Provenance.Source {
    Provenance.Source(
      name: name, digest: digest.flatMap { SourceDigest($0)?.description }, lines: lines,
      events: events, rejects: rejectCount, problems: problems, misnaming: misnaming)
  }
}

extension WrittenTally {
  /// How the facts arrived, for the reports.
  package func provenance(_ tally: Tally, flow: Flow, maximumRejectRate: Double) -> Provenance {
    var rejects: [String: Int] = [:]
    for source in sources { rejects.merge(source.rejects) { $0 + $1 } }
    var all = counts
    all.add(run.counts)
    var provenance = InputReading.provenance(
      summaries: [], problems: [], counts: all, horizonMilliseconds: run.horizonMilliseconds)
    provenance.programVersion = run.programVersion
    provenance.sources = Provenance.inOrder(sources.map(\.provenance))
    provenance.rejectsByReason = rejects
    provenance.lines = sources.reduce(0) { $0 + $1.lines }
    provenance.events = sources.reduce(0) { $0 + $1.events }
    provenance.timestampsWithoutOffset = sources.reduce(0) { $0 + $1.timestampsWithoutOffset }
    for source in sources { provenance.placeholders.merge(source.placeholders) { $0 + $1 } }
    provenance.options = run.options
    provenance.maximumRejectRate = maximumRejectRate
    provenance.daysAfterData = run.daysAfterData
    provenance.shortDay = run.shortDay.map(Provenance.ShortDay.init)
    provenance.missingDays = run.missingDays.map(Provenance.ShortDay.init)
    provenance.personalProperties = run.findings?.personal.map { PersonalText($0) } ?? []
    provenance.crawlers = run.findings?.crawlers.map { Provenance.Crawler($0) } ?? []
    provenance.lookBack = EvaluationOptions.lookBack(
      knownFrom: run.knownFromMilliseconds, tally.quality, flow)
    return provenance
  }
}
