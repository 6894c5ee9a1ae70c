internal import EventInput

/// What files of segments hold about the people of one partition.
struct PartitionContent {
  /// Facts of a task, or of what stitching gave.
  struct Facts {
    var header: FactsHeader
    var reading: StoredPackReading
    var bytes: StoredBytes
  }

  struct Sightings {
    var header: SightingsHeader
    var bytes: [UInt8]
  }

  struct Sample {
    var header: SampleHeader
    var bytes: [UInt8]
  }

  let partition: Int
  let partitionCount: Int
  let key: String
  /// The tasks whose heads stand in this partition.
  private(set) var tasks: [TaskHeader] = []
  /// Of all tasks.
  private(set) var links: [UserLink] = []
  private(set) var heads = HeadsRecord()
  private(set) var facts: [Facts] = []
  private(set) var sightings: [Sightings] = []
  /// `nil` where the partition was not stitched.
  private(set) var stitching: StitchingRecord?
  private(set) var stitched: [Facts] = []
  private(set) var samples: [Sample] = []

  fileprivate struct Mark: Hashable {
    var kind: PortableSegment.Kind
    var task: String
  }

  fileprivate struct Loading {
    var content: PartitionContent?
    var seen: [Mark: String] = [:]
    /// Of the file that was read first.
    var first = ""
  }

  fileprivate init(partition: Int, partitionCount: Int, key: String) {
    self.partition = partition
    self.partitionCount = partitionCount
    self.key = key
  }

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - partition: need not be given where there is only one.
  ///   - kinds: which segments of the partition are wanted; the heads of tasks always are.
  static func load(
    _ paths: [String], partition: Int?, kinds: Set<PortableSegment.Kind>
  ) throws -> PartitionContent {
    var loading = Loading()
    for path in paths {
      var problem: SegmentError?
      try SegmentFiles.forEach(in: path) { head in
        problem = problem ?? loading.misfit(head, path, partition)
        if problem != nil { return true }
        let own = partition ?? 0
        return head.kind == .task || head.partition == own && kinds.contains(head.kind)
      } _: { segment in
        if let problem { throw problem }
        try loading.take(segment, path, partition ?? 0)
      }
      if let problem { throw problem }
    }
    guard let content = loading.content else {
      throw SegmentError.missing(
        "no segment of partition \(partition ?? 0) is in what was named: name the files that "
          + "`firstmile partition` wrote")
    }
    return content
  }

  var factCount: Int { facts.reduce(0) { $0 + $1.header.facts } }

  fileprivate mutating func add(_ segment: PortableSegment, _ path: String) throws {
    func header<Header: Decodable>(_ type: Header.Type) throws(SegmentError) -> Header {
      guard let header = OrderedJSON.value(type, segment.header) else {
        throw .damaged(path, 0)
      }
      return header
    }
    do {
      switch segment.kind {
      case .task:
        let head = try header(TaskHeader.self)
        guard head.isSound(of: segment.partitionCount) else { throw SegmentError.damaged(path, 0) }
        for link in try LinkList.links(segment.body, count: head.links) {
          links.append(link)
          heads.add(link)
        }
        heads.add(segment.header)
        if segment.partition == partition { tasks.append(head) }
      case .facts: facts.append(try PartitionContent.facts(try header(FactsHeader.self), segment))
      case .stitched:
        stitched.append(try PartitionContent.facts(try header(FactsHeader.self), segment))
      case .sightings:
        sightings.append(
          Sightings(header: try header(SightingsHeader.self), bytes: segment.body))
      case .sample:
        samples.append(Sample(header: try header(SampleHeader.self), bytes: segment.body))
      case .stitching: stitching = try header(StitchingRecord.self)
      }
    } catch is StoredDamage {
      throw SegmentError.damaged(path, 0)
    }
  }

  private static func facts(
    _ header: FactsHeader, _ segment: PortableSegment
  ) throws(StoredDamage) -> Facts {
    guard header.tableBytes >= 0, header.tableBytes <= segment.body.count else {
      throw StoredDamage()
    }
    let tables = try StoredTables(
      Array(segment.body[..<header.tableBytes]), layout: header.layout)
    let bytes = unsafe segment.body[header.tableBytes...].withUnsafeBytes { unsafe StoredBytes($0) }
    return Facts(
      header: header,
      reading: StoredPackReading(layout: header.layout, tables: tables, isWanted: [true]),
      bytes: bytes)
  }
}

extension PartitionContent.Loading {
  /// Why a segment does not belong to the others, or to what was asked for.
  mutating func misfit(
    _ head: PortableSegment.Head, _ path: String, _ partition: Int?
  ) -> SegmentError? {
    if first.isEmpty { first = path }
    if let partition, partition >= head.partitionCount {
      return .missing(
        "'\(path)' has the partitions 0 to \(head.partitionCount - 1), and no partition "
          + "\(partition)")
    }
    if partition == nil && head.partitionCount > 1 {
      return .missing(
        "'\(path)' has \(head.partitionCount) partitions: choose one with --partition")
    }
    if let content, content.partitionCount != head.partitionCount {
      return .differing(
        "'\(path)' divides people among \(head.partitionCount) partitions, '\(first)' among "
          + "\(content.partitionCount): run `firstmile partition` with one number for all inputs")
    }
    return nil
  }

  mutating func take(_ segment: PortableSegment, _ path: String, _ partition: Int) throws {
    guard
      let origin = OrderedJSON.value(OriginHeader.self, segment.header)?.origin
    else { throw SegmentError.damaged(path, 0) }
    var content =
      self.content
      ?? PartitionContent(
        partition: partition, partitionCount: segment.partitionCount, key: origin.key)
    self.content = nil
    guard content.key == origin.key else {
      throw SegmentError.differing(
        "the ids in '\(path)' are hashed with another key (\(origin.key)) than those in "
          + "'\(first)' (\(content.key)): nobody would be one person in both. Run all tasks with "
          + "one --key-file.")
    }
    let mark = PartitionContent.Mark(kind: segment.kind, task: origin.task)
    if let other = seen.updateValue(path, forKey: mark) {
      throw SegmentError.twice(
        "what the task '\(origin.task)' wrote is in '\(other)' and again in '\(path)': its people "
          + "would count twice. Name each file once.")
    }
    try content.add(segment, path)
    self.content = content
  }

  /// What all headers have in common.
  private struct OriginHeader: Decodable {
    var origin: SegmentOrigin
  }
}
