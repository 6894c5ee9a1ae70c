import EventInput
import FirstMile
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import Timelines

/// A report of tallies that were counted elsewhere.
extension ReportCommand {
  /// Makes the reports where people are counted, or were, by others than this process.
  ///
  /// - Returns: whether that is so.
  func isCountedElsewhere() async throws -> Bool {
    if engine == .spark { try reportOnSpark() } else if tallies { try await reportTallies() }
    return engine == .spark || tallies
  }

  /// Refuses options that choose what was chosen when tallies were counted, or need people.
  func requireTalliesOnly() throws(CommandError) {
    let chosen: [(String, Bool)] = [
      ("--as-of", input.asOf != nil), ("--from", input.from != nil), ("--to", input.to != nil),
      ("--history-from", input.historyFrom != nil), ("--format", input.format != nil),
      ("--key-file", input.keyFile != nil), ("--cohorts", cohorts != .week),
      ("--flow-version", flowVersion != nil), ("--digest", naming.digest != nil),
    ]
    if let (option, _) = chosen.first(where: \.1) {
      throw CommandError(
        "\(option) was chosen when the tallies were counted: give it to `firstmile tally` (and "
          + "--as-of to the steps before it)")
    }
    if input.store != nil || input.inputs.isEmpty {
      throw CommandError("--tallies needs tallies: name files, or folders with their *.tally")
    }
    if rejects != nil {
      throw CommandError("--rejects is for reading dumps: `firstmile partition` keeps them")
    }
    if people.file != nil {
      throw CommandError("tallies know no people: --people needs dumps or a store")
    }
    if against == "previous" {
      throw CommandError("--against previous needs the facts: count another run's tallies")
    }
  }

  func reportTallies() async throws {
    try requireTalliesOnly()
    let flow = try input.loadFlow()
    if let out { try ReportFolder(path: out).check() }
    let files = CommandFiles()
    let job = AnalysisRun(
      flows: [flow], options: input, cohorts: cohorts.unit,
      maximumRejectRate: maxRejectRate.fraction, files: files)
    job.interruption.say { "interrupted; nothing was written" }
    defer { job.finish() }
    let folders = try folders([flow], files)
    try files.read(flows: input.flows)
    var index = try IndexPages(
      out, [flow], try place ?? IndexPages.Place(self.index, out: out), files)
    let earlier = try EarlierOption(against, [flow], input, files)
    let (written, tally) = try TallyFiles.sum(input.inputs, flow, files)
    var report = Report(
      await Analysis.of(tally, flow, threads: input.threads),
      provenance: written.provenance(
        tally, flow: flow, maximumRejectRate: maxRejectRate.fraction))
    if allSlices { report.recordAllSlices() }
    report.hasCards = cards
    report.earlier = try earlier?.recorded(of: report, flow: 0)
    let aside = try folders.map { try ReportsAside(folder: $0[0], of: files) }
    if let aside { mind(aside, index: 0, of: 1, job.interruption) }
    let documents = try await made(report, into: aside, isKept: false)
    index?.add(report)
    try present(report, documents, index: 0, of: 1)
    try index?.write()
    show(folders ?? [])
    try finish(written)
  }

  /// Reports what was wrong with the inputs when they were read, and ends with the exit code that
  /// says so.
  private func finish(_ written: WrittenTally) throws {
    for source in written.sources {
      for problem in source.problems { Console.message("\(source.name): \(problem)") }
      if let misnaming = source.misnaming { Console.message("\(source.name): \(misnaming)") }
    }
    let lines = written.sources.reduce(0) { $0 + $1.lines }
    let rejects = written.sources.reduce(0) { $0 + $1.rejectCount }
    if rejects > 0 {
      Console.message(
        "\(rejects) of \(lines) lines could not be used; `firstmile partition` kept those that no "
          + "flow could use")
    }
    if written.sources.contains(where: \.isUnreadable) { throw ExitStatus.usage }
    if written.sources.allSatisfy({ $0.events == 0 }) {
      Console.message("no event in the input: the reports are of zeros")
      throw ExitStatus.dataQuality
    }
    if written.sources.contains(where: \.isDamaged) {
      Console.message(
        "part of the input is damaged: what could be read is counted, the rest is lost")
      throw ExitStatus.dataQuality
    }
    if Double(rejects) > maxRejectRate.fraction * Double(lines) {
      Console.message(
        "more than the accepted share of lines are rejects (--max-reject-rate \(maxRejectRate))")
      throw ExitStatus.dataQuality
    }
  }
}
