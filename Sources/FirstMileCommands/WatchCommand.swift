import ArgumentParser
import EventInput
import FirstMileStore
import FlowDefinition
import Foundation
import FunnelEngine
import ReportText
import Timelines

/// Takes files in as they land.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Ingest files as they land in a folder, and report when a day is complete.",
    discussion: """
      A file counts when it was renamed into place or has stopped growing. A day is complete when \
      enough people have events of a later day, by the rule for the horizon. Stops cleanly on \
      SIGTERM and SIGINT, and when its terminal goes away.

      firstmile watch landing/ --store onboarding.sqlite --flow aiq --out reports/
      """)

  @Argument(help: "The folder that files land in.")
  var folder: String

  @OptionGroup var kept: IngestOptions

  @Option(help: "A folder for the reports of complete days, one folder a flow and day.")
  var out: String?

  @Option(help: "How many seconds a file must not have changed.")
  var settle: Double = 5

  @Option(help: "How many seconds between two looks.")
  var every: Double = 1

  @Option(
    help: """
      How many complete days before the newest one, at most, are reported on when data of several \
      days come at once; those before the first folder of --out are for the store's history alone.
      """)
  var backlog = 30

  mutating func validate() throws {
    if !(0...3660).contains(backlog) {
      throw ValidationError("--backlog is a number of days from 0 to 3660, found \(backlog)")
    }
    var dumps = [folder]
    try kept.takeDefaults(inputs: &dumps)
    let day = 86_400.0
    if !(0...day).contains(settle) {
      throw ValidationError("--settle is a number of seconds from 0 to 86400, found \(settle)")
    }
    if !(every > 0 && every <= day) {
      throw ValidationError(
        "--every must be more than 0 seconds and at most 86400, found \(every)")
    }
  }

  func run() async throws {
    if RemoteAddress.isAddress(folder) {
      throw CommandError(
        "'\(RemoteAddress.shown(folder))' is an address, and watch looks at folders; run "
          + "`firstmile ingest` for it from time to time: what is in already isn't read again")
    }
    guard ReportFolder.isFolder(folder) else { throw CommandError("'\(folder)' is no folder") }
    let store = try kept.place()
    let stop = StopSignal()
    let files = CommandFiles()
    try files.use(store: store.store, isOutput: true)
    try files.read(flows: kept.flows)
    let job = try IngestJob(
      options: store, flows: try kept.loadFlows(for: store.store), threads: kept.threads,
      format: kept.format)
    var landing = LandingFolder(path: folder, settleSeconds: settle)
    var unreadable: Set<String> = []
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say { "interrupted; the store is whole" }
    if let out { _ = try ReportFolders.within(out, try job.store.flows()) }
    Console.message(
      "watching \(folder) for files called *.ndjson or *.jsonl, also compressed, and for "
        + "compressed *.json; files with other names aren't looked at, and `firstmile ingest` "
        + "reads them")
    // What was complete when the watch before this one ended, or was taken in by `ingest`.
    var lastSource = try job.store.sources().last?.id
    try await report(job, store, stop, isStart: true)
    while !stop.isGiven {
      let whole = landing.look()
      for problem in landing.newProblems { Console.message(problem.description) }
      Console.tell(passedOver: landing.newPassedOver)
      try files.read(whole)
      if !whole.isEmpty {
        let isNew = try await take(whole, job, stop, &unreadable)
        // What another process took in meanwhile is passed over here.
        let last = try job.store.sources().last?.id
        if !stop.isGiven && (isNew || last != lastSource) { try await report(job, store, stop) }
        lastSource = last
      }
      await stop.wait(seconds: every)
    }
    try job.store.close()
    let unread = Set(landing.problems.map(\.name)).union(unreadable)
    if unread.isEmpty { return Console.message("stopped; the store is whole") }
    let count = CountText.of(unread.count, "path")
    Console.message("stopped; the store is whole, but \(count) in '\(folder)' could not be read")
    throw ExitStatus.usage
  }

  /// Returns whether anything was new; keeps the names of files that could not be read so far.
  private func take(
    _ sources: [InputSource], _ job: IngestJob, _ stop: StopSignal,
    _ unreadable: inout Set<String>
  ) async throws -> Bool {
    let outcomes = try await job.run(sources, again: false) { stop.isGiven }
    try Console.tellGone(outcomes, of: job.store)
    var isNew = false
    for (source, outcome) in zip(sources, outcomes) {
      unreadable.remove(source.name)
      switch outcome {
      case .takenIn(let stored, _), .readAgain(let stored, _):
        isNew = true
        Console.message(
          "\(source.name): \(CountText.of(stored.summary.lines, "line")), "
            + "\(CountText.of(stored.facts, "fact")) taken in")
        Console.tellProblems(of: [stored.summary])
        Console.tellRejects(of: stored, in: job.store.rejectsPath)
        Console.tellForgotten(stored)
      case .passedOver: break
      case .unreadable(let problem):
        unreadable.insert(source.name)
        Console.message(problem.description)
      }
    }
    return isNew
  }

  /// Reports on the complete days of each flow that have no report yet, in their order.
  ///
  /// - Parameter isStart: a run that was ended may have left a report unlisted.
  private func report(
    _ job: IngestJob, _ store: StoreOptions, _ stop: StopSignal, isStart: Bool = false
  ) async throws {
    let flows = try job.store.flows()
    let folders = try out.map { try ReportFolders.within($0, flows) }
    for (index, flow) in flows.enumerated() {
      guard !stop.isGiven, let complete = try await completeDays(flow, store) else { continue }
      let folder = folders?[index]
      var there = folder.map { DayFolders($0) }
      if !isStart { there?.unlisted = nil }
      let due = DueDays.of(
        complete: complete, backlog: backlog, history: try reportedDays(flow, job),
        folders: there)
      var filled: [Int] = []
      for day in due where !stop.isGiven {
        let text = Moment.day(day.number)
        if day.isForHistory {
          try await report(text, of: flow, into: nil, store, isForHistory: true)
          filled.append(day.number)
          continue
        }
        tell(filled, flow)
        filled = []
        try await report(text, of: flow, into: folder, store)
        Console.message("\(flow.id): \(text) is complete" + (out == nil ? "" : "; reported"))
      }
      tell(filled, flow)
    }
  }

  private func tell(_ filled: [Int], _ flow: Flow) {
    guard let first = filled.first, let last = filled.last else { return }
    Console.message(
      "\(flow.id): \(CountText.of(filled.count, "earlier day")) added to the history, "
        + "\(Moment.day(first)) to \(Moment.day(last))")
  }

  /// The days that the store's history has, as numbers: reports such as those of a watch.
  private func reportedDays(_ flow: Flow, _ job: IngestJob) throws -> Set<Int> {
    let history = try job.store.history(
      flow: flow.id, fingerprint: flow.fingerprint, limit: 1000, hasMetrics: false)
    return Set(
      history.compactMap { entry in
        let others = entry.options.filter { $0.key != "as_of" && $0 != ("cohorts", "week") }
        return others.isEmpty ? entry.options["as_of"].flatMap(Moment.dayNumber) : nil
      })
  }

  /// Reports up to the end of a day; without a folder only the store's history has it then.
  private func report(
    _ day: String, of flow: Flow, into folder: String?, _ store: StoreOptions,
    isForHistory: Bool = false
  ) async throws {
    var options = [
      "--store=\(store.store)", "--flow=\(flow.id)", "--as-of=\(day)", "--quiet",
      "--threads=\(kept.threads)",
    ]
    if kept.noProjectFile { options.append("--no-project-file") }
    if let folder { options.append("--out=\(folder)/\(day)") }
    var command = try ReportCommand.parse(options)
    command.givenFlows = [flow]
    command.isForHistory = isForHistory
    command.isOfDay = true
    if folder != nil, let out {
      command.place = IndexPages.Place(folder: out, report: "\(flow.folderName)/\(day)", day: day)
    }
    do {
      try await command.run()
    } catch let status as ExitCode where status == ExitStatus.dataQuality {
      // It was said already, and the report is there; the files to come may be fine.
    }
  }

  /// The days that are complete, in the flow's time zone, as numbers: up to the one before the
  /// horizon's.
  private func completeDays(
    _ flow: Flow, _ store: StoreOptions
  ) async throws -> ClosedRange<Int>? {
    let snapshot = try StoreSnapshot(path: store.store, waiting: store.waiting)
    if snapshot.sources.isEmpty { return nil }
    var question = StoreSnapshot.Question(schema: try FactSchema(flows: [flow]))
    question.threads = kept.threads
    let timelines = try await snapshot.timelines(question)
    guard let span = timelines.span else { return nil }
    let calendar = CivilCalendar(timeZone: flow.timeZone)
    let first = snapshot.sources.compactMap { $0.milliseconds?.lowerBound }.min() ?? .min
    let day = calendar.day(of: span.horizonMilliseconds) - 1
    // Before the first fact that is not misdated nothing could become complete.
    let earliest = calendar.day(of: max(first, span.datedMilliseconds.lowerBound))
    return day >= earliest ? earliest...day : nil
  }
}
