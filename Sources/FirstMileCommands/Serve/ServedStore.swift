import ArgumentParser
import EventInput
import FirstMileStore
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import FunnelReport
import Synchronization
import WorkerThreads

/// The views of a store, each counted once until the store changes.
final class ServedStore: Sendable {
  /// The state of the store that the results are of.
  private struct State {
    var identity: FileIdentity?
    var rows: [Int64]
    var flows: [Flow]
    var facts: Int
    /// Whether the store is left alone from now on.
    var isClosed = false
    /// How far each view is that was asked for.
    var progress: [String: ServedProgress] = [:]
  }

  private static let factsKept = 2
  private static let reportsKept = 6
  private static let documentBytes = 128 << 20
  private let options: ServeCommand
  private let threads: ComputeThreads
  private let folders = OpenFolders()
  private let state: Mutex<State>
  private let facts = SharedResults<ServedFacts>(limit: ServedStore.factsKept) { _ in 1 }
  private let reports = SharedResults<Report>(limit: ServedStore.reportsKept) { _ in 1 }
  private let documents = SharedResults<Document>(limit: ServedStore.documentBytes) {
    $0.bytes.count
  }

  /// - Throws: `StoreError`, `CommandError` where there is no store, or none that can be served.
  init(_ options: ServeCommand) throws {
    self.options = options
    state = Mutex(try ServedStore.open(options))
    do throws(SystemThread.Refusal) {
      threads = try ComputeThreads(count: options.threads)
    } catch {
      throw CommandError("the system grants no threads to count on: \(error.message)")
    }
  }

  private static func open(_ options: ServeCommand) throws -> State {
    // Asked before it is read: what changes in between is noticed then.
    let identity = FileIdentity(at: options.store)
    let rows = try rows(of: options.store)
    let flows = try options.input().loadFlows()
    let snapshot = try StoreSnapshot(path: options.store)
    if snapshot.sources.isEmpty {
      throw CommandError("nothing was ingested into the store '\(options.store)' yet")
    }
    return State(
      identity: identity, rows: rows, flows: flows,
      facts: snapshot.sources.reduce(0) { $0 + $1.facts })
  }

  /// What the store holds. It is closed again at once: an open store keeps its log beside it, and
  /// a file that takes the store's place meanwhile would be read with the log of the other.
  private static func rows(of path: String) throws -> [Int64] {
    let store = try FactStore(path: path, access: .read)
    defer { try? store.close() }
    return try store.rowSums
  }

  /// Removes the temporary folders once the views under way are done: a store that is still in use
  /// would keep its log beside it. That is a matter of seconds; a second
  /// signal doesn't wait.
  func close() async {
    // Waits for a look at the store, too.
    state.withLock { $0.isClosed = true }
    let end = ContinuousClock.now + .seconds(10)
    if isBusy {
      Console.message("ending when the view under way is done; Ctrl-C again ends at once")
    }
    while isBusy, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(20))
    }
    folders.closeAll()
  }

  private var isBusy: Bool { documents.isBusy || facts.isBusy || reports.isBusy }

  private func mustBeOpen() throws(CancellationError) {
    if state.withLock({ $0.isClosed }) { throw CancellationError() }
  }

  var flows: [Flow] { state.withLock { $0.flows } }

  /// Drops all results if the store is another one than it was.
  ///
  /// - Throws: `StoreError` where it has gone, or can't be read any more.
  func notice() throws {
    try state.withLock { state in
      if state.isClosed { throw CancellationError() }
      let identity = FileIdentity(at: options.store)
      if let identity, identity == state.identity,
        try ServedStore.rows(of: options.store) == state.rows
      {
        return
      }
      state = try ServedStore.open(options)
      facts.removeAll()
      reports.removeAll()
      documents.removeAll()
    }
  }

  /// The flow that a question is about.
  ///
  /// - Throws: `CommandError` where the store doesn't serve it.
  func flow(_ question: ServedQuestion) throws(CommandError) -> Flow {
    let flows = flows
    let id = question["flow"] ?? flows.first?.id
    if let flow = flows.first(where: { $0.id == id }) { return flow }
    throw CommandError(
      "the store serves no flow '\(id ?? "")'; it serves \(flows.map(\.id).joined(separator: ", "))"
    )
  }

  /// Whether a file is there without counting.
  func isDone(_ name: String, of question: ServedQuestion) -> Bool {
    documents.isDone(key(name, question))
  }

  /// How far a view is that was begun.
  func progress(of question: ServedQuestion) -> ServedProgress? {
    state.withLock { $0.progress[question.query] }
  }

  /// A file of a view, as the command line would write it.
  @discardableResult
  func begin(_ name: String, of question: ServedQuestion) -> Task<Document, any Error> {
    let isDone = isDone(name, of: question)
    let progress = state.withLock { state in
      if let known = state.progress[question.query] { return known }
      let new = ServedProgress(totalFacts: state.facts)
      if !isDone { state.progress[question.query] = new }
      return new
    }
    return documents.begin(key(name, question), on: threads) { [self] in
      defer { state.withLock { $0.progress[question.query] = nil } }
      try mustBeOpen()
      return question.isFunnel
        ? try await study(name, question, progress) : try await report(name, question, progress)
    }
  }

  private func key(_ name: String, _ question: ServedQuestion) -> String {
    "\(name)?\(question.query)"
  }

  // MARK: Reports

  private static let ofInput = ["from", "to", "as-of", "history-from"]

  private func report(
    _ name: String, _ question: ServedQuestion, _ progress: ServedProgress
  ) async throws -> Document {
    let report = try await reports.begin(question.query, on: threads) { [self] in
      try await counted(question, progress)
    }.value
    progress.begin("Writing the page")
    if Report.cardNames.contains(name) {
      guard let metrics = report.document("metrics.csv"),
        let card = report.cards(metrics: metrics).first(where: { $0.name == name })
      else { throw CommandError("this report has no \(name)") }
      return card
    }
    guard let document = report.document(name) else {
      throw CommandError("a report has no file '\(name)'")
    }
    return document
  }

  private func counted(
    _ question: ServedQuestion, _ progress: ServedProgress
  ) async throws -> Report {
    let flow = try flow(question)
    let names = ServedStore.ofInput + ["cohorts", "flow-version"]
    let command = try ReportCommand.parse(options.arguments + question.arguments(names))
    // A mistake in the dates is said before anything is read.
    _ = try command.input.dates(in: flow)
    let read = try await facts(question, flow, command.input, "report", progress)
    progress.begin("Counting")
    return try await read.report(question, flow, command)
  }

  private func facts(
    _ question: ServedQuestion, _ flow: Flow, _ input: InputOptions, _ kind: String,
    _ progress: ServedProgress
  ) async throws -> ServedFacts {
    let names = kind == "report" ? ["as-of"] : ["as-of", "steps", "within"]
    return try await facts.begin("\(kind) \(flow.id)?\(question.key(names))", on: threads) {
      [folders] in
      try await ServedFacts(flow, input, progress, folders)
    }.value
  }

  // MARK: Funnels

  private func study(
    _ name: String, _ question: ServedQuestion, _ progress: ServedProgress
  ) async throws -> Document {
    let flow = try flow(question)
    var question = question
    if question["steps"] == nil { question["steps"] = FlowFunnel(flow).text }
    let command = try FunnelCommand.parse(
      options.arguments
        + question.arguments(ServedStore.ofInput + ["steps", "within", "breakdown"]))
    if question["flow-version"] != nil {
      throw CommandError(
        "one version can be chosen for a report; a funnel is cut by 'version' instead")
    }
    _ = try command.input.dates(in: flow)
    let asked = try command.question.apply(to: flow)
    let read = try await facts(question, asked.flow, command.input, "funnel", progress)
    progress.begin("Counting")
    let study = try await read.study(asked, command)
    switch name {
    case "funnel.html":
      return Document(
        name: name,
        text: FunnelPage(
          study, flow: asked.flow,
          notes: study.unseen.map { UnseenSentence.of($0, candidates: $0.seen) },
          programVersion: FirstMile.version
        ).text())
    case "funnel.csv": return Document(name: name, text: study.csv())
    case "funnel.json": return Document(name: name, text: study.json())
    case "funnel.txt": return Document(name: name, text: study.text())
    default: throw CommandError("a funnel has no file '\(name)'")
    }
  }
}
