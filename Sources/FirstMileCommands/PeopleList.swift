import EventInput
import FirstMileStore
import FlowDefinition
import FunnelEngine
import ReportText
import Timelines

/// Writes one row per person: who dropped where, for support and for re-engagement.
struct PeopleList {
  let flow: Flow
  let place: OutputFile
  let hasRawIDs: Bool

  /// The list that the command line asks for, if it does.
  ///
  /// - Throws: `CommandError` for several flows, inputs that can't be read twice, and raw ids that
  ///   are not confirmed.
  init?(_ options: PeopleOptions, _ flows: [Flow], _ files: CommandFiles, store: String?) throws {
    guard let file = options.file else { return nil }
    guard let flow = flows.first, flows.count == 1 else {
      throw CommandError(
        "--people lists the people of one flow, and \(flows.count) are given; choose one with "
          + "--flow")
    }
    if options.rawIds && store != nil {
      throw CommandError("a store keeps no raw ids; leave --raw-ids out, or give the dumps")
    }
    self.flow = flow
    place = try files.write(file, as: "--people")
    hasRawIDs = options.rawIds
    try options.confirm()
  }

  /// - Throws: `CommandError` for an input that is gone once it was read, such as a pipe.
  func check(_ sources: [InputSource]) throws(CommandError) {
    guard hasRawIDs else { return }
    for source in sources where !source.canBeReadTwice {
      throw CommandError("--raw-ids reads the input twice, and '\(source.name)' is no file")
    }
  }

  /// Writes the list.
  ///
  /// - Throws: as `PersonRecord.forEach`, and `CommandError` where the file can't be written.
  func write(_ dump: AnalysisRun.Dump, _ job: AnalysisRun) throws {
    let evaluation = try job.evaluationOptions(dump.timelines, flow)
    let ids = hasRawIDs ? try rawIDs(dump, job, evaluation) : nil
    var count = 0
    try place.replace(isPrivate: true) { output in
      var text = CSVText.line(columns)
      try PersonRecord.forEach(dump.timelines, flow: flow, options: evaluation) { record in
        text += CSVText.line(cells(record, ids))
        count += 1
        if text.utf8.count > 1 << 20 {
          try output.write(Array(text.utf8))
          text = ""
        }
      }
      try output.write(Array(text.utf8))
    }
    job.progress.end()
    let rows = CountText.of(count, flow.counting == .attempts ? "attempt" : "person")
    Console.message("\(rows) written to \(place.given)\(hasRawIDs ? ", with raw ids" : "")")
  }

  private var columns: [String] {
    ["person"] + (hasRawIDs ? ["id"] : []) + ["entered_at", "mature", "version"]
      + flow.experiments.map { "variant_\($0.id)" }
      + ["outcome", "furthest_step", "furthest_step_at", "used_skip", "skipped_at_step"]
      + ["last_event", "last_event_at"]
      + flow.permissions.map { "permission_\($0)" } + flow.retention.map { "retention_\($0.id)" }
  }

  private func cells(_ record: PersonRecord, _ ids: [IdentifierHash: String]?) -> [String] {
    var cells = ["#" + record.person.hexadecimal]
    if let ids { cells.append(ids[record.person] ?? "") }
    cells += [Moment.text(record.entryMilliseconds), record.isMature ? "1" : "0", record.version]
    cells += record.variants
    cells += [
      record.outcome.name, record.furthestStep ?? "",
      record.furthestStepMilliseconds.map(Moment.text) ?? "", record.usedSkip ? "1" : "0",
      record.skippedAtStep ?? "", record.lastEvent, Moment.text(record.lastEventMilliseconds),
    ]
    cells += record.permissions
    cells += record.retention.map { came in came.map { $0 ? "1" : "0" } ?? "" }
    return cells
  }

  /// The ids of everyone in the list.
  private func rawIDs(
    _ dump: AnalysisRun.Dump, _ job: AnalysisRun, _ evaluation: EvaluationOptions
  ) throws -> [IdentifierHash: String] {
    job.progress.begin("reading ids")
    var listed: Set<IdentifierHash> = []
    try PersonRecord.forEach(dump.timelines, flow: flow, options: evaluation) {
      listed.insert($0.person)
    }
    let united = dump.timelines.united
    var search = RawIdentifiers(
      plan: dump.timelines.tables.schema.plan, key: try job.options.loadKey(),
      format: job.options.format)
    for source in dump.sources {
      // What can't be read was reported when it was read first.
      try? search.add(source) { key in
        let person = united.person(of: key)
        return listed.contains(person) ? person : nil
      }
    }
    let missing = listed.count - search.ids.count
    if missing > 0 {
      Console.message("no id was found again for \(CountText.of(missing, "person"))")
    }
    return search.ids
  }
}
