import ArgumentParser
import EventInput
import FirstMile
import FlowDefinition
import FlowDrafting
import Foundation
import FunnelMetrics
import ReportFindings
import Timelines

/// From dumps that nobody has described to a flow file and the first report.
struct StartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Look at dumps, ask a few questions, write a flow file and the first report.",
    discussion: """
      Looks at people's timelines for where an onboarding begins and ends, for its steps, a \
      variant, and what people come back for. Asks at most five questions; Enter takes the answer \
      in brackets, q leaves without writing anything.

      firstmile start dumps/
      """)

  @Argument(help: "Dumps, as for report.")
  var inputs: [String]

  @OptionGroup var remote: RemoteOptions

  @Flag(name: [.short, .long], help: "Ask nothing: take the best guesses.")
  var yes = false

  @Option(help: "The flow file to write; NAME.yaml if not given, after the flow in the events.")
  var flowFile: String?

  @Option(help: "The folder to write the report to; reports/NAME if not given.")
  var out: String?

  @Flag(help: "Replace a flow file and a report that are there already.")
  var replace = false

  @Option(help: "The format of the dumps; recognised by their first lines if not given.")
  var format: EventFormat.Name?

  @Flag(
    inversion: .prefixedNo,
    help: "Open the report; done after questions at a terminal unless --no-open is given.")
  var open: Bool?

  func validate() throws {
    if inputs.contains("-") {
      throw ValidationError(
        "start reads its dumps twice, and standard input can be read once: save it to a file")
    }
    if !yes && (isatty(0) == 0 || isatty(2) == 0) {
      throw ValidationError(
        "start asks questions, and there is no terminal to ask at: add --yes to take the best "
          + "guesses, or run it at a terminal")
    }
  }

  func run() async throws {
    let interruption = Interruption()
    defer { interruption.end() }
    interruption.say { "interrupted; nothing was written" }
    let files = CommandFiles()
    try StartPlaces.tryOut(flowFile: flowFile, replaces: replace)
    let (sample, isUnread) = try sample(files)
    let guess = FlowGuess(sample)
    if !guess.hasOnboarding {
      sayNothingFound(guess)
      throw ExitStatus.dataQuality
    }
    let guessed = FlowDraft(guess, guess.choice)
    let places = try StartPlaces(
      name: guessed.name, flowFile: flowFile, out: out,
      replaces: replace, files)
    sayWhatWasSeen(sample, guess)
    var draft = guessed
    if !yes {
      guard let answered = StartQuestions(guess).asked() else {
        Console.message("nothing was written")
        return
      }
      draft = FlowDraft(guess, answered)
    }
    let flow = try FlowParser.parse(draft.text, file: places.flowFile.given).flow
    for unknown in draft.unknowns { Console.message("not known: \(unknown)") }
    let outcome = try await report(flow, places)
    try places.flowFile.replace(with: draft.text)
    let project = try places.writeProject(inputs: inputs, format: format, remote: remote)
    let written = [places.flowFile.given, project].compactMap { $0 }.joined(separator: " and ")
    Console.message("wrote \(written): read the flow file, then run `\(again(places, project))`")
    let page = "\(places.out)/report.html"
    Console.output("\n\(HiddenScalars.escaped(page))\n")
    if open ?? (!yes && PageOpener.hasDisplay) { PageOpener.open([page]) }
    if let outcome { throw outcome }
    if isUnread { throw ExitStatus.usage }
  }

  /// Whole people out of the dumps.
  private func sample(_ files: CommandFiles) throws -> (DumpSampler.Sample, isUnread: Bool) {
    let (sources, problems, passedOver) = InputExpansion.expand(
      inputs, plan: format.map { .ofAnyFlow(format: $0) }, access: remote.access())
    try files.read(sources)
    Console.tell(passedOver: passedOver)
    Console.tell(problems: problems)
    for source in sources {
      if case .file(let path) = source.kind,
        case .success(let file) = FileIdentity.look(path), !file.isRegular
      {
        throw CommandError(
          "'\(source.name)' is a pipe or a device, and start reads its dumps twice: "
            + "save it to a file")
      }
    }
    let sample = DumpSampler(format: format).sample(sources)
    Console.tell(problems: sample.problems)
    let isUnread = !problems.isEmpty || !sample.problems.isEmpty
    if sample.events.isEmpty {
      // Otherwise the report says it.
      Console.tell(problems: sample.damages)
      if isUnread { throw ExitStatus.usage }
      Console.message(
        "no line or row of the input is an event with a name, a time and an id of its person, so "
          + "there is nothing to start from" + RefusedLineWords.of(sample))
      throw ExitStatus.dataQuality
    }
    return (sample, isUnread)
  }

  private func sayWhatWasSeen(_ sample: DumpSampler.Sample, _ guess: FlowGuess) {
    let formats = sample.formats.map(\.rawValue).joined(separator: ", ")
    Console.message(
      "looked at \(Console.grouped(sample.events.count)) events of "
        + "\(Console.grouped(guess.peopleCount)) people (format \(formats))")
    if !guess.apart.isEmpty {
      let groups = guess.apart.prefix(3).map { group in
        let names = group.examples.map { "'\(HiddenScalars.escaped($0))'" }
        return "\(Console.grouped(group.people)) with \(names.joined(separator: ", "))"
      }
      Console.message(
        "these people share no event: \(groups.joined(separator: "; ")). Two apps in one dump, or "
          + "ids that change at sign-up? Start with the dumps of one app")
    }
    if let crawlers = CrawlerWords(sample.crawlers.map { Provenance.Crawler($0) }) {
      Console.message(crawlers.text)
    }
  }

  private func sayNothingFound(_ guess: FlowGuess) {
    let names = guess.activities.prefix(5).map { "'\($0.name)'" }.joined(separator: ", ")
    Console.message(
      "no onboarding was found: no events that people have once, early, and in one order"
        + (names.isEmpty ? "" : "; what people do is \(names)")
        + ". Nothing was written. If the onboarding is in these dumps, draft a flow file with "
        + "`firstmile flow init` and name its events yourself.")
  }

  /// Reports as `report` does.
  ///
  /// - Returns: the exit code of a report that was written though something was wrong with the
  ///   data.
  private func report(_ flow: Flow, _ places: StartPlaces) async throws -> ExitCode? {
    let formats = format.map { ["--format=\($0.rawValue)"] } ?? []
    var report = try ReportCommand.parse(
      ["--no-project-file", "--flow=\(places.flowFile.given)", "--out=\(places.out)"] + formats
        + ["--"] + inputs)
    report.input.remote = remote
    report.givenFlows = [flow]
    report.input.namesPassedOver = false
    report.namesPages = false
    do {
      try await report.run()
      return nil
    } catch let code as ExitCode
      where FileManager.default.fileExists(atPath: "\(places.out)/report.html")
    {
      return code
    }
  }

  /// The command that makes the report once more.
  private func again(_ places: StartPlaces, _ project: String?) -> String {
    if project != nil { return "firstmile report" }
    let access =
      (remote.endpointUrl.map { ["--endpoint-url", $0] } ?? [])
      + (remote.noSignRequest ? ["--no-sign-request"] : [])
    return
      (["firstmile report"] + inputs + access
      + ["--flow", places.flowFile.given, "--out", places.out]).joined(separator: " ")
  }
}
