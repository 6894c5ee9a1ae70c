import ArgumentParser
import EventInput
import FlowDefinition
import FlowDrafting
import FunnelEngine
import ReportFindings
import ReportText

/// Flow files.
struct FlowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flow", abstract: "Check flow files, list and show built-in ones, draft new ones.",
    subcommands: [
      Check.self, List.self, Show.self, Init.self, SwiftCalls.self,
    ])

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read a flow file and report every mistake with its place.",
      discussion: """
        With --against it also lists names that are only in the flow, and names that are only in \
        the dumps. Ends with exit code 1 if the dumps lack something.

        firstmile flow check my-app.yaml --against dumps/
        """)

    @Argument(help: "Flow files, or names of built-in flows.", completion: .flows)
    var files: [String]

    @Option(parsing: .upToNextOption, help: "Dumps to hold the flow against, as for report.")
    var against: [String] = []

    @OptionGroup var remote: RemoteOptions

    @Option(help: "The format of the dumps; recognised by their first lines if not given.")
    var format: EventFormat.Name?

    func validate() throws {
      if format != nil && against.isEmpty {
        throw ValidationError("--format is for the dumps of --against, and there are none")
      }
    }

    func run() async throws {
      try CommandFiles().read(flows: files)
      var isFine = true
      for file in files {
        do {
          try check(file)
          if !against.isEmpty { try await hold(file) }
        } catch {
          // With one file the mistake ends the command as ever; with more the rest is read too.
          if files.count == 1 { throw error }
          Console.message("\(error)")
          isFine = false
        }
      }
      if !isFine { throw ExitStatus.usage }
    }

    /// Holds a flow against the dumps.
    ///
    /// - Throws: `ExitStatus.checkFailed` if the flow names what no event has, and
    ///   `ExitStatus.dataQuality` if it doesn't and a dump is damaged.
    private func hold(_ file: String) async throws {
      let formats = format.map { ["--format=\($0.rawValue)"] } ?? []
      var options = try InputOptions.parse(["--flow=\(file)"] + formats + ["--"] + against)
      options.remote = remote
      let flows = try options.loadFlows()
      let job = AnalysisRun(flows: flows, options: options, cohorts: .week, maximumRejectRate: 1)
      defer { job.finish() }
      let dump = try await job.read()
      Console.tellProblems(of: dump.summaries)
      Console.tell(problems: dump.problems)
      guard let flow = flows.first, !dump.summaries.allSatisfy({ $0.events == 0 }) else {
        throw CommandError("no event in the dumps: nothing to hold the flow against")
      }
      let match = FlowMatch(
        flow,
        try await DataInspection.inspect(
          dump.timelines, flow: flow,
          options: try job.evaluationOptions(dump.timelines, flow), threads: options.threads))
      job.progress.end()
      Console.output(HiddenScalars.escaped(match.text, keepsLines: true))
      if !dump.problems.isEmpty { throw ExitStatus.usage }
      if !match.isComplete { throw ExitStatus.checkFailed }
      // What is missing might have had the names.
      if dump.summaries.contains(where: { !$0.damages.isEmpty }) { throw ExitStatus.dataQuality }
    }

    private func check(_ file: String) throws {
      let parsed = try FlowFile.read(file)
      for warning in parsed.warnings { Console.message(warning.description) }
      let flow = parsed.flow
      let steps = CountText.of(flow.steps.count, "step")
      let goals = CountText.of(flow.goals.count, "goal")
      Console.output(
        HiddenScalars.escaped(
          """
          \(file): fine
          flow \(flow.id): \(steps), \(goals)
          \(flow.choicesInWords)
          fingerprint \(flow.fingerprint)

          """, keepsLines: true))
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the built-in flows.", discussion: "firstmile flow show aiq prints one.")

    func run() throws {
      for name in FlowFile.builtInNames {
        let flow = try FlowFile.load(name)
        Console.output("\(name): \(CountText.of(flow.steps.count, "step"))\n")
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a built-in flow file, to start one of your own from.")

    @Argument(help: "\(FlowFile.builtInNames.joined(separator: ", ")).")
    var name: String

    func run() throws {
      guard let text = FlowFile.builtInText(name) else {
        let near = NearestSpelling.of(name, among: FlowFile.builtInNames)
        throw CommandError(
          "no built-in flow '\(name)'; there are \(FlowFile.builtInNames.joined(separator: ", "))"
            + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
      Console.output(text)
    }
  }

  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Look at a dump and draft a commented flow file for it.",
      discussion: "firstmile flow init dumps/ > my-app.yaml")

    @Argument(help: "Dumps, as for report.")
    var inputs: [String]

    @OptionGroup var remote: RemoteOptions

    @Option(help: "The format of the dumps; recognised by their first lines if not given.")
    var format: EventFormat.Name?

    @Option(
      help:
        "Look at so many lines, the first of each file; at all events of some people if not given."
    )
    var lines: Int?

    func validate() throws {
      if let lines, lines < 1 {
        throw ValidationError("--lines must be at least 1, found \(lines)")
      }
    }

    func run() throws {
      let (sources, problems, passedOver) = InputExpansion.expand(
        inputs, plan: format.map { .ofAnyFlow(format: $0) }, access: remote.access())
      try CommandFiles().read(sources)
      Console.tell(passedOver: passedOver)
      Console.tell(problems: problems)
      let interruption = Interruption()
      defer { interruption.end() }
      interruption.say { "interrupted; nothing was drafted" }
      var sampler = DumpSampler(format: format)
      sampler.lineLimit = lines
      let sample = sampler.sample(sources)
      Console.tell(problems: sample.problems + sample.damages)
      let isUnread = !problems.isEmpty || !sample.problems.isEmpty
      if sample.events.isEmpty {
        if isUnread { throw ExitStatus.usage }
        Console.message(
          "no event in the input: nothing to draft a flow from" + RefusedLineWords.of(sample))
        throw ExitStatus.dataQuality
      }
      let draft = FlowDraft(sample)
      Console.output(draft.text)
      if !draft.hasPages {
        Console.message("no page of an onboarding was found: name the steps yourself")
      }
      if isUnread { throw ExitStatus.usage }
      if !sample.damages.isEmpty { throw ExitStatus.dataQuality }
    }
  }
}
