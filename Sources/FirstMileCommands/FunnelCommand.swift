import ArgumentParser
import EventInput
import FlowDefinition
import FunnelEngine
import FunnelReport
import Timelines

/// One funnel, asked at the command line.
struct FunnelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "funnel",
    abstract: "Count one funnel: steps, time between them, by start day, by a breakdown.",
    discussion: """
      firstmile funnel dumps/ --flow aiq --within 7d --steps \\
      'onboarding_started > onboarding_page_viewed[page_name=privacy] > test_started'
      """)

  enum Output: String, ExpressibleByArgument, CaseIterable {
    case text, json, csv
  }

  @OptionGroup var input: InputOptions
  @OptionGroup var question: FunnelOptions

  @Option(
    help: """
      Count as another tool does: \(FunnelTool.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var like: FunnelTool = .firstmile

  @Option(
    name: .customLong("mode"), parsing: .singleValue,
    help: """
      With --like clickhouse: strict_order, strict_increase, strict_deduplication, strict_once, \
      allow_reentry.
      """)
  var modes: [String] = []

  @Option(
    name: .customLong("breakdown"), parsing: .singleValue,
    help: """
      Cut by a dimension of the flow, an experiment of it, or version; by their values together if \
      there are several.
      """)
  var breakdowns: [String] = []

  @Option(
    help: """
      Whose value of a dimension or of the version counts: flow (that of the flow's reports), the \
      first or last step whose event has one, or that of the step with this number.
      """)
  var attribution = "flow"

  @Flag(help: "Everybody with the first step, not only those the flow's metrics are about.")
  var everyone = false

  @Option(
    name: .customLong("returned-on"), parsing: .singleValue,
    help: "Also how many came back on this day after the entry.")
  var retentionDays: [Int] = []

  @Option(
    name: .customLong("returned-from"), parsing: .singleValue,
    help: "Also how many came back on this day after the entry or any later one.")
  var onOrAfterDays: [Int] = []

  @Option(help: "Finished by day, week or month of the entry; days and weeks if not given.")
  var trend: TrendUnit?

  @Option(name: .customLong("week-starts"), help: "With --trend week: monday or sunday.")
  var weekStart: CalendarPeriods.WeekStart?

  @Option(help: ArgumentHelp("Also write a page to this file.", valueName: "file"))
  var page: String?

  @Option(help: "text, json or csv.")
  var output: Output = .text

  static let modeNames: [String: FunnelRules.Modes] = [
    "strict_order": .strictOrder, "strict_increase": .strictIncrease,
    "strict_deduplication": .strictDeduplication, "strict_once": .strictOnce,
    "allow_reentry": .allowReentry,
  ]

  func validate() throws {
    try question.validateFunnel()
    for mode in modes where Self.modeNames[mode] == nil {
      throw ValidationError(
        "--mode is strict_order, strict_increase, strict_deduplication, strict_once or "
          + "allow_reentry, found '\(mode)'")
    }
    if modes.contains("allow_reentry") && !modes.contains("strict_order") {
      throw ValidationError("--mode allow_reentry needs --mode strict_order, as in ClickHouse")
    }
    if !modes.isEmpty && like != .clickhouse {
      throw ValidationError("--mode needs --like clickhouse")
    }
    for (place, name) in breakdowns.enumerated() where breakdowns[..<place].contains(name) {
      throw ValidationError("--breakdown \(name) is given twice")
    }
    if breakdowns.isEmpty && attribution != "flow" {
      throw ValidationError("--attribution needs --breakdown")
    }
    if let day = retentionDays.first(where: { !(1...3650).contains($0) }) {
      throw ValidationError("--returned-on is a day from 1 to 3650, found \(day)")
    }
    if let day = onOrAfterDays.first(where: { !(1...3650).contains($0) }) {
      throw ValidationError("--returned-from is a day from 1 to 3650, found \(day)")
    }
    if weekStart != nil && trend != .week {
      throw ValidationError("--week-starts needs --trend week")
    }
    if input.flows.count > 1 { throw ValidationError("funnel takes one --flow") }
  }

  func run() async throws {
    let files = CommandFiles()
    let place = try page.map { try files.write($0, as: "--page") }
    try await question.answered(from: input, files: files) { asked, job, dump in
      let document = try await document(asked, job, dump.timelines)
      let unseen = unseen(document.unseen, asked.flow)
      for sentence in unseen { Console.message(sentence) }
      try place?.replace(
        with: FunnelPage(
          document, flow: asked.flow, notes: unseen, programVersion: FirstMile.version
        ).text())
      switch output {
      case .text: Console.output(document.text())
      case .json: Console.output(document.json())
      case .csv: Console.output(document.csv())
      }
    }
  }

  /// The answer, over timelines that are at hand.
  ///
  /// - Throws: `CommandError` for what the flow can't be cut by; `ExitStatus.usage` where the
  ///   rules of another tool don't fit the funnel.
  func document(
    _ asked: AskedFunnel, _ job: AnalysisRun, _ timelines: Timelines
  ) async throws -> FunnelDocument {
    let study = try await FunnelStudy.study(
      timelines, flow: asked.flow, funnel: asked.index,
      options: try job.evaluationOptions(timelines, asked.flow), tool: like,
      modes: modes.reduce(into: []) { $0.formUnion(Self.modeNames[$1] ?? []) },
      breakdowns: try cuts(asked.flow), attribution: try attribution(asked.funnel),
      everyone: everyone, returns: returns,
      trend: trend.map {
        CalendarPeriods(
          $0.period, weekStart: weekStart ?? like.weekStart, timeZone: asked.flow.timeZone)
      }, threads: input.threads)
    guard let study else { throw ExitStatus.usage }
    return FunnelDocument(
      study, tool: like, breakdowns: breakdowns, interval: asked.flow.statistics.rateInterval)
  }

  /// Events, properties and values that the funnel asks for and the input doesn't have.
  private func unseen(_ names: [UnseenName], _ flow: Flow) -> [String] {
    names.map { unseen in
      var candidates = unseen.seen
      if case .property(let event) = unseen.kind {
        candidates = properties(of: event, flow)
      }
      return UnseenSentence.of(unseen, candidates: candidates)
    }
  }

  /// The properties that some events of a name have; of a store's nobody knows them.
  private func properties(of event: String, _ flow: Flow) -> Set<String> {
    var sampler = DumpSampler(format: input.format)
    sampler.lineLimit = 20_000
    let sample = sampler.sample(
      InputExpansion.expand(input.inputs, access: input.remote.access()).sources)
    let names = Set(flow.eventNames.filter { $0.to == event }.map(\.from) + [event])
    return sample.events.filter { names.contains($0.event) }.reduce(into: []) {
      $0.formUnion($1.properties.keys)
    }
  }

  /// Each once.
  private var returns: [ReturnMeasure] {
    let all =
      retentionDays.map { ReturnMeasure(day: $0) }
      + onOrAfterDays.map { ReturnMeasure(day: $0, isOnOrAfter: true) }
    return Set(all).sorted()
  }

  private func cuts(_ flow: Flow) throws -> [FunnelStudy.Breakdown] {
    let cuts = try FunnelStudy.Breakdown.named(breakdowns, in: flow)
    for (cut, name) in zip(cuts, breakdowns) where attribution != "flow" {
      guard case .experiment = cut else { continue }
      throw CommandError(
        "'\(name)' is an experiment, whose variants no step decides; leave out --attribution")
    }
    return cuts
  }

  private func attribution(_ funnel: CustomFunnel) throws -> FunnelStudy.Attribution {
    switch attribution {
    case "flow": return .flow
    case "first": return .firstTouch
    case "last": return .lastTouch
    default:
      guard let step = Int(attribution), funnel.steps.indices.contains(step - 1) else {
        throw CommandError(
          "--attribution is flow, first, last or a step from 1 to \(funnel.steps.count), found "
            + "'\(attribution)'")
      }
      if funnel.order == .any {
        throw CommandError(
          "--attribution by step needs an order of steps; with --order any write first or last")
      }
      return .step(step - 1)
    }
  }
}
