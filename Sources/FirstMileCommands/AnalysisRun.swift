import EventInput
import FirstMile
import FirstMileStore
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import Timelines

/// The main job: inputs → timelines, read once for all flows → one report a flow.
struct AnalysisRun {
  let flows: [Flow]
  let options: InputOptions
  let cohorts: EvaluationOptions.CohortUnit
  let maximumRejectRate: Double
  /// Only people whose attempt was with this version of the flow.
  let flowVersion: String?
  /// For facts beyond the memory limit; the job's runner calls `finish` when it is done.
  let interruption: Interruption
  /// What the command reads and writes; the job names what it reads.
  let files: CommandFiles
  let spillFolder = SpillFolder()
  let asOfNotice = AsOfNotice()
  let progress = ProgressLine()

  /// - Parameter files: of the command, where it writes any.
  init(
    flows: [Flow], options: InputOptions, cohorts: EvaluationOptions.CohortUnit,
    flowVersion: String? = nil, maximumRejectRate: Double, files: CommandFiles = CommandFiles()
  ) {
    self.flowVersion = flowVersion
    self.files = files
    interruption = Interruption()
    self.flows = flows
    self.options = options
    self.cohorts = cohorts
    self.maximumRejectRate = maximumRejectRate
    self.interruption.clear { [spillFolder] in spillFolder.remove() }
    self.interruption.clear { [progress] in progress.end() }
  }

  /// Removes what was spilled to disk; the timelines can't be read any more.
  func finish() {
    progress.end()
    spillFolder.remove()
    interruption.end()
  }

  /// What reading the inputs gave.
  struct Dump {
    var timelines: Timelines
    var summaries: [SourceSummary]
    var problems: [InputProblem]
    /// The store the facts come from, if it is one.
    var snapshot: StoreSnapshot?
    /// Rejects on their way; `keepRejects` puts them into place.
    fileprivate var rejects: (writer: RejectWriter, place: OutputFile)?
    fileprivate(set) var sources: [InputSource]
    /// What looks like personal text in a sample of the events, if one was taken.
    var personalProperties: [PersonalProperty] = []
    /// Crawlers and robots in that sample.
    var crawlers: [SampledCrawler] = []

    /// Whether no input can be read. A store of which no source counts can.
    var isUnreadable: Bool {
      snapshot == nil && summaries.allSatisfy { $0.unreadable != nil }
    }

    /// As the library takes it.
    fileprivate var reading: InputReading {
      InputReading(
        timelines: timelines, summaries: summaries, problems: problems,
        personalProperties: personalProperties, crawlers: crawlers)
    }
  }

  /// Reads the inputs.
  ///
  /// - Parameter rejectsFile: where rejects go; `nil` keeps none.
  /// - Parameter digest: how sources are named.
  /// - Parameter isInspecting: take notes of arrivals and messages too.
  /// - Parameter sampledEvents: in how many events personal text is looked for.
  /// - Parameter checking: refuses sources before the first of them is read.
  func read(
    rejectsFile: OutputFile? = nil, watching devices: Set<IdentifierHash> = [],
    digest: SourceDigest.Kind = .xxh3, isInspecting: Bool = false, sampledEvents: Int = 0,
    checking: ([InputSource]) throws -> Void = { _ in }
  ) async throws -> Dump {
    // A mistake in the dates is reported before hours of reading.
    for flow in flows { _ = try options.dates(in: flow) }
    try files.read(flows: options.flows)
    if let key = options.keyFile { try files.read(key, as: "the key file") }
    if let store = options.store {
      try files.use(store: store)
      return try await read(store: store, watching: devices)
    }
    let (sources, problems, passedOver) = InputExpansion.expand(
      options.inputs,
      plan: try FactSchema.recognition(flows: flows, format: options.format),
      access: options.remote.access())
    try files.read(sources)
    try checking(sources)
    if options.namesPassedOver { Console.tell(passedOver: passedOver) }
    var schema = try FactSchema(flows: flows, format: options.format).digesting(by: digest)
    if isInspecting { schema = schema.inspecting }
    let sampling = sampledEvents > 0 ? PropertySampling(limit: sampledEvents) : nil
    if let sampling { schema = schema.sampling(sampling) }
    var reader = TimelineLoader(
      schema: schema, key: try options.loadKey(), threads: options.threads,
      latestMilliseconds: try latest())
    reader.watchedDevices = devices
    reader.progress = progress.reading
    reader.memoryLimit = MemoryLimit(
      bytes: (options.memoryLimit ?? .ofMachine).bytes, folder: spillFolder)
    let rejects = try rejectsFile.map { try rejectWriter($0) }
    progress.begin(ProgressLine.reading, totalBytes: bytes(of: sources))
    let (timelines, summaries) = try await reader.read(sources, rejects: rejects?.writer)
    let found = sampling?.findings(schema.plan)
    return Dump(
      timelines: timelines, summaries: summaries,
      problems: problems + summaries.compactMap(\.unreadable), rejects: rejects,
      sources: sources, personalProperties: found?.personal ?? [], crawlers: found?.crawlers ?? [])
  }

  private func rejectWriter(
    _ place: OutputFile
  ) throws -> (writer: RejectWriter, place: OutputFile) {
    // The reports' folder may be asked for inside folders that are not there yet.
    try ReportFolder.make(FolderOfPath.of(place.path), for: "'\(place.given)'")
    return (try RejectWriter(path: place.path), place)
  }

  /// Reads the facts of a store; its rejects were kept when they were met.
  private func read(
    store: String, watching devices: Set<IdentifierHash>
  ) async throws -> Dump {
    let snapshot = try StoreSnapshot(path: store)
    let schema = try FactSchema(flows: flows)
    let needs = try snapshot.needs(schema, flows: flows)
    if !needs.isEmpty && !options.missingAsNone {
      throw StoreError.needsReading(store, needs.map(\.description))
    }
    if snapshot.sources.isEmpty {
      throw CommandError("nothing was ingested into the store '\(store)' yet")
    }
    let question = try question(schema, watching: devices)
    let timelines = try await snapshot.timelines(question)
    return Dump(
      timelines: timelines, summaries: snapshot.summaries(schema.identity), problems: [],
      snapshot: snapshot, rejects: nil, sources: [])
  }

  /// What reading the inputs for one flow alone would have given: a flow's numbers are its own.
  func alone(_ dump: Dump, _ flow: Flow) throws -> Dump {
    guard flows.count > 1 else { return dump }
    var own = dump
    own.timelines = try dump.timelines.narrowed(
      to: FactSchema(flows: [flow], format: options.format))
    return own
  }

  private func question(
    _ schema: FactSchema, watching devices: Set<IdentifierHash> = []
  ) throws -> StoreSnapshot.Question {
    var question = StoreSnapshot.Question(schema: schema)
    question.threads = options.threads
    question.latestMilliseconds = try latest()
    question.watchedDevices = devices
    question.progress = progress.reading
    question.memoryLimit = MemoryLimit(
      bytes: (options.memoryLimit ?? .ofMachine).bytes, folder: spillFolder)
    return question
  }

  /// With `--as-of`, how the store has changed since the last report up to that moment.
  func lateFacts(_ dump: Dump, _ flow: Flow) async throws -> StoreSnapshot.LateFacts? {
    guard let snapshot = dump.snapshot, options.asOf != nil else { return nil }
    return try await snapshot.lateFacts(
      flow: flow.id, fingerprint: flow.fingerprint, try question(FactSchema(flows: [flow])))
  }

  /// The bytes of all sources on disk; 0 where the size of one of them is unknown.
  private func bytes(of sources: [InputSource]) -> Int {
    let sizes = sources.compactMap(\.byteCount)
    return sizes.count == sources.count ? sizes.reduce(0, +) : 0
  }

  /// Puts the rejects file into place, after the reports: an interrupt before leaves all as it was.
  ///
  /// - Returns: whether there was anything to keep.
  func keepRejects(_ dump: Dump) throws -> Bool {
    guard let rejects = dump.rejects else { return false }
    try rejects.place.confirm()
    return try rejects.writer.finish(order: dump.sources) > 0
  }

  /// Evaluates a dump for one flow.
  func report(_ dump: Dump, _ flow: Flow) async throws -> Report {
    try await report(dump, flow, try evaluationOptions(dump.timelines, flow))
  }

  /// Evaluates a dump for one flow, over other dates than those of the command line.
  func report(
    _ dump: Dump, _ flow: Flow, _ evaluation: EvaluationOptions
  ) async throws -> Report {
    progress.begin("counting")
    let tally = try await FlowEvaluator.tally(
      dump.timelines, flow: flow, options: evaluation, threads: options.threads)
    if let asOf = options.asOf, try options.dates(in: flow).asOf == evaluation.horizonMilliseconds {
      asOfNotice.tell(asOf, evaluation.daysAfterData, dump.timelines.span?.latestMilliseconds)
    }
    return Report(
      await Analysis.of(tally, flow, threads: options.threads),
      provenance: try dump.reading.provenance(
        evaluation, options: numberOptions, maximumRejectRate: maximumRejectRate,
        lookBack: evaluation.lookBack(tally.quality, flow)))
  }

  func evaluationOptions(_ timelines: Timelines, _ flow: Flow) throws -> EvaluationOptions {
    let dates = try options.dates(in: flow)
    var evaluation = EvaluationOptions(
      asOf: dates.asOf, span: timelines.span, fromMilliseconds: dates.from,
      toMilliseconds: dates.to, cohorts: cohorts)
    evaluation.historyFromMilliseconds = dates.historyFrom
    evaluation.flowVersion = flowVersion
    if !flow.leaveOut.ids.isEmpty {
      let key = try options.store.map { try StoreInput.key(of: $0) } ?? options.loadKey()
      evaluation.leaveOut(flow, of: timelines, key: key)
    }
    return evaluation
  }

  /// The last moment that any flow's `--as-of` takes in.
  private func latest() throws -> Int64 {
    guard let first = flows.first else { return .max }
    let latest = try options.dates(in: first).asOf
    for flow in flows.dropFirst() where try options.dates(in: flow).asOf != latest {
      throw CommandError(
        "--as-of \(options.asOf ?? "") ends at another moment for flow '\(flow.id)' than for "
          + "'\(first.id)': their 'time_zone' differ. Run them one after the other, or give a "
          + "moment such as 2026-01-31T23:00:00Z.")
    }
    return latest ?? .max
  }

  /// The options that change numbers, in words.
  var numberOptions: [String: String] {
    var all = options.numberOptions
    all["cohorts"] = cohorts.rawValue
    all["flow_version"] = flowVersion
    return all
  }
}
