import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import FunnelReport
import Testing
import Timelines

/// Facts that are divided among partitions, stitched and counted there come to what one reading
/// comes to; and segments that are not what was written are refused.
struct SegmentTests {
  /// Writes every input's segments, each to a file of its own.
  private static func divide(
    _ input: LinesInFiles, _ flow: Flow, among partitions: Int
  ) throws -> [String] {
    let schema = try FactSchema(flows: [flow])
    var task = SegmentTask(
      layout: StoredLayout(schema), partitionCount: partitions, key: .fixed)
    task.identity = flow.identity
    return try input.sources.enumerated().map { number, source in
      let output = try task.run(source, rejects: nil, overlap: false)
      return try write(output.segments, input, "\(partitions)-\(number)")
    }
  }

  private static func write(
    _ segments: [PortableSegment], _ input: LinesInFiles, _ name: String
  ) throws -> String {
    let file = input.root.appendingPathComponent("\(name).segments")
    try Data(segments.flatMap(\.bytes)).write(to: file)
    return file.path
  }

  /// The steps behind dividing; tallies by way of their written form.
  private static func count(
    _ paths: [String], _ input: LinesInFiles, _ flow: Flow, among partitions: Int
  ) async throws -> (tally: Tally, counts: TimelineCounts) {
    let schema = try FactSchema(flows: [flow])
    var all = paths
    for partition in 0..<partitions {
      var stitcher = try PartitionStitcher(
        paths, partition: partition, schema: schema, latestMilliseconds: .max)
      all.append(try write(try stitcher.run(), input, "\(partitions)-\(stitcher.name)"))
    }
    var readers: [PartitionReader] = []
    var surveys: [PartitionSurvey] = []
    for partition in 0..<partitions {
      let reader = try PartitionReader(
        all, partition: partition, flow: flow, latestMilliseconds: .max)
      surveys.append(try await reader.survey())
      readers.append(reader)
    }
    let survey = try PartitionSurvey.merged(surveys.reversed(), flow: flow)
    var counts = try #require(readers.first).runCounts(survey)
    var sum: Tally?
    for reader in readers.reversed() {
      let timelines = try await reader.timelines(survey)
      let tally = try await FlowEvaluator.tally(
        timelines, flow: flow, options: EvaluationOptions(asOf: nil, span: timelines.span),
        threads: 1)
      counts.add(try timelines.counts)
      let text = try JSONEncoder().encode(tally.record)
      let read = try Tally(JSONDecoder().decode(TallyRecord.self, from: text), flow: flow)
      if sum == nil { sum = read } else { sum?.merge(read) }
    }
    return (try #require(sum), counts)
  }

  private static func metrics(_ tally: Tally, _ flow: Flow) -> [[UInt8]] {
    let report = Report(
      Analysis(of: tally, flow), provenance: Provenance(programVersion: "", options: [:]))
    return ["metrics.csv", "report.md"].compactMap { report.document($0)?.bytes }
  }

  @Test(arguments: try Array(SpillTests.flows().enumerated()), [1, 3, 8])
  func partitionsAddUp(numbered: (Int, Flow), partitions: Int) async throws {
    let (number, flow) = numbered
    for seed in 0..<2 {
      let input = try LinesInFiles(
        SpillTests.files(seed: UInt64(4100 + seed * 10 + number), flow: flow, persons: 40))
      let whole = try await input.timelines(flow)
      let expected = try await FlowEvaluator.tally(
        whole, flow: flow, options: EvaluationOptions(asOf: nil, span: whole.span), threads: 1)
      let paths = try Self.divide(input, flow, among: partitions)
      let found = try await Self.count(paths.shuffled(), input, flow, among: partitions)
      #expect(try found.counts == whole.counts, "seed \(seed)")
      let bytes = Self.metrics(found.tally, flow)
      #expect(bytes == Self.metrics(expected, flow), "seed \(seed)")
    }
  }

  @Test func aTallyIsWhatItsWrittenFormIs() async throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles(SpillTests.files(seed: 4200, flow: flow, persons: 60))
    let timelines = try await input.timelines(flow)
    let tally = try await FlowEvaluator.tally(
      timelines, flow: flow, options: EvaluationOptions(asOf: nil, span: timelines.span),
      threads: 1)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let written = try encoder.encode(tally.record)
    let record = try JSONDecoder().decode(TallyRecord.self, from: written)
    #expect(try encoder.encode(Tally(record, flow: flow).record) == written)
    let other = try FlowFile.load("aiq")
    #expect(throws: TallyMisfit.self) { try Tally(record, flow: other) }
  }

  @Test func everyChangedByteOfAFileIsFound() throws {
    let flow = try SpillTests.flows()[0]
    let input = try LinesInFiles([SpillTests.files(seed: 4300, flow: flow, persons: 3)[0]])
    let path = try #require(Self.divide(input, flow, among: 2).first)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    func read(_ bytes: Data, where isWanted: (PortableSegment.Head) -> Bool) throws -> Int {
      try bytes.write(to: URL(fileURLWithPath: path))
      var count = 0
      try SegmentFiles.forEach(in: path, where: isWanted) { _ in count += 1 }
      return count
    }
    #expect(try read(whole) { _ in true } >= 4)
    #expect(try read(whole) { _ in false } == 0)
    var ends: [Int] = []
    try whole.write(to: URL(fileURLWithPath: path))
    try SegmentFiles.forEach(in: path, where: { _ in true }) {
      ends.append((ends.last ?? 0) + $0.bytes.count)
    }
    // Each byte of each head, which says more than a checksum does; with FIRSTMILE_SLOW=1 of all.
    let isSlow = ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1"
    let heads = ([0] + ends.dropLast()).flatMap { $0..<$0 + 40 }
    for place in Set(heads).union(stride(from: 0, to: whole.count, by: isSlow ? 1 : 29)).sorted() {
      var changed = whole
      changed[place] ^= UInt8(1 << (place % 8))
      #expect(throws: SegmentError.self, "byte \(place)") { try read(changed) { _ in true } }
    }
    for count in stride(from: 1, to: whole.count, by: isSlow ? 1 : 29) {
      // A file that ends between two segments looks whole; what is missing is found out later.
      if ends.contains(count) { continue }
      for isWanted in [true, false] {
        #expect(throws: SegmentError.self, "\(count) bytes") {
          try read(whole.prefix(count)) { _ in isWanted }
        }
      }
    }
  }

  @Test func groupsOfEventsAddUpWhateverTheirCodes() {
    let people = [["a", "b"], ["b", "c"], ["x", "y"], ["y", "x"], ["c"]]
    func groups(_ names: [String], _ people: ArraySlice<[String]>) -> EventGroups {
      var groups = EventGroups(names: names)
      for _ in 0..<30 {
        for person in people {
          var first = EventGroups.First()
          for (time, name) in person.enumerated() {
            guard let code = names.firstIndex(of: name) else { continue }
            groups.add(code, at: Int64(time), first: &first)
          }
        }
      }
      return groups
    }
    let whole = groups(["a", "b", "c", "x", "y"], people[...]).apart
    #expect(whole.count == 2)
    var parts = EventGroups(groups(["y", "b", "a", "x"], people[..<1]).record)
    parts.merge(groups(["c", "b"], people[1..<2]))
    parts.merge(EventGroups(groups(["x", "y", "c"], people[2...]).record))
    #expect(parts.apart == whole)
  }
}
