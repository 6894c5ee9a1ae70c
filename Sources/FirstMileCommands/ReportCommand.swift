import ArgumentParser
import EventInput
import FirstMile
import FirstMileStore
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import FunnelReport
import ReportText
import Timelines
import WorkerThreads

/// Dumps in, reports out.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Read event dumps and report on their onboarding funnels.",
    discussion: """
      Prints a summary that fits a screen (--full: all of it); with --out also writes report.html, \
      report.md, CSV files, metrics.csv and metrics.json there. With several flows each gets a \
      folder of its own inside.

      firstmile report dumps/ --flow aiq --out reports/aiq
      """)

  @OptionGroup var input: InputOptions

  @Option(help: "The folder to write the reports to.", completion: .directory)
  var out: String?

  @Option(
    help: """
      Also list the report in the index.html of this folder, which --out lies in, beside those \
      that are listed there already.
      """)
  var index: String?

  @Option(
    help: """
      Hold the report against earlier numbers: 'previous' (the period before --from, which is as \
      long), the folder of a report, its metrics.json, or a baseline.
      """, completion: .directory)
  var against: String?

  @Option(
    name: .customLong("cohorts"), help: "Group persons by the day, week or month they began.")
  var cohorts: CohortChoice = .week

  @Flag(
    help: """
      The inputs are tallies that `firstmile tally` counted, of all partitions of a run: files, or \
      folders with their *.tally.
      """)
  var tallies = false

  @Option(help: "Where people are counted: on this machine (local), or on Apache Spark (spark).")
  var engine: ReportEngine = .local

  @Option(help: "With --engine spark: its master, such as spark://HOST:7077 or yarn.")
  var master: String?

  @Option(help: "With --engine spark: among how many partitions people are divided.")
  var partitions: Int?

  @Option(help: "Only people who met this version of the flow, such as 2.")
  var flowVersion: String?

  @Option(help: "Where lines that can't be used are kept; beside --out if not given.")
  var rejects: String?

  @Option(
    help: "More rejected lines than this share, such as 1% or 0.01, end with exit code 4.",
    transform: Share.parse)
  var maxRejectRate = Share(0.01)

  @OptionGroup var people: PeopleOptions

  @OptionGroup var naming: DigestOptions

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  @Flag(help: "Print every section of the summary, not only what fits a screen.")
  var full = false

  @Flag(help: "Print metrics.json instead of the summary; an array of them for several flows.")
  var json = false

  @Flag(
    help: "End with a line on standard error: events, persons, rejects, seconds, MB/s, peak memory."
  )
  var stats = false

  @Flag(help: "The same as a JSON object.")
  var statsJson = false

  @Flag(
    help: "Write every number of every group into the files, however few people are in it.")
  var allSlices = false

  @Flag(
    help: """
      Also write the headline and each finding as a picture (card.svg, card-1.svg, …) into --out, \
      for chats, slides and pull requests.
      """)
  var cards = false

  @Option(
    parsing: .singleValue,
    help: """
      Also write the tables into --out for programs: sqlite (tables.sqlite, a table for each CSV \
      file), json (tables.json) or parquet (a file for each, by the duckdb on the path); may be \
      given several times.
      """)
  var tables: [TableForm] = []

  @Flag(help: "Open report.html when it is written; needs --out.")
  var open = false

  /// Flows that are loaded already, for commands that report in passing.
  var givenFlows: [Flow]?
  /// Where the report stands in the index of a series.
  var place: IndexPages.Place?
  /// Whether the run only adds to a store's history: the run after it says what is to be said.
  var isForHistory = false
  /// Whether a watch reports on a day, so that nobody gave `--as-of`.
  var isOfDay = false
  /// Whether the pages' places are said last.
  var namesPages = true

  enum CodingKeys: CodingKey {
    case input, out, index, against, cohorts, flowVersion, rejects, maxRejectRate
    case quiet, full, json, allSlices, stats, statsJson, cards, tables, open, tallies
    case engine, master, partitions
    case people, naming
  }

  mutating func validate() throws {
    out = out ?? input.project.out
    rejects = rejects ?? input.project.rejects
    if cards && out == nil {
      throw ValidationError("--cards needs --out: the pictures lie beside the report")
    }
    if !tables.isEmpty && out == nil {
      throw ValidationError("--tables needs --out: they lie beside the CSV files")
    }
    if engine == .local && (master != nil || partitions != nil) {
      throw ValidationError("--master and --partitions are for --engine spark")
    }
    if open && out == nil { throw ValidationError("--open needs --out: the page is written there") }
  }

  func run() async throws {
    if try await isCountedElsewhere() { return }
    let statistics = RunStatistics()
    WorkingDirectory.tell(input.project, out: out == input.project.out ? out : nil)
    let flows = try givenFlows ?? input.loadFlows()
    if let out { try ReportFolder(path: out).check() }
    let job = AnalysisRun(
      flows: flows, options: input, cohorts: cohorts.unit, flowVersion: flowVersion,
      maximumRejectRate: maxRejectRate.fraction, files: CommandFiles())
    job.asOfNotice.namesOption = !isOfDay
    job.interruption.say { "interrupted; nothing was written" }
    defer { job.finish() }
    let folders = try folders(flows, job.files)
    let rejectsFile = try rejectsFile(job.files)
    let place = try place ?? IndexPages.Place(self.index, out: out)
    var index = try IndexPages(out, flows, place, job.files)
    let against = try EarlierOption(against, flows, input, job.files)
    let people = try PeopleList(self.people, flows, job.files, store: input.store)
    var dump = try await job.read(
      rejectsFile: rejectsFile, digest: try naming.kind(store: input.store),
      sampledEvents: InputReading.sampledEvents
    ) { try people?.check($0) }
    try requireReadable(dump)
    for (number, flow) in flows.enumerated() {
      var own = try job.alone(dump, flow)
      var report = try await job.report(own, flow)
      if allSlices { report.recordAllSlices() }
      report.hasCards = cards
      report.earlier = try await against?.numbers(of: report, flow: number, own, job)
      let nobody = try await isForHistory ? nil : job.nobodyEntered(own, report)
      if number == flows.count - 1 && people == nil {
        try own.timelines.letGo()
        try dump.timelines.letGo()
      }
      if let snapshot = dump.snapshot, !isForHistory {
        report.past = try ReportHistory(store: snapshot.store.path).past(report, flow)
      }
      job.progress.begin("writing")
      let aside = try folders.map { try ReportsAside(folder: $0[number], of: job.files) }
      if let aside { mind(aside, index: number, of: flows.count, job.interruption) }
      let documents = try await made(report, into: aside, isKept: dump.snapshot != nil)
      if !quiet || json { job.progress.end() }
      index?.add(report)
      try present(report, documents, index: number, of: flows.count)
      try people?.write(own, job)
      // A wrong flow, or dates with nothing in them, must not look like a quiet day.
      if let nobody { Console.message(nobody) }
      try await follow(report, documents, flow, dump, job)
    }
    try index?.write()
    let keptRejects = try job.keepRejects(dump)
    job.progress.end()
    show(folders ?? [])
    let persons = try dump.timelines.counts.persons
    defer {
      if stats { Console.message(statistics.text(dump, persons: persons)) }
      if statsJson { Console.terminal(statistics.json(dump, persons: persons)) }
    }
    try finish(dump, rejectsPath: keptRejects ? rejectsFile?.given : nil)
  }

  /// Where nothing was read, a page of zeros would only hide why.
  private func requireReadable(_ dump: AnalysisRun.Dump) throws {
    guard dump.isUnreadable else { return }
    Console.tell(problems: dump.problems)
    throw ExitStatus.usage
  }

  /// What --open shows: the report, or the index of several.
  private func pages(_ folders: [String]) -> [String] {
    if let out, folders.count > 1 { return ["\(ReportFolders.trimmed(out))/index.html"] }
    return folders.map { "\(ReportFolders.trimmed($0))/report.html" }
  }

  /// Says last where the pages are, and opens them where that is asked for.
  func show(_ folders: [String]) {
    if open { PageOpener.open(pages(folders)) }
    if quiet || json || !namesPages { return }
    for folder in folders {
      let page = "\(ReportFolders.trimmed(folder))/report.html"
      Console.output("\n\(HiddenScalars.escaped(page))\n")
    }
    if let out, folders.count > 1 {
      Console.output("\n\(HiddenScalars.escaped("\(ReportFolders.trimmed(out))/index.html"))\n")
    }
  }

  /// Where the report of each flow goes.
  func folders(_ flows: [Flow], _ files: CommandFiles) throws -> [String]? {
    guard let out else { return nil }
    try besides.check()
    let folders = flows.count == 1 ? [out] : try ReportFolders.within(out, flows)
    for folder in folders {
      try files.write(folder: folder, names: Report.documentNames + besides.names, as: "--out")
    }
    return folders
  }

  /// Where lines that can't be used go; a store has kept its own.
  private func rejectsFile(_ files: CommandFiles) throws -> OutputFile? {
    if let rejects { return try files.write(rejects, as: "--rejects") }
    guard let out, input.store == nil else { return nil }
    let beside = "\(ReportFolders.trimmed(out))-rejects.ndjson"
    return try files.write(beside, as: "the file of rejected lines")
  }

  /// What an interrupt leaves from here on, and says about it.
  func mind(
    _ aside: ReportsAside, index: Int, of count: Int, _ interruption: Interruption
  ) {
    interruption.clear { aside.remove() }
    interruption.say {
      let written = index + (aside.isInPlace ? 1 : 0)
      return written == 0
        ? "interrupted; nothing was written"
        : "interrupted with \(written) of \(count) reports written; run the same command again"
    }
  }

  /// The documents that are written, printed or kept, made on all threads and put into the folder.
  func made(
    _ report: Report, into aside: ReportsAside?, isKept: Bool
  ) async throws -> [Document] {
    var names = out == nil ? [] : Report.documentNames
    if out == nil && json { names.append("metrics.json") }
    if out == nil && isKept { names.append("metrics.csv") }
    // What takes longest first.
    let wanted = names.sorted { rank($0) < rank($1) }
    do {
      let made = try await Parallel.map(count: wanted.count, threads: input.threads) {
        (number) throws(CommandError) in
        let document = report.document(wanted[number])
        // Where it was made: others are made while the disk takes this one.
        if let aside, let document { try aside.write(document) }
        return document
      }
      if let aside { try write(report, made.compactMap(\.self), to: aside) }
      try aside?.putInPlace()
      return names.compactMap { name in made.first { $0?.name == name } ?? nil }
    } catch {
      aside?.remove()
      throw error
    }
  }

  private var besides: ReportBesides { ReportBesides(cards: cards, forms: tables) }

  /// Cards and other forms of the tables, in the place of all those of an earlier report.
  private func write(
    _ report: Report, _ made: [Document], to aside: ReportsAside
  ) throws(CommandError) {
    guard let metrics = made.first(where: { $0.name == "metrics.csv" }) else { return }
    for document in try besides.documents(report, metrics: metrics) { try aside.write(document) }
    aside.replaceAll(besides.names)
  }

  private func rank(_ name: String) -> Int {
    ["metrics.json", "metrics.csv", "report.html"].firstIndex(of: name) ?? .max
  }

  func present(
    _ report: Report, _ documents: [Document], index: Int, of count: Int
  ) throws {
    if json {
      let document = documents.first { $0.name == "metrics.json" }
      let opening = count == 1 ? "" : index == 0 ? "[" : ","
      Console.output(
        opening + (document?.text ?? "") + (index == count - 1 && count > 1 ? "]\n" : ""))
    } else if !quiet {
      let style = TerminalStyle(width: Console.outputColumns, color: Console.hasColor)
      Console.output(
        full ? report.terminalSummary(style: style) : report.terminalScreen(style: style))
    }
  }

  /// Compares with the reports before this one from the same store, and keeps this one.
  private func follow(
    _ report: Report, _ documents: [Document], _ flow: Flow, _ dump: AnalysisRun.Dump,
    _ job: AnalysisRun
  ) async throws {
    guard let snapshot = dump.snapshot else { return }
    // Nobody waits for what is late for a day that only the history takes.
    let late = isForHistory ? nil : try await job.lateFacts(dump, flow)
    let history = ReportHistory(store: snapshot.store.path)
    let metrics = documents.first { $0.name == "metrics.csv" }
    let entry = history.entry(
      report, metricsText: metrics?.text ?? "", flow, snapshot.lastSource)
    if let late { ReportHistory.tell(late, entry) }
    history.keep(entry, flow: flow)
  }

  /// Reports what was wrong with the input, and ends with the exit code that says so.
  private func finish(_ dump: AnalysisRun.Dump, rejectsPath: String?) throws {
    if isForHistory { return }
    Console.tellProblems(of: dump.summaries)
    Console.tell(problems: dump.problems)
    let lines = dump.summaries.reduce(0) { $0 + $1.lines }
    let rejects = dump.summaries.reduce(0) { $0 + $1.rejects }
    let unusable =
      "\(NumberText.grouped(rejects)) of \(NumberText.grouped(lines)) lines could not be used"
    if let path = rejectsPath {
      Console.message("\(unusable); they are in \(path)")
    } else if rejects > 0 && dump.snapshot == nil {
      Console.message("\(unusable)\(reasons(dump)); --rejects FILE keeps them")
    }
    if !dump.problems.isEmpty { throw ExitStatus.usage }
    if dump.summaries.allSatisfy({ $0.events == 0 }) {
      Console.message("no event in the input: the reports are of zeros\(reasons(dump))")
      throw ExitStatus.dataQuality
    }
    if dump.summaries.contains(where: { !$0.damages.isEmpty }) {
      Console.message(
        "part of the input is damaged: what could be read is counted, the rest is lost"
          + (DamagedSources(dump, store: input.store)?.advice ?? ""))
      throw ExitStatus.dataQuality
    }
    let faults = dump.summaries.reduce(0) { $0 + $1.faults }
    if Double(faults) > maxRejectRate.fraction * Double(lines) {
      Console.message(
        "more than the accepted share of lines are rejects (--max-reject-rate \(maxRejectRate))"
          + (RejectedSources(dump, store: input.store, above: maxRejectRate.fraction)?.words ?? ""))
      throw ExitStatus.dataQuality
    }
  }

  /// Why lines could not be used, most frequent first: `; rejects: 12 no_timestamp, 3 not_json`.
  private func reasons(_ dump: AnalysisRun.Dump) -> String {
    var counts: [String: Int] = [:]
    for summary in dump.summaries {
      for (reason, count) in summary.rejectsByReason {
        counts[reason.rawValue, default: 0] += count
      }
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if sorted.isEmpty { return "" }
    let rest = sorted.dropFirst(3).reduce(0) { $0 + $1.value }
    return "; rejects: "
      + (sorted.prefix(3).map { "\($0.value) \($0.key)" } + (rest > 0 ? ["\(rest) others"] : []))
      .joined(separator: ", ")
  }
}
