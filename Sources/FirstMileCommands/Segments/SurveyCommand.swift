import ArgumentParser
import EventInput
import FlowDefinition
import Timelines

/// What must be known of all partitions before any is counted.
struct SurveyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey",
    abstract: "Find what must be known of all partitions before any is counted.",
    discussion: """
      The third step of a run on several machines, for each partition (--partition): how many \
      people have events on each date, which names occur, what was read. With --merge it adds \
      surveys up and checks that nothing is missing, as `firstmile tally` does itself.

      firstmile survey segments stitched --flow aiq --out surveys
      """)

  @OptionGroup var options: SegmentOptions

  @Option(
    help: "The folder to write N.survey to for partition N; with --merge the file.",
    completion: .directory)
  var out: String

  @Flag(help: "Add up the surveys that are named (files, or folders with their *.survey).")
  var merge = false

  func run() async throws {
    let files = CommandFiles()
    if merge {
      let survey = try SurveyFiles.merged(options.segments, try options.loadFlow(), files)
      try survey.requireComplete()
      return try SurveyFiles.write(survey, out, files)
    }
    let flow = try options.loadFlow()
    let paths = try options.paths(files)
    let spill = SpillFolder()
    defer { spill.remove() }
    var surveys: [PartitionSurvey] = []
    for partition in try options.partitions(paths) {
      let survey = try await SegmentMistake.named {
        var reader = try PartitionReader(
          paths, partition: partition, flow: flow, latestMilliseconds: try options.latest(flow))
        reader.threads = options.threads
        reader.memoryLimit = MemoryLimit(
          bytes: (options.memoryLimit ?? .ofMachine).bytes, folder: spill)
        return try await reader.survey()
      }
      try SurveyFiles.write(
        survey,
        SegmentName.file(of: partition, in: out, ending: SegmentName.surveyEnding), files)
      surveys.append(survey)
    }
    // Only all of them show what is missing.
    if options.partition == nil { _ = try PartitionSurvey.merged(surveys, flow: flow) }
  }
}

/// Surveys in files.
enum SurveyFiles {
  static let kind = "survey"

  static func merged(
    _ arguments: [String], _ flow: Flow, _ files: CommandFiles
  ) throws -> PartitionSurvey {
    try PartitionSurvey.merged(try all(arguments, files).map(\.survey), flow: flow)
  }

  /// Surveys as they are in files.
  static func all(
    _ arguments: [String], _ files: CommandFiles
  ) throws -> [(path: String, survey: PartitionSurvey)] {
    try SegmentFiles.expand(arguments, ending: SegmentName.surveyEnding).map { path in
      try files.read(path, as: "an input")
      return (path, try SealedDocument.read(path, kind: kind, as: PartitionSurvey.self))
    }
  }

  static func write(_ survey: PartitionSurvey, _ path: String, _ files: CommandFiles) throws {
    let place = try files.write(path, as: "--out")
    try ReportFolder.make(FolderOfPath.of(place.path), for: "the surveys")
    let bytes = try SealedDocument.bytes(survey, kind: kind)
    try place.replace { file throws(any Error) in try file.write(bytes) }
  }
}
