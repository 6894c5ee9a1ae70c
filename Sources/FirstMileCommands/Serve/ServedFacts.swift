import FirstMileStore
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import FunnelReport
import Timelines

/// The facts of one flow up to one moment, read once for all views of them.
actor ServedFacts {
  private let job: AnalysisRun
  private let dump: AnalysisRun.Dump
  private let folders: OpenFolders
  private let number: Int

  /// Reads them from the store.
  ///
  /// - Throws: what `report --store` would say.
  init(_ flow: Flow, _ input: InputOptions, _ progress: ServedProgress, _ folders: OpenFolders)
    async throws
  {
    let job = AnalysisRun(flows: [flow], options: input, cohorts: .week, maximumRejectRate: 0.01)
    // The terminal is no place for what several readers wait for.
    job.progress.end()
    self.job = job
    self.folders = folders
    number = folders.add { job.finish() }
    progress.begin("Reading the store", job.progress.reading)
    var dump = try await job.read()
    // Releases the store: others can write, and fold its log.
    dump.snapshot = nil
    self.dump = dump
  }

  deinit { folders.close(number) }

  /// What `report` would make of them.
  func report(_ question: ServedQuestion, _ flow: Flow, _ command: ReportCommand) async throws
    -> Report
  {
    let job = AnalysisRun(
      flows: [flow], options: command.input, cohorts: command.cohorts.unit,
      flowVersion: command.flowVersion, maximumRejectRate: command.maxRejectRate.fraction)
    job.progress.end()
    defer { job.finish() }
    var report = try await job.report(dump, flow)
    if let store = command.input.store {
      report.past = try ReportHistory(store: store).past(report, flow)
    }
    return report
  }

  /// What `funnel` would make of them.
  func study(_ asked: AskedFunnel, _ command: FunnelCommand) async throws -> FunnelDocument {
    let job = AnalysisRun(
      flows: [asked.flow], options: command.input, cohorts: .day, maximumRejectRate: 1)
    job.progress.end()
    defer { job.finish() }
    return try await command.document(asked, job, dump.timelines)
  }
}
