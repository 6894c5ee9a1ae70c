import ArgumentParser
import EventInput
import FirstMile
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import Timelines

/// Counts the people of partitions.
struct TallyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tally", abstract: "Count the people of partitions, for a report of all.",
    discussion: """
      The fourth step of a run on several machines, for each partition (--partition), once all \
      are surveyed. `firstmile report --tallies` makes the reports of what it writes.

      firstmile tally segments stitched --surveys surveys --flow aiq --out tallies

      Tallies of runs over the events of different people, in several regions or companies, add up \
      if each run was counted with the surveys of the others (--with); docs/tallies.md shows it.
      """)

  @OptionGroup var options: SegmentOptions

  @Option(
    parsing: .upToNextOption,
    help: """
      The surveys of all partitions: files, or folders with their *.survey; need not be given \
      where there is only one partition.
      """)
  var surveys: [String] = []

  @Option(
    name: .customLong("with"), parsing: .upToNextOption,
    help: """
      Surveys of other parties, who count the events of other people: files of `firstmile survey \
      --merge`, or folders with them. This run's own is passed over.
      """)
  var others: [String] = []

  @Option(help: "The folder to write N.tally to for partition N.", completion: .directory)
  var out: String

  @Option(name: .customLong("from"), help: "Only persons who began at or after this.")
  var from: String?

  @Option(name: .customLong("to"), help: "Only persons who began before this.")
  var to: String?

  @Option(help: "Look at facts from this date or instant on, as if the data began there.")
  var historyFrom: String?

  @Option(
    name: .customLong("cohorts"), help: "Group persons by the day, week or month they began.")
  var cohorts: CohortChoice = .week

  @Option(help: "Only people who met this version of the flow, such as 2.")
  var flowVersion: String?

  @Option(
    help: """
      The key that `firstmile partition` was given: needed where the flow file leaves people out \
      by their ids.
      """, completion: .file())
  var keyFile: String?

  @Option(help: "As `firstmile partition` was given it; reports say it.")
  var format: EventFormat.Name?

  func run() async throws {
    let files = CommandFiles()
    let flow = try options.loadFlow()
    let input = try options.inputOptions([
      ("from", from), ("to", to), ("history-from", historyFrom), ("format", format?.rawValue),
      ("key-file", keyFile),
    ])
    let job = AnalysisRun(
      flows: [flow], options: input, cohorts: cohorts.unit, flowVersion: flowVersion,
      maximumRejectRate: 0, files: files)
    defer { job.finish() }
    let paths = try options.paths(files)
    let partitions = try options.partitions(paths)
    let others = others.isEmpty ? [] : try SurveyFiles.all(others, files)
    let agreement =
      surveys.isEmpty
      ? nil : try SurveyAgreement(SurveyFiles.merged(surveys, flow, files), with: others)
    for end in agreement?.earlyEnds ?? [] { Console.message(end) }
    for partition in partitions {
      let written = try await SegmentMistake.named {
        var reader = try PartitionReader(
          paths, partition: partition, flow: flow,
          latestMilliseconds: try input.dates(in: flow).asOf ?? .max)
        reader.threads = options.threads
        reader.memoryLimit = MemoryLimit(
          bytes: (options.memoryLimit ?? .ofMachine).bytes, folder: job.spillFolder)
        let known: SurveyAgreement
        if let agreement {
          known = agreement
        } else {
          known = try SurveyAgreement(try await reader.survey(), with: others)
        }
        return try await tally(reader, known, flow, job)
      }
      let place = try files.write(
        SegmentName.file(of: partition, in: out, ending: WrittenTally.ending), as: "--out")
      try ReportFolder.make(FolderOfPath.of(place.path), for: "the tallies")
      let bytes = try SealedDocument.bytes(written, kind: WrittenTally.kind)
      try place.replace { file throws(any Error) in try file.write(bytes) }
    }
  }

  private func tally(
    _ reader: PartitionReader, _ agreement: SurveyAgreement, _ flow: Flow, _ job: AnalysisRun
  ) async throws -> WrittenTally {
    let survey = agreement.survey
    if !flow.leaveOut.ids.isEmpty, try job.options.loadKey().name != survey.key {
      throw CommandError(
        "'leave_out' of the flow file names ids, and those of the segments are hashed with another "
          + "key: give `firstmile tally` the --key-file that `firstmile partition` was given")
    }
    let timelines = try await reader.timelines(survey)
    let evaluation = try job.evaluationOptions(timelines, flow)
    let tally = try await FlowEvaluator.tally(
      timelines, flow: flow, options: evaluation, threads: options.threads)
    let shortDay = InputReading.shortDay(timelines.span, evaluation).map(WrittenTally.Day.init)
    let missingDays = InputReading.missingDays(timelines.span, evaluation)
      .map(WrittenTally.Day.init)
    let run = WrittenTally.Run(
      flow: flow.id, fingerprint: flow.fingerprint, programVersion: FirstMile.version,
      agreement: agreement,
      horizonMilliseconds: evaluation.horizonMilliseconds,
      datedMilliseconds: [
        evaluation.datedMilliseconds.lowerBound, evaluation.datedMilliseconds.upperBound,
      ], knownFromMilliseconds: evaluation.knownFromMilliseconds, options: job.numberOptions,
      daysAfterData: evaluation.daysAfterData, shortDay: shortDay, missingDays: missingDays,
      counts: reader.runCounts(survey),
      findings: survey.findings)
    let summaries = try survey.summaries(flow.identity, of: reader.partition)
    return WrittenTally(
      run: run, partitions: [reader.partition],
      sources: summaries.map { WrittenTally.Source($0) }
        + survey.missingInputs(of: reader.partition).map { WrittenTally.Source($0) },
      counts: try timelines.counts, tally: tally.record)
  }
}
