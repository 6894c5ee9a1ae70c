internal import EventInput
public import FlowDefinition
internal import WorkerThreads

/// Segments of one partition → its people's timelines, or what all must know of them.
public struct PartitionReader {
  private let content: PartitionContent
  private let schema: FactSchema
  private let flow: Flow
  private let latest: Int64
  /// How many threads gather facts and put them in order.
  public var threads = 1
  /// How much memory may be taken; as much as it takes if not given.
  public var memoryLimit: MemoryLimit?

  /// - Parameters:
  ///   - paths: files of segments, of all tasks and of stitching.
  ///   - partition: need not be given where there is only one.
  /// - Throws: `SegmentError` where segments are damaged, don't fit each other, or did not keep
  ///   what the flow asks for.
  public init(
    _ paths: [String], partition: Int?, flow: Flow, latestMilliseconds: Int64
  ) throws {
    content = try PartitionContent.load(
      paths, partition: partition, kinds: [.facts, .stitching, .stitched, .sample])
    schema = try FactSchema(flows: [flow])
    self.flow = flow
    latest = latestMilliseconds
    for facts in content.facts {
      let gaps = facts.reading.gaps(schema, flows: [flow])
      if let gap = gaps.first {
        throw SegmentError.missing(
          "the segments of the task '\(facts.header.origin.task)' did not keep what flow "
            + "'\(flow.id)' asks for: \(gap.reason). Run `firstmile partition` again with this "
            + "flow.")
      }
    }
    let rule = StitchingRule(schema, latestMilliseconds: latest)
    for facts in content.stitched where facts.header.rule != rule {
      throw SegmentError.differing(
        "partition \(content.partition) was stitched by another rule than that of flow "
          + "'\(flow.id)', or with another --as-of: run `firstmile stitch` again")
    }
  }

  /// The partition that the segments are of.
  public var partition: Int { content.partition }

  /// What this partition adds to what must be known of all.
  public func survey() async throws -> PartitionSurvey {
    let timelines = try await timelines(nil)
    let names = timelines.tables.names.map(\.keptNames)
    var received = PartitionSurvey.Received(
      heads: content.heads, isStitched: content.stitching != nil)
    for facts in content.facts { received.facts[facts.header.origin.task] = facts.header.facts }
    for facts in content.stitched {
      let from = facts.header.origin.task.split(separator: "-").last.flatMap { Int($0) }
      received.stitched[from ?? -1] = facts.header.facts
    }
    for sample in content.samples {
      received.samples[sample.header.origin.task] = sample.header.events
    }
    let survey = PartitionSurvey(
      key: content.key, flow: flow.id, fingerprint: flow.fingerprint,
      partitionCount: content.partitionCount, partitions: [content.partition],
      rule: StitchingRule(schema, latestMilliseconds: latest),
      days: PartitionSurvey.days(timelines.census), names: names, tasks: content.tasks,
      stitching: content.stitching.map { [$0] } ?? [], received: [content.partition: received],
      heads: content.heads, sketch: try sketch(),
      sample: try sample().map { WrittenSample($0) })
    return try PartitionSurvey.merged([survey], flow: flow)
  }

  /// What some of the events look like that the partition's tasks read; `nil` where they sampled
  /// none, or others than a run of this flow on one machine would.
  private func sample() throws -> PropertySample? {
    let rule = SampleRule(schema.identity.rawValue, schema.plan.redaction.paths)
    guard content.tasks.allSatisfy({ $0.sampled != nil }),
      content.samples.allSatisfy({ $0.header.rule == rule })
    else { return nil }
    var sum = PropertySample(limit: WrittenSample.limit)
    for sample in content.samples {
      let own = try PropertySample(sample.bytes, limit: WrittenSample.limit)
      guard own.events.count == sample.header.events else { throw StoredDamage() }
      sum.add(own)
    }
    return sum
  }

  /// A sample of the ids by which people of the flow are found; `nil` where everybody knows the
  /// key, so that the sample could be compared with hashes of guessed ids.
  private func sketch() throws -> IdentifierSketch? {
    if content.key == IdentifierKey.fixed.name { return nil }
    let identity = schema.identity
    var ids = IdentifierSketch.Collector()
    for facts in content.facts {
      try facts.bytes.forEachRun { user, device, run in
        guard run.contains(where: { $0.fact.timeMilliseconds <= latest }) else { return }
        if identity != .device { ids.add(user) }
        if identity != .user { ids.add(device) }
      }
    }
    if identity == .stitched {
      for link in content.links where link.timeMilliseconds <= latest {
        ids.add(link.user)
        ids.add(link.other)
      }
    }
    return ids.sketch
  }

  /// The partition's timelines, with the names and the dates of all partitions.
  ///
  /// - Parameter survey: of all partitions.
  public func timelines(_ survey: PartitionSurvey) async throws -> Timelines {
    try survey.requireComplete()
    func require(_ isEqual: Bool, _ what: String) throws(SegmentError) {
      if !isEqual { throw .differing("the surveys are of \(what) than the segments") }
    }
    try require(survey.partitionCount == content.partitionCount, "other partitions")
    try require(survey.key == content.key, "another key")
    try survey.require(flow)
    guard survey.rule == StitchingRule(schema, latestMilliseconds: latest) else {
      throw SegmentError.differing(
        "the surveys were made with another --as-of: run `firstmile survey` again")
    }
    for task in survey.tasks {
      let found = content.facts.first { $0.header.origin.task == task.origin.task }
      if found?.header.facts ?? 0 != task.facts[content.partition] {
        throw SegmentError.missing(
          "partition \(content.partition) lacks facts of '\(task.source.name)' that the surveys "
            + "know of: name the segments of all tasks")
      }
    }
    try requireAsSurveyed(survey)
    let whole = WholeRun(names: survey.nameTables(schema), census: survey.census)
    return try await timelines(whole)
  }

  /// What is counted must be what was surveyed: of the same inputs, and stitched by the same step.
  private func requireAsSurveyed(_ survey: PartitionSurvey) throws(SegmentError) {
    guard content.heads == survey.heads else {
      throw .differing(
        "the surveys know \(survey.heads.tasks) inputs, and these segments are of "
          + (content.heads.tasks == survey.heads.tasks ? "others" : "\(content.heads.tasks)")
          + ": name the segments of all tasks, or run `firstmile survey` again")
    }
    let record = survey.stitching.first { $0.partition == content.partition }
    let given = content.stitched.reduce(0) { $0 + $1.header.facts }
    guard content.stitching?.checked == record, given == survey.given[content.partition] ?? 0 else {
      throw .missing(
        "partition \(content.partition) was surveyed with \(survey.given[content.partition] ?? 0) "
          + "facts from stitching, and has \(given) here: name all that `firstmile stitch` wrote, "
          + "as for `firstmile survey`")
    }
  }

  private func timelines(_ whole: WholeRun?) async throws -> Timelines {
    let all = content.facts + content.stitched
    var reader = StoredTimelineReader(
      schema: schema, packs: all.map(\.reading), threads: threads)
    reader.latestMilliseconds = latest
    reader.memoryLimit = memoryLimit
    reader.whole = whole
    let united = united
    reader.owners = RunOwners(
      identity: schema.identity, united: united, isStitched: content.stitching != nil,
      isFromStitching: content.facts.map { _ in false } + content.stitched.map { _ in true })
    let next = WorkQueue()
    let bytes = all.map(\.bytes)
    let reading = try await reader.read {
      next.take(below: bytes.count).map { StoredPiece(pack: $0, bytes: bytes[$0]) }
    }
    for (facts, found) in zip(all, reading.factsBySource) where found != [facts.header.facts] {
      throw StoredDamage()
    }
    // Facts name their person by now; who asks for somebody by an id may have another of theirs.
    var timelines = reading.timelines
    timelines.united = united
    return timelines
  }

  private var united: IdentityGraph {
    IdentityGraph(
      schema.identity == .stitched
        ? content.links.filter { $0.timeMilliseconds <= latest } : [])
  }

  /// What stitching and aliases came to in all partitions; the other counts are of people.
  ///
  /// - Parameter survey: of all partitions.
  public func runCounts(_ survey: PartitionSurvey) -> TimelineCounts {
    var counts = TimelineCounts()
    let united = united
    counts.unitedUsers = united.userCount
    counts.unitedPersons = united.personCount
    counts.aliasGroupsTooLarge = united.groupsTooLarge
    for record in survey.stitching {
      counts.stitchedFacts += record.stitchedFacts
      counts.sharedDevices += record.sharedDevices
      counts.devicesWithSeveralUsers += record.devicesWithSeveralUsers
      counts.devicesWithUsers += record.devicesWithUsers
    }
    return counts
  }
}
