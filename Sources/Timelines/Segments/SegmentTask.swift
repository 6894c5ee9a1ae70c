public import EventInput
public import FlowDefinition

/// One source → segments: what a task of a run on several machines does.
public struct SegmentTask: Sendable {
  /// Which values of an event are kept.
  public let layout: StoredLayout
  /// Among how many partitions people are divided.
  public let partitionCount: Int
  /// What ids are hashed with: one key for all tasks of a run.
  public let key: IdentifierKey
  /// Recognised from the source if not given.
  public var format: EventFormat.Name?
  /// Whose values are dropped, even where ``layout`` has a column for them.
  public var redaction = Redaction.none
  /// How people are known: sightings are needed where facts of a device alone find their user, and
  /// events without the id that people have are not sampled.
  public var identity = IdentityRule.stitched
  private var isStitched: Bool { identity == .stitched }
  /// How the source is digested.
  public var digest = SourceDigest.Kind.xxh3
  /// The program's version, noted in the head of what the task read.
  public var programVersion = ""

  /// A task for people who are stitched, that drops no values.
  public init(layout: StoredLayout, partitionCount: Int, key: IdentifierKey) {
    self.layout = layout
    self.partitionCount = partitionCount
    self.key = key
  }

  /// What a task is called that reads a source: the same for the same source on every machine.
  public static func name(of source: String) -> String {
    let digits = String(NameTable.stableHash(of: source), radix: 16)
    let end = source.split(separator: "/").last.map(String.init) ?? "input"
    let plain = end.unicodeScalars.prefix(80).map { scalar in
      let isPlain = scalar.isASCII && scalar.properties.isAlphabetic
      return isPlain || "0"..."9" ~= scalar || ".-_".unicodeScalars.contains(scalar)
        ? Character(scalar) : "_"
    }
    let start = plain.first == "." ? "_" : ""
    return start + String(plain) + "-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What a task gave.
  public struct Output: Sendable {
    /// How reading the source went: its lines, events and rejects.
    public var summary: SourceSummary
    /// The head first, then partition by partition; a partition without facts has none.
    public var segments: [PortableSegment]
    /// Facts in all segments, repetitions too.
    public var factCount: Int
  }

  /// Reads a source.
  ///
  /// - Throws: what the file of rejects throws; a source that can't be read is named in the summary
  ///   and in the head.
  public func run(
    _ source: InputSource, rejects: RejectWriter?, overlap: Bool
  ) throws -> Output {
    var reading = SourceReading(
      layout: layout, format: format, redacting: redaction, key: key,
      forgotten: ForgottenPersons(), digest: digest,
      sampling: PropertySampling(
        limit: WrittenSample.limit, identifiers: identity.requiredIdentifiers))
    let summary = try reading.read(source, rejects: rejects, overlap: overlap)
    let record = SourceRecord(
      summary, eventsWithoutUser: reading.eventsWithoutUser,
      eventsWithoutDevice: reading.eventsWithoutDevice)
    return Output(
      summary: summary, segments: try segments(record, reading.packs, reading.sample),
      factCount: reading.packs.reduce(0) { $0 + $1.factCount })
  }

  /// The segments of an input that could not even be looked at.
  public func segments(of problem: InputProblem) throws -> [PortableSegment] {
    var summary = SourceSummary(name: problem.name)
    summary.unreadable = problem
    var record = SourceRecord(summary, eventsWithoutUser: 0, eventsWithoutDevice: 0)
    record.isMissing = true
    return try segments(record, [], PropertySample(limit: WrittenSample.limit))
  }

  private func segments(
    _ source: SourceRecord, _ packs: [StoredPack], _ sample: PropertySample?
  ) throws -> [PortableSegment] {
    let origin = SegmentOrigin(key: key.name, task: SegmentTask.name(of: source.name))
    var sorter = PackSorter(layout, partitionCount: partitionCount)
    var sightings = Array(repeating: SightingList(), count: isStitched ? partitionCount : 0)
    for pack in packs {
      sorter.begin(pack.tables)
      for segment in pack.segments {
        try unsafe segment.bytes.withUnsafeBytes { unsafe StoredBytes($0) }.forEachRun {
          user, device, facts in
          let key = user.isMissing ? device : user
          try sorter.append(
            user: user, device: device, facts,
            to: PersonPartition.number(of: key, of: partitionCount))
          if isStitched && !user.isMissing && !device.isMissing {
            sightings[PersonPartition.number(of: device, of: partitionCount)].append(
              user: user, device: device, facts)
          }
        }
      }
    }
    let sorted = sorter.finish()
    var facts = Array(repeating: 0, count: partitionCount)
    for part in sorted { facts[part.partition] = part.segment.factCount }
    let links = LinkList.merged(packs.flatMap(\.links))
    let head = TaskHeader(
      origin: origin, version: programVersion, source: source, facts: facts,
      sightings: isStitched ? sightings.map(\.pairs) : nil, links: links.count,
      sampled: sample?.events.count)
    var segments = [
      PortableSegment(
        kind: .task, partition: head.partition(of: partitionCount),
        partitionCount: partitionCount,
        header: try OrderedJSON.bytes(head), body: LinkList.bytes(links))
    ]
    if let sample, !sample.events.isEmpty {
      let header = SampleHeader(
        origin: origin, rule: SampleRule(identity.rawValue, redaction.paths),
        events: sample.events.count)
      segments.append(
        PortableSegment(
          kind: .sample, partition: head.partition(of: partitionCount),
          partitionCount: partitionCount, header: try OrderedJSON.bytes(header),
          body: sample.bytes))
    }
    for part in sorted {
      segments.append(
        try PortableSegment(part, layout, .facts, origin, rule: nil, of: partitionCount))
    }
    for (partition, list) in sightings.enumerated() where list.pairs > 0 {
      segments.append(
        PortableSegment(
          kind: .sightings, partition: partition, partitionCount: partitionCount,
          header: try OrderedJSON.bytes(SightingsHeader(origin: origin, pairs: list.pairs)),
          body: list.bytes))
    }
    return segments
  }
}

extension PortableSegment {
  /// A partition's facts.
  init(
    _ part: PackSorter.Sorted, _ layout: StoredLayout, _ kind: Kind, _ origin: SegmentOrigin,
    rule: StitchingRule?, of partitionCount: Int
  ) throws {
    let tables = part.tables.bytes
    let header = FactsHeader(
      origin: origin, layout: layout, facts: part.segment.factCount, tableBytes: tables.count,
      rule: rule)
    self.init(
      kind: kind, partition: part.partition, partitionCount: partitionCount,
      header: try OrderedJSON.bytes(header), body: tables + part.segment.bytes)
  }
}
