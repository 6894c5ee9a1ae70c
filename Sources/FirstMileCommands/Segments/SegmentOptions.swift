import ArgumentParser
import EventInput
import FlowDefinition
import Foundation
import Timelines

/// Options of the commands that read segments.
struct SegmentOptions: ParsableArguments {
  @Argument(
    help: """
      What `firstmile partition` and `firstmile stitch` wrote: files, folders (their *.segments), \
      or - for standard input.
      """)
  var segments: [String]

  @Option(name: .customLong("flow"), help: "The flow.", completion: .flows)
  var flow: String

  @Option(help: "Which partition, from 0; all of them, one after the other, if not given.")
  var partition: Int?

  @Option(help: "Take the data up to this date (its end) or instant as complete.")
  var asOf: String?

  @Option(
    name: .customLong("threads"), help: "How many threads to use; all processors if not given.")
  var threadLimit: Int?

  @Option(
    help: """
      How much memory to take, such as 512M or 2G; facts beyond it go to a private folder in \
      TMPDIR. A quarter of the machine's memory if not given.
      """, transform: MemorySize.parse)
  var memoryLimit: MemorySize?

  enum CodingKeys: CodingKey {
    case segments, flow, partition, asOf, threadLimit, memoryLimit
  }

  var threads: Int { threadLimit ?? ProcessInfo.processInfo.activeProcessorCount }

  mutating func validate() throws {
    if let partition, partition < 0 {
      throw ValidationError("--partition must be at least 0, found \(partition)")
    }
    if threads < 1 { throw ValidationError("--threads must be at least 1, found \(threads)") }
  }

  func loadFlow() throws -> Flow {
    guard let flow = try FlowFile.loadAll([flow]).first else { throw FactSchemaError.noFlow }
    return flow
  }

  /// The files that are read.
  func paths(_ files: CommandFiles) throws -> [String] {
    let paths = try SegmentFiles.expand(segments, ending: SegmentName.ending)
    for path in paths where path != "-" { try files.read(path, as: "an input") }
    try files.read(flows: [flow])
    return paths
  }

  /// The partitions that are asked for.
  func partitions(_ paths: [String]) throws -> [Int] {
    if let partition { return [partition] }
    if paths.contains("-") {
      throw CommandError("standard input is read once: choose one partition with --partition")
    }
    return Array(0..<(try SegmentFiles.partitionCount(of: paths)))
  }

  /// As the options of commands that read dumps, for what both choose alike.
  ///
  /// - Parameter dates: further options and their values.
  func inputOptions(_ dates: [(String, String?)] = []) throws -> InputOptions {
    var arguments = ["--no-project-file", "--flow=\(flow)", "--threads=\(threads)"]
    for (name, value) in [("as-of", asOf)] + dates {
      if let value { arguments.append("--\(name)=\(value)") }
    }
    if let memoryLimit { arguments.append("--memory-limit=\(memoryLimit.bytes)") }
    return try InputOptions.parse(arguments + ["--"] + segments)
  }

  /// The last moment of facts that are taken in.
  func latest(_ flow: Flow) throws -> Int64 { try inputOptions().dates(in: flow).asOf ?? .max }
}

/// What files of segments and surveys are called.
enum SegmentName {
  static let ending = ".segments"
  static let surveyEnding = ".survey"

  /// A partition's file in a folder.
  static func file(of partition: Int, in folder: String, ending: String) -> String {
    "\(ReportFolders.trimmed(folder))/\(partition)\(ending)"
  }
}
