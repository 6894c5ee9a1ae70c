import ArgumentParser
import FlowDefinition
import Timelines

/// Gives the facts of a partition to the people they belong to.
struct StitchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stitch",
    abstract: "Give the facts of devices and aliases to their people.",
    discussion: """
      The second step of a run on several machines, for each partition (--partition), once all \
      inputs are divided. It can be left out where no event names a device beside its user or \
      another id of its user; `firstmile survey --merge` and `tally` say so if it can't.

      firstmile stitch segments --flow aiq --out stitched
      """)

  @OptionGroup var options: SegmentOptions

  @Option(
    help: "The folder to write the file of segments to; - writes them to standard output.",
    completion: .directory)
  var out: String

  @Flag(
    name: .customLong("check"),
    help: """
      Only print whether the inputs need this step, as {"isNeeded":true} or {"isNeeded":false}; \
      the segments of the tasks alone are enough for that.
      """)
  var checks = false

  func run() async throws {
    let files = CommandFiles()
    let flow = try options.loadFlow()
    if checks {
      let isNeeded = try StitchingNeed.isThere(flow.identity, in: try options.paths(files))
      return Console.output("{\"isNeeded\":\(isNeeded)}\n")
    }
    let output = SegmentOutput(out: out, files: files)
    try output.prepare()
    let (paths, schema) = (try options.paths(files), try FactSchema(flows: [flow]))
    for partition in try options.partitions(paths) {
      try SegmentMistake.named {
        var stitcher = try PartitionStitcher(
          paths, partition: partition, schema: schema,
          latestMilliseconds: try options.latest(flow))
        try output.write(try stitcher.run(), name: stitcher.name)
      }
    }
  }
}

/// Bytes that pass their checksum and make no sense all the same.
enum SegmentMistake {
  static func named<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch is StoredDamage { throw mistake }
  }

  static func named<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch is StoredDamage { throw mistake }
  }

  private static var mistake: CommandError {
    CommandError(
      "the facts in these segments make no sense: another program wrote them, or this one has a "
        + "defect; run `firstmile partition` again")
  }
}
