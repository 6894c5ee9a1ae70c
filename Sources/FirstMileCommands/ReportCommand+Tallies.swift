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
    try TallyFiles.finish(written, maxRejectRate)
  }
}
