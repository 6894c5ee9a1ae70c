public import EventInput
public import FlowDefinition

/// What one partition, or several, add to what must be known of all facts before any is counted.
///
/// Surveys of different partitions add up (`merged`). A survey of all partitions has been checked:
/// every task's facts are there, each once, and stitched where they have to be.
public struct PartitionSurvey: SealedDocument.Content, Sendable {
  /// What one partition received; gone once all partitions are together and agree.
  struct Received: Codable, Sendable, Hashable {
    /// By task.
    var facts: [String: Int] = [:]
    /// By the partition that stitching gave them from.
    var stitched: [Int: Int] = [:]
    var heads: HeadsRecord
    var isStitched: Bool
    /// Sampled events by task.
    var samples: [String: Int]

    init(heads: HeadsRecord, isStitched: Bool) {
      self.heads = heads
      self.isStitched = isStitched
      samples = [:]
    }
  }

  struct Day: Codable, Sendable, Hashable {
    var day: Int
    var people: Int
    var lastMilliseconds: Int64

    /// Whether it is a day that events can have.
    var isSound: Bool {
      UInt32(exactly: day) != nil && -(1 << 53)...(1 << 53) ~= lastMilliseconds
    }
  }

  /// The name of the key that ids are hashed with; never the key itself.
  public internal(set) var key: String
  /// The id of the flow that the survey was made for.
  public internal(set) var flow: String
  /// The fingerprint of that flow's definitions.
  public internal(set) var fingerprint: String
  /// Among how many partitions people are divided.
  public internal(set) var partitionCount: Int
  /// The partitions that are in it, in order, each once.
  public internal(set) var partitions: [Int]
  var rule: StitchingRule
  var days: [Day]
  /// For each table the names that have a place and are not declared.
  var names: [[String]]
  var tasks: [TaskHeader]
  var stitching: [StitchingRecord]
  /// By partition.
  var received: [Int: Received]
  var heads: HeadsRecord
  /// By partition: facts that stitching gave it, once all partitions are together.
  var given: [Int: Int] = [:]
  /// A sample of the ids whose people are counted; `nil` where everybody knows the key.
  var sketch: IdentifierSketch?
  /// What some of the events look like, until all partitions are together.
  var sample: WrittenSample?
  /// What was found in the sample of all events; `nil` where none was taken.
  public internal(set) var findings: SampleFindings?

  /// Whether every partition is in it.
  public var isComplete: Bool { partitions.count == partitionCount }

  /// Whether all partitions exist, each once, and counts can be added up without an overflow.
  public var isSound: Bool {
    guard 1...PortableSegment.maximumPartitions ~= partitionCount else { return false }
    let all = 0..<partitionCount
    return WrittenNumbers.areSound(days.map(\.people)) && days.allSatisfy(\.isSound)
      && Set(partitions).count == partitions.count
      && findings?.isSound ?? true
      && -(1 << 53)...(1 << 53) ~= rule.asOfMilliseconds ?? 0
      && partitions.allSatisfy(all.contains) && received.keys.allSatisfy(all.contains)
      && WrittenNumbers.areSound(Array(given.values))
      && tasks.allSatisfy { $0.isSound(of: partitionCount) }
      && stitching.allSatisfy {
        all.contains($0.partition) && ($0.sent.isEmpty || $0.sent.count == partitionCount)
          && WrittenNumbers.areSound(
            $0.sent + [
              $0.sharedDevices, $0.devicesWithSeveralUsers, $0.devicesWithUsers, $0.stitchedFacts,
            ])
      }
  }

  /// Adds surveys of other partitions up, and checks them once they are all.
  ///
  /// - Parameter flow: that they were made for.
  /// - Throws: `SegmentError` where surveys don't fit each other, one came twice, or tasks are
  ///   missing.
  public static func merged(
    _ surveys: [PartitionSurvey], flow: Flow
  ) throws -> PartitionSurvey {
    guard var sum = surveys.first else {
      throw SegmentError.missing("no survey: name what `firstmile survey` wrote")
    }
    for other in surveys.dropFirst() { try sum.add(other) }
    sum.order()
    try sum.require(flow)
    if sum.isComplete && !sum.received.isEmpty {
      try SurveyCheck(sum).run()
      sum.given = sum.received.mapValues { $0.stitched.values.reduce(0, +) }
      sum.received = [:]
      // Findings name properties; what events look like is for the run's own files.
      sum.findings = sum.sample?.sample.findings(try FactSchema(flows: [flow]).plan)
      sum.sample = nil
      sum.stitching = sum.stitching.map(\.checked)
    }
    return sum
  }

  /// - Throws: `SegmentError` if partitions are missing.
  public func requireComplete() throws(SegmentError) {
    if isComplete { return }
    let known = Set(partitions)
    let missing = (0..<partitionCount).filter { !known.contains($0) }
    let shown = missing.prefix(8).map(String.init).joined(separator: ", ")
    throw .missing(
      "the surveys know \(partitions.count) of \(partitionCount) partitions; missing: \(shown)"
        + (missing.count > 8 ? " …" : "") + ". Run `firstmile survey` for each.")
  }

  /// - Throws: `SegmentError` if it was made for another flow, or for this one before it changed.
  func require(_ flow: Flow) throws(SegmentError) {
    guard fingerprint == flow.fingerprint else {
      throw .differing(
        "the surveys were made for the flow '\(self.flow)' as it read then (\(fingerprint)"
          + "), not for '\(flow.id)' (\(flow.fingerprint)): run `firstmile survey` again")
    }
    let tables = (try? FactSchema(flows: [flow]))?.plan.tables.count ?? 0
    guard names.count == tables else {
      throw .differing(
        "the survey does not fit the flow: it has names for \(names.count) tables, and the flow "
          + "has \(tables). Run `firstmile survey` again")
    }
  }

  private mutating func add(_ other: PartitionSurvey) throws(SegmentError) {
    func require(_ isEqual: Bool, _ what: String) throws(SegmentError) {
      if !isEqual {
        throw .differing("the surveys differ in \(what): make all of them anew, by one command")
      }
    }
    try require(key == other.key, "the key that ids are hashed with")
    try require(fingerprint == other.fingerprint, "the flow")
    try require(partitionCount == other.partitionCount, "the number of partitions")
    try require(rule == other.rule, "--as-of, or in how facts find their people")
    try require(names.count == other.names.count, "the flow")
    let twice = Set(partitions).intersection(other.partitions).min()
    if let twice {
      throw .twice(
        "partition \(twice) is in two surveys: name each once, and name those of another run "
          + "with `firstmile tally --with`")
    }
    partitions += other.partitions
    var census = census
    census.add(other.census)
    days = PartitionSurvey.days(census)
    names = zip(names, other.names).map { $0 + $1 }
    tasks += other.tasks
    stitching += other.stitching
    received.merge(other.received) { own, _ in own }
    if let more = other.sketch { sketch?.add(more) }
    if let more = other.sample { sample?.sample.add(more.sample) } else { sample = nil }
  }

  /// Sorts all lists, so that the order in which surveys were added does not change the bytes.
  mutating func order() {
    partitions.sort()
    names = names.map { Array(Set($0)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    tasks.sort { $0.origin.task.utf8.lexicographicallyPrecedes($1.origin.task.utf8) }
    stitching.sort { $0.partition < $1.partition }
  }

  static func days(_ census: DayCensus) -> [Day] {
    census.days.map {
      Day(day: $0.number, people: $0.persons, lastMilliseconds: $0.lastMilliseconds)
    }
  }

  var census: DayCensus {
    var census = DayCensus()
    for day in days {
      census.add(
        persons: day.people, on: UInt32(truncatingIfNeeded: day.day),
        lastMilliseconds: day.lastMilliseconds)
    }
    return census
  }

  /// The tables of names that one reading of all facts would have made.
  func nameTables(_ schema: FactSchema) -> [NameTable] {
    zip(schema.plan.tables, names).map { plan, names in
      var table = NameTable(plan: plan)
      for name in names { _ = table.code(of: name) }
      return table
    }
  }
}

// What a report says of the inputs. Exactly one partition reports each task.
extension PartitionSurvey {
  /// The inputs of a partition's tasks as a reading for flows with this identity would give them,
  /// in the order of their names.
  ///
  /// - Throws: `SegmentError` for words that this program does not know.
  public func summaries(
    _ identity: IdentityRule, of partition: Int
  ) throws(SegmentError) -> [SourceSummary] {
    var summaries: [SourceSummary] = []
    for task in tasks(of: partition) where !task.source.isMissing {
      guard let summary = task.source.summary(identity) else {
        throw .differing(
          "what the task '\(task.origin.task)' says of its input is in words that this program "
            + "doesn't know: it was written by version \(task.version)")
      }
      summaries.append(summary)
    }
    return summaries
  }

  /// Inputs of a partition's tasks that could not even be looked at.
  public func missingInputs(of partition: Int) -> [InputProblem] {
    tasks(of: partition).filter(\.source.isMissing).map {
      InputProblem(name: $0.source.name, message: $0.source.unreadable ?? "")
    }
  }

  private func tasks(of partition: Int) -> [TaskHeader] {
    tasks.filter { $0.partition(of: partitionCount) == partition }
  }
}
